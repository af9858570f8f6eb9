// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/english_plurals.h"

namespace stageloom {

QString EnglishPlurals::translate(const char*, const char* sourceText, const char*, int n) const
{
    if (n < 0)
        return {}; // no number: the source text holds
    QString text = QString::fromUtf8(sourceText);
    for (const char* ending : { "es", "s" })
        text.replace(QStringLiteral("(%1)").arg(QLatin1String(ending)),
            n == 1 ? QString() : QString::fromLatin1(ending));
    return text;
}

} // namespace stageloom
