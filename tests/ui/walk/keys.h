// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "hands.h"

#include <QTimer>
#include <QWindow>

namespace stageloom::keys {

// What a person without a mouse does: every key goes to the window that has the keyboard, and from
// there to whatever has the focus in it.

inline QWidget& top(QWidget& window)
{
    if (QWidget* popup = QApplication::activePopupWidget())
        return *popup;
    QWidget* dialog = QApplication::activeModalWidget();
    return dialog != nullptr ? *dialog : window;
}

inline void press(QWidget& window, Qt::Key key, Qt::KeyboardModifiers modifiers = {})
{
    // A desktop gives the keyboard back to the window whose dialog closed; a bare display does not.
    if (&top(window) == &window && !window.isActiveWindow()) {
        window.activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    }
    QTest::keyClick(top(window).windowHandle(), key, modifiers);
}

inline void type(QWidget& window, const QString& text)
{
    for (const QChar letter : text)
        QTest::keyClick(top(window).windowHandle(), letter.toLatin1());
}

// Presses Tab until the widget has the focus; a round without it is a failure.
inline void tabTo(QWidget& window, const QWidget* widget)
{
    ASSERT_NE(widget, nullptr);
    constexpr int kRound = 120;
    for (int i = 0; i < kRound && top(window).focusWidget() != widget; ++i)
        press(window, Qt::Key_Tab);
    ASSERT_EQ(top(window).focusWidget(), widget)
        << "Tab does not reach " << widget->accessibleName().toStdString();
}

inline void pressButton(QWidget& window, QAbstractButton* button)
{
    tabTo(window, button);
    if (!testing::Test::HasFatalFailure())
        press(window, Qt::Key_Space);
}

// Replaces what the field says.
inline void fill(QWidget& window, const QWidget* field, const QString& text)
{
    tabTo(window, field);
    if (testing::Test::HasFatalFailure())
        return;
    press(window, Qt::Key_A, Qt::ControlModifier);
    type(window, text);
}

// Opens the button's menu, moves down to the entry and takes it.
inline void chooseFrom(QWidget& window, QPushButton* button, const QString& text)
{
    bool chosen = false;
    hands::onTop<QMenu>(window, [&](QMenu& menu) {
        const auto at = [&menu, &text] {
            return menu.activeAction() != nullptr && menu.activeAction()->text() == text;
        };
        for (qsizetype i = 0; i <= menu.actions().size() && !at(); ++i)
            press(window, Qt::Key_Down);
        chosen = at();
        press(window, chosen ? Qt::Key_Return : Qt::Key_Escape);
    });
    pressButton(window, button);
    EXPECT_TRUE(chosen) << "the menu has no entry " << text.toStdString();
}

} // namespace stageloom::keys
