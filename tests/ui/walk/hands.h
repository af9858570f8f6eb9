// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/panel.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <QUrl>
#include <QWidget>
#include <functional>
#include <gtest/gtest.h>

namespace stageloom::hands {

// What a person's hands do: every event goes to what lies under the point, never past it.

inline QWidget* under(QWidget& window, const QPoint& at)
{
    QWidget* target = window.childAt(at);
    return target != nullptr ? target : &window;
}

inline void clickAt(QWidget& window, const QPoint& at, Qt::KeyboardModifiers keys = {})
{
    QWidget* target = under(window, at);
    QTest::mouseClick(target, Qt::LeftButton, keys, target->mapFrom(&window, at));
}

inline void click(QWidget& widget)
{
    QWidget& window = *widget.window();
    const QPoint at = widget.mapTo(&window, widget.rect().center());
    ASSERT_TRUE(widget.isVisible());
    QWidget* target = under(window, at);
    ASSERT_TRUE(target == &widget || widget.isAncestorOf(target))
        << "something else lies over " << widget.accessibleName().toStdString();
    clickAt(window, at);
}

// Presses at one place of a widget, moves in steps, lets go at another; the press keeps the mouse.
inline void drag(QWidget& widget, const QPoint& from, const QPoint& to)
{
    QWidget& window = *widget.window();
    QWidget* target = under(window, widget.mapTo(&window, from));
    const auto at
        = [&](const QPoint& p) { return target->mapFrom(&window, widget.mapTo(&window, p)); };
    QTest::mousePress(target, Qt::LeftButton, {}, at(from));
    constexpr int kSteps = 8;
    for (int i = 1; i <= kSteps; ++i) {
        const QPoint local = at(from + (to - from) * i / kSteps);
        QMouseEvent move(
            QEvent::MouseMove, local, target->mapToGlobal(local), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(target, &move);
    }
    QTest::mouseRelease(target, Qt::LeftButton, {}, at(to));
}

inline void dropFile(QWidget& window, const QString& path)
{
    QMimeData data;
    data.setUrls({ QUrl::fromLocalFile(path) });
    const QPoint at = window.rect().center();
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &enter);
    ASSERT_TRUE(enter.isAccepted());
    QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &drop);
}

inline bool waitFor(const std::function<bool()>& done, int milliseconds)
{
    return QTest::qWaitFor(done, milliseconds);
}

// Acts on the next popup or dialog of this kind as soon as it is there; its exec() keeps the caller
// busy meanwhile.
template <typename Top> void onTop(QObject& owner, const std::function<void(Top&)>& act)
{
    auto* timer = new QTimer(&owner);
    QObject::connect(timer, &QTimer::timeout, &owner, [timer, act] {
        auto* top = qobject_cast<Top*>(QApplication::activePopupWidget());
        if (top == nullptr)
            top = qobject_cast<Top*>(QApplication::activeModalWidget());
        if (top == nullptr || !top->isVisible())
            return;
        timer->stop();
        timer->deleteLater();
        act(*top);
    });
    timer->start(20);
}

// Opens the button's menu and clicks the entry where it lies.
inline void chooseFrom(QPushButton& button, const QString& text)
{
    bool chosen = false;
    onTop<QMenu>(button, [&](QMenu& menu) {
        for (QAction* action : menu.actions())
            if (action->text() == text) {
                chosen = true;
                const QPoint at = menu.actionGeometry(action).center();
                for (const int way : { -2, -1, 0 }) // a click counts only after the mouse moved
                    QTest::mouseMove(&menu, at + QPoint(way, 0));
                clickAt(menu, at);
                return;
            }
        menu.close();
    });
    click(button);
    EXPECT_TRUE(chosen) << "the menu has no entry " << text.toStdString();
}

template <typename Button = QAbstractButton> Button* button(QWidget& window, const QString& text)
{
    for (Button* each : window.findChildren<Button*>())
        if (each->isVisible() && each->text() == text)
            return each;
    ADD_FAILURE() << "no visible button says " << text.toStdString();
    return nullptr;
}

inline QPushButton* startingWith(QWidget& window, const QString& text)
{
    for (auto* each : window.findChildren<QPushButton*>())
        if (each->isVisible() && each->text().startsWith(text))
            return each;
    ADD_FAILURE() << "no visible button begins with " << text.toStdString();
    return nullptr;
}

// What the window complains of at the moment.
inline QString shownSentence(QWidget& window)
{
    QStringList sentences;
    for (auto* bar : window.findChildren<MessageBar*>())
        if (!bar->sentence().isEmpty())
            sentences << bar->sentence();
    return sentences.join(' ');
}

template <typename Widget> Widget* named(QWidget& window, const QString& accessibleName)
{
    for (Widget* each : window.findChildren<Widget*>())
        if (each->isVisible() && each->accessibleName() == accessibleName)
            return each;
    ADD_FAILURE() << "no visible widget is named " << accessibleName.toStdString();
    return nullptr;
}

} // namespace stageloom::hands
