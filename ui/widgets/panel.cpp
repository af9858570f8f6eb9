// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/panel.h"

#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include <QAbstractButton>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace stageloom {

namespace {

// A word of a library's sentence begins it; a file's name stays as it is.
QString asSentence(const QString& text)
{
    static const QRegularExpression word(QStringLiteral("^[a-z]+[ ,:]"));
    return word.match(text).hasMatch() ? text.left(1).toUpper() + text.mid(1) : text;
}

} // namespace

QLabel* makeLabel(const QString& text, const char* role, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setObjectName(QLatin1String(role));
    return label;
}

Panel::Panel(const QString& title, QWidget* parent)
    : QFrame(parent)
    , m_caption(new ElidedLabel("caption"))
{
    setObjectName(QStringLiteral("panel"));
    setAccessibleName(title);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Theme::kPadding, 10, Theme::kPadding, 12);
    layout->setSpacing(8);
    m_head = new QWidget;
    auto* head = new QHBoxLayout(m_head);
    head->setContentsMargins(0, 0, 0, 0);
    head->setSpacing(8);
    head->addWidget(makeLabel(title, "title"));
    head->addWidget(m_caption, 1);
    layout->addWidget(m_head);
    m_body = new QVBoxLayout;
    m_body->setSpacing(8);
    layout->addLayout(m_body, 1);
}

void Panel::setCaption(const QString& text)
{
    m_caption->setWords(text);
}

void Panel::addControl(QWidget* widget)
{
    m_head->layout()->addWidget(widget);
}

QWidget* Panel::takeHead()
{
    layout()->removeWidget(m_head);
    setObjectName(QStringLiteral("docked panel"));
    layout()->setContentsMargins(Theme::kPadding, 0, Theme::kPadding, 12);
    m_head->layout()->setContentsMargins(Theme::kPadding, 10, Theme::kPadding, 8);
    return m_head;
}

void letTabReachTheChosen(QButtonGroup& group)
{
    QObject::connect(&group, &QButtonGroup::buttonToggled, &group, [&group] {
        for (QAbstractButton* button : group.buttons())
            button->setFocusPolicy(button->isChecked() ? Qt::TabFocus : Qt::NoFocus);
    });
}

EmptyNotice::EmptyNotice(const QString& title, const QString& hint, QWidget* parent)
    : QWidget(parent)
    , m_hint(makeLabel(hint, "caption"))
{
    auto* layout = new QVBoxLayout(this);
    layout->addStretch(2);
    auto* head = makeLabel(title, "title");
    head->setAlignment(Qt::AlignCenter);
    layout->addWidget(head);
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setWordWrap(true);
    layout->addWidget(m_hint);
    layout->addStretch(3);
}

void EmptyNotice::setHint(const QString& hint)
{
    m_hint->setText(hint);
}

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent)
    , m_text(new QLabel)
    , m_remedy(new QPushButton)
{
    setObjectName(QStringLiteral("message"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(Theme::kPadding, 6, 6, 6);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText); // names in it are not markup
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_remedy);
    connect(m_remedy, &QPushButton::clicked, this, [this] {
        hide();
        if (m_doRemedy)
            m_doRemedy();
    });
    auto* close = new QToolButton;
    close->setText(QStringLiteral("×"));
    close->setToolTip(tr("Close this message"));
    close->setAccessibleName(close->toolTip());
    close->setMinimumSize(28, 28);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    layout->addWidget(close, 0, Qt::AlignTop);
    hide();
}

void MessageBar::showSentence(const QString& sentence)
{
    offer(sentence, QString(), {});
}

void MessageBar::showDone(const QString& sentence)
{
    offer(sentence, QString(), {});
    setLook(QStringLiteral("done message"));
}

void MessageBar::showWhile(const QString& sentence, std::function<bool()> holds)
{
    showSentence(sentence);
    m_holds = std::move(holds);
}

void MessageBar::recheck()
{
    if (m_holds && !m_holds()) {
        m_holds = {};
        hide();
    }
}

bool MessageBar::wasReadable() const
{
    constexpr qint64 kToRead = 1500; // ms
    return m_shown.isValid() && m_shown.hasExpired(kToRead);
}

void MessageBar::setLook(const QString& name)
{
    if (objectName() == name)
        return;
    setObjectName(name);
    style()->unpolish(this);
    style()->polish(this);
}

void MessageBar::offer(
    const QString& sentence, const QString& remedy, const std::function<void()>& doRemedy)
{
    m_text->setText(asSentence(sentence));
    m_remedy->setText(remedy);
    m_remedy->setToolTip(remedy);
    m_remedy->setVisible(!remedy.isEmpty());
    m_doRemedy = doRemedy;
    m_holds = {};
    setLook(QStringLiteral("message"));
    m_shown.start();
    setVisible(!sentence.isEmpty());
}

QString MessageBar::sentence() const
{
    return isHidden() ? QString() : m_text->text();
}

} // namespace stageloom
