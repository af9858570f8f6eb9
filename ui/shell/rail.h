// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QWidget>

class QButtonGroup;
class QToolButton;
class QVBoxLayout;

namespace stageloom {

// The left rail: one button a page, icon over word.
class Rail : public QWidget {
    Q_OBJECT
public:
    explicit Rail(QWidget* parent = nullptr);
    void addPage(const QString& icon, const QString& word, const QString& shortcut);
    void setCurrent(int page);
    [[nodiscard]] QWidget* last() const; // the lowest button

signals:
    void pageChosen(int page);

private:
    void recolour();
    QButtonGroup* m_group;
    QVBoxLayout* m_layout;
};

} // namespace stageloom
