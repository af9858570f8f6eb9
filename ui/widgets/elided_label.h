// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace stageloom {

// One line of plain words, cut with "…" where the room ends; the tooltip then says all of it. Takes
// the room it is given and never asks for another: words that change with every frame do not lay
// the window out anew.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(const char* role, QWidget* parent = nullptr);
    void setWords(const QString& words);
    [[nodiscard]] const QString& words() const { return m_words; }
    [[nodiscard]] bool isCut() const;
    void setTip(const QString& tip); // while all words are in sight
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QString m_words, m_tip;
};

} // namespace stageloom
