// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

class QAbstractButton;

namespace stageloom {

class DockArea;

// A page of the window: its content, and the words and buttons that the header shows for it.
class Page : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    [[nodiscard]] virtual QString title() const = 0;
    [[nodiscard]] virtual QString subtitle() const { return {}; }
    // Owned by the page until the header shows them; the last one is the primary.
    [[nodiscard]] virtual QList<QWidget*> actions() const { return {}; }
    // A file or folder dropped on the page that the page itself has a use for; false: it has none,
    // and the window opens it.
    virtual bool takeDropped(const QString& path)
    {
        Q_UNUSED(path)
        return false;
    }
    // The column whose panels can be arranged, where the page has one.
    [[nodiscard]] virtual DockArea* docks() const { return nullptr; }

signals:
    void headerChanged();
};

} // namespace stageloom
