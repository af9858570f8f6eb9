// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_tools.h"

#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_modes.h"
#include "ui/timeline/timeline_view.h"
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QShortcut>
#include <QToolButton>
#include <QToolTip>

namespace stageloom {

TimelineTools::TimelineTools(TimelineView* view, QWidget* parent)
    : QWidget(parent)
    , m_view(view)
    , m_search(new QLineEdit)
    , m_hits(new QLabel)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    m_search->setPlaceholderText(tr("F12, stage 2, batch 3, GPU 1 …"));
    m_search->setAccessibleName(tr("Find operations"));
    m_search->setToolTip(tr("Forward or backward of a microbatch (F12, B3), microbatch 5, stage 2, "
                            "batch 3, version W1, GPU 1, update; several words narrow it down"));
    m_search->setClearButtonEnabled(true);
    m_search->setMinimumWidth(100); // in a narrow panel
    m_search->setMaximumWidth(190);
    m_search->installEventFilter(this);
    m_hits->setObjectName(QStringLiteral("caption"));
    m_search->hide();
    m_hits->hide();
    layout->addWidget(m_hits);
    layout->addSpacing(4);
    layout->addWidget(m_search);
    layout->addWidget(TimelineModes::ofPlans(*view));
    TimelineState& state = view->state();
    const auto middle = [&state] { return (state.visible().begin + state.visible().end) / 2; };
    m_find = addButton(tr("Find"), tr("Find operations"), tr("Find operations (Ctrl+F)"));
    connect(m_find, &QToolButton::clicked, this,
        [this] { m_search->isVisible() ? closeSearch() : openSearch(); });
    connect(addButton(QStringLiteral("−"), tr("Zoom out"), tr("Zoom out (S)")),
        &QToolButton::clicked, this, [&state, middle] { state.zoom(1.6, middle()); });
    connect(addButton(QStringLiteral("+"), tr("Zoom in"), tr("Zoom in (W)")), &QToolButton::clicked,
        this, [&state, middle] { state.zoom(1 / 1.6, middle()); });
    connect(addButton(tr("Fit"), tr("Show all"), tr("Show all (Ctrl+0)")), &QToolButton::clicked,
        view, &TimelineView::fit);
    connect(addButton(tr("Export"), tr("Export"),
                tr("Save as a picture (PNG, SVG) or for Perfetto (JSON)")),
        &QToolButton::clicked, this, &TimelineTools::exportAsked);
    connect(addButton(QStringLiteral("?"), tr("Keys"), tr("What keys and mouse do here")),
        &QToolButton::clicked, this, &TimelineTools::showKeys);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_view->setSearch(text);
        showHits();
    });
    connect(&state, &TimelineState::searchChanged, this, &TimelineTools::showHits);
    connect(view, &TimelineView::searchRequested, this, &TimelineTools::openSearch);
    connect(view, &TimelineView::exportRequested, this, &TimelineTools::exportAsked);
    // Of the whole page, as long as the timeline is on it.
    m_findKey = new QShortcut(QKeySequence::Find, view);
    connect(m_findKey, &QShortcut::activated, this, [this] { openSearch(); });
}

QToolButton* TimelineTools::addButton(const QString& text, const QString& name, const QString& tip)
{
    auto* button = new QToolButton;
    button->setText(text);
    button->setAccessibleName(name);
    button->setToolTip(tip);
    button->setMinimumSize(28, 28);
    button->setFocusPolicy(Qt::TabFocus);
    layout()->addWidget(button);
    return button;
}

void TimelineTools::leaveFindToThePage()
{
    m_findKey->setEnabled(false);
}

void TimelineTools::openSearch(const QString& text)
{
    m_search->show();
    m_hits->show();
    if (!text.isEmpty())
        m_search->setText(text);
    else
        m_view->setSearch(m_search->text());
    m_search->setFocus();
    m_search->selectAll();
    showHits();
}

void TimelineTools::closeSearch()
{
    m_search->hide();
    m_hits->hide();
    m_view->setSearch({});
    m_view->setFocus();
}

void TimelineTools::showHits()
{
    const TimelineState& state = m_view->state();
    const auto count = static_cast<int>(state.hits().size());
    const auto digits = [](int value) { return QString::fromStdString(groupDigits(value)); };
    if (m_search->text().trimmed().isEmpty())
        m_hits->setText({});
    else if (!m_view->understands(m_search->text()))
        m_hits->setText(tr("not a name of operations"));
    else if (count == 0)
        m_hits->setText(tr("none found"));
    else
        m_hits->setText((state.hitsCut() ? tr("%1 of the first %2") : tr("%1 of %2"))
                            .arg(digits(state.hit() + 1), digits(count)));
}

bool TimelineTools::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_search || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    switch (key->key()) {
    case Qt::Key_Escape:
        closeSearch();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        key->modifiers() & Qt::ShiftModifier ? m_view->searchPrevious() : m_view->searchNext();
        return true;
    case Qt::Key_Down:
        m_view->setFocus();
        return true;
    default:
        return QWidget::eventFilter(watched, event);
    }
}

void TimelineTools::exportAsked()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Export the timeline"),
        QStringLiteral("timeline.png"),
        tr("Pictures (*.png *.svg);;Traces for Perfetto and chrome://tracing (*.json)"));
    if (path.isEmpty())
        return;
    QString problem;
    if (path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive)) {
        if (const Status saved = m_view->saveTrace(path); !saved)
            problem = QString::fromStdString(saved.error().message);
    } else if (!m_view->savePicture(path)) {
        problem
            = tr("The picture could not be written to %1. Choose a folder that you may write to.")
                  .arg(path);
    }
    if (!problem.isEmpty())
        QMessageBox::warning(this, tr("Export the timeline"), problem);
}

void TimelineTools::showKeys()
{
    QString text = QStringLiteral("<table cellspacing='4'>");
    for (const auto& [keys, what] : TimelineView::shortcuts())
        text += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
                    .arg(keys.toHtmlEscaped(), what.toHtmlEscaped());
    QToolTip::showText(mapToGlobal(QPoint(width() - 40, height())),
        text + QStringLiteral("</table>"), this, {}, 60'000);
}

} // namespace stageloom
