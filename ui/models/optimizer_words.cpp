// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/optimizer_words.h"

#include <QCoreApplication>

namespace stageloom {

QString optimizerName(OptimizerKind kind)
{
    const auto tr
        = [](const char* text) { return QCoreApplication::translate("OptimizerName", text); };
    switch (kind) {
    case OptimizerKind::Sgd:
        return tr("SGD with momentum");
    case OptimizerKind::Adam:
        return tr("Adam");
    case OptimizerKind::AdamW:
        return tr("AdamW");
    }
    return {};
}

} // namespace stageloom
