// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTranslator>

namespace stageloom {

// English needs no translation file but for plurals: "%n layer(s)" becomes "1 layer", "2 layers",
// "%n batch(es)" becomes "1 batch", "2 batches". Other languages' files are installed over it.
class EnglishPlurals : public QTranslator {
    Q_OBJECT
public:
    using QTranslator::QTranslator;
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char* context, const char* sourceText,
        const char* disambiguation, int n) const override;
};

} // namespace stageloom
