// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QFrame>
#include <functional>

class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace stageloom {

class ElidedLabel;

// A framed panel: title, a muted line beside it, room for controls on the right, the content below.
class Panel : public QFrame {
    Q_OBJECT
public:
    explicit Panel(const QString& title, QWidget* parent = nullptr);
    void setCaption(const QString& text); // cut where the room ends, whole in its tooltip
    void addControl(QWidget* widget);
    QVBoxLayout* body() { return m_body; }
    // Gives the title's row away, to be a title bar; the panel loses its frame with it.
    QWidget* takeHead();

private:
    ElidedLabel* m_caption;
    QWidget* m_head;
    QVBoxLayout* m_body;
};

QLabel* makeLabel(const QString& text, const char* role, QWidget* parent = nullptr);

// Qt lets Tab stop at the button that had the focus last; a person expects the chosen one. The
// arrow keys go on to the others. Before the first button is added.
void letTabReachTheChosen(QButtonGroup& group);

// What an empty page says: what belongs here, and how to get it.
class EmptyNotice : public QWidget {
    Q_OBJECT
public:
    EmptyNotice(const QString& title, const QString& hint, QWidget* parent = nullptr);
    void setHint(const QString& hint);

private:
    QLabel* m_hint;
};

// A sentence about a problem, with a button that closes it and one that helps where something can;
// hidden while there is none.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    explicit MessageBar(QWidget* parent = nullptr);
    void showSentence(const QString& sentence);
    void showDone(const QString& sentence); // something went well
    // Goes by itself once `holds` says so no more; asked by recheck().
    void showWhile(const QString& sentence, std::function<bool()> holds);
    void recheck(); // after what it speaks of may have changed
    // Long enough in sight to be read: it may go when the page does.
    [[nodiscard]] bool wasReadable() const;
    void offer(
        const QString& sentence, const QString& remedy, const std::function<void()>& doRemedy);
    [[nodiscard]] QString sentence() const;

private:
    QLabel* m_text;
    void setLook(const QString& name);
    QPushButton* m_remedy;
    QElapsedTimer m_shown;
    std::function<void()> m_doRemedy;
    std::function<bool()> m_holds; // unset: until it is closed
};

} // namespace stageloom
