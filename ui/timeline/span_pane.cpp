// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/span_pane.h"

#include "ui/theme/stage_fill.h"
#include "ui/theme/theme.h"
#include "ui/timeline/numbering.h"
#include "ui/timeline/span_facts.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/panel.h"
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QToolButton>
#include <cmath>

namespace stageloom {

// The box as it is in its lane, larger.
class SpanBadge : public QWidget {
public:
    SpanBadge() { setFixedSize(34, 34); }
    void show(const Span& span)
    {
        m_span = span;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const Theme& look = theme();
        const bool compute = isCompute(m_span.kind);
        const QColor fill = m_span.kind == ActionKind::Forward ? look.stageForward(m_span.stage)
            : compute                                          ? look.stage(m_span.stage)
            : m_span.kind == ActionKind::Update                ? look.text
                                                               : look.muted;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(look.text, 1.5));
        painter.setBrush(compute ? stageFill(m_span.stage, fill) : QBrush(fill));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
        painter.setPen(look.textOn(fill));
        QFont bold = look.titleFont();
        painter.setFont(bold);
        painter.drawText(rect(), Qt::AlignCenter, boxText(m_span));
    }

private:
    Span m_span;
};

namespace {

QToolButton* makeArrow(const QString& text, const QString& name)
{
    auto* button = new QToolButton;
    button->setText(text);
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->setMinimumSize(28, 28);
    button->setAutoRaise(true);
    return button;
}

// A number of a time in the column's own unit, so that two rows compare.
QString inUnit(double time, double unit)
{
    const double value = time / unit;
    return QLocale(QLocale::English).toString(value, 'f', std::fabs(value) >= 10 ? 1 : 2);
}

struct Unit {
    double factor;
    QString name;
};

Unit unitOf(double time, bool seconds)
{
    if (!seconds)
        return { 1, {} };
    if (time >= 100)
        return { 1, QStringLiteral("s") };
    return time >= 1e-4 ? Unit { 1e-3, QStringLiteral("ms") } : Unit { 1e-6, QStringLiteral("µs") };
}

QFrame* makeLine()
{
    auto* line = new QFrame;
    line->setFrameShape(QFrame::VLine);
    line->setObjectName(QStringLiteral("line"));
    return line;
}

} // namespace

SpanPane::SpanPane(TimelineView& view, QWidget* parent)
    : QFrame(parent)
    , m_view(view)
    , m_badge(new SpanBadge)
    , m_title(makeLabel(QString(), "title"))
    , m_place(new ElidedLabel("caption"))
    , m_against(new ElidedLabel("caption"))
    , m_unit(makeLabel(QString(), "caption"))
    , m_waits { new ElidedLabel("wait"), new ElidedLabel("wait") }
    , m_waitsTitle(makeLabel(tr("Who waits for whom"), "caption"))
{
    setAccessibleName(tr("Details of the operation"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 8, 0, 0);
    row->setSpacing(12);
    row->addLayout(buildName(), 4);
    row->addWidget(makeLine());
    row->addLayout(buildTimes());
    row->addWidget(makeLine());
    row->addLayout(buildWaits(), 5);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&view.state(), &TimelineState::selectedChanged, this, &SpanPane::refresh);
    connect(&view.state(), &TimelineState::modeChanged, this, &SpanPane::refresh);
    connect(&view, &TimelineView::tracesChanged, this, &SpanPane::refresh);
    refresh();
}

QLayout* SpanPane::buildName()
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(2);
    auto* earlier = makeArrow(QStringLiteral("‹"), tr("The operation before it on its device"));
    auto* later = makeArrow(QStringLiteral("›"), tr("The operation after it on its device"));
    connect(earlier, &QToolButton::clicked, this, [this] { m_view.moveSelection(-1); });
    connect(later, &QToolButton::clicked, this, [this] { m_view.moveSelection(1); });
    grid->addWidget(m_badge, 0, 0, 2, 1, Qt::AlignTop);
    grid->addWidget(m_title, 0, 1, 1, 3);
    grid->addWidget(earlier, 2, 2);
    grid->addWidget(later, 2, 3);
    grid->addWidget(m_place, 1, 1, 1, 3);
    grid->addWidget(m_against, 2, 0, 1, 2);
    grid->setColumnStretch(1, 1);
    return grid;
}

QLayout* SpanPane::buildTimes()
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(4);
    const std::array titles { tr("Start"), tr("Duration"), tr("Waited"), tr("Slack"), tr("Reads") };
    const std::array tips { QString(), QString(),
        tr("How long its device stood idle just before it"),
        tr("So much later it could end without anything else starting later"),
        tr("The version of the weights that it reads") };
    grid->addWidget(m_unit, 0, 0);
    for (std::size_t c = 0; c < kColumns; ++c) {
        QLabel* title = makeLabel(titles[c], "caption");
        title->setToolTip(tips[c]);
        title->setAlignment(Qt::AlignRight);
        grid->addWidget(title, 0, static_cast<int>(c) + 1);
    }
    for (std::size_t r = 0; r < m_rows.size(); ++r) {
        m_rows[r].name = makeLabel(QString(), "caption");
        grid->addWidget(m_rows[r].name, static_cast<int>(r) + 1, 0);
        for (std::size_t c = 0; c < kColumns; ++c) {
            m_rows[r].values[c] = makeLabel(QString(), r == 0 ? "title" : "caption");
            m_rows[r].values[c]->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
            grid->addWidget(m_rows[r].values[c], static_cast<int>(r) + 1, static_cast<int>(c) + 1);
        }
    }
    return grid;
}

QLayout* SpanPane::buildWaits()
{
    auto* lines = new QVBoxLayout;
    lines->setSpacing(4);
    lines->addWidget(m_waitsTitle);
    for (ElidedLabel* line : m_waits)
        lines->addWidget(line);
    lines->addStretch(1);
    return lines;
}

QString SpanPane::sideName(TraceSide side) const
{
    if (m_view.isCompared() && side != TraceSide::Run)
        return side == TraceSide::Pinned ? QStringLiteral("A") : QStringLiteral("B");
    return side == TraceSide::Run ? tr("run") : tr("plan");
}

void SpanPane::refresh()
{
    const auto selected = m_view.state().selected();
    setVisible(selected.has_value());
    if (selected)
        show(*selected);
}

void SpanPane::fill(Row& row, SpanRef span)
{
    const TimelineModel& model = m_view.model();
    const SpanFacts facts = factsOf(model, span);
    const bool seconds = model.seconds();
    const Unit unit = unitOf(facts.duration, seconds);
    row.name->setText(sideName(span.side));
    row.values[0]->setText(inUnit(facts.start, unit.factor));
    row.values[1]->setText(inUnit(facts.duration, unit.factor));
    row.values[2]->setText(inUnit(facts.waited, unit.factor));
    row.values[3]->setText(facts.slack ? inUnit(*facts.slack, unit.factor) : QStringLiteral("–"));
    row.values[4]->setText(
        facts.version >= 0 ? QStringLiteral("W%1").arg(facts.version) : QStringLiteral("–"));
    m_unit->setText(unit.name);
}

void SpanPane::show(SpanRef span)
{
    const TimelineModel& model = m_view.model();
    const Span& s = model.span(span);
    m_badge->show(s);
    m_title->setText(nameText(s));
    m_place->setWords(tr("stage %1 · %2 · batch %3")
                          .arg(s.stage)
                          .arg(deviceText(m_view.deviceNames(), s.device))
                          .arg(shownNumber(s.batch)));
    fill(m_rows[0], span);
    std::optional<TimelineModel::Partner> partner;
    for (const TraceSide side : { TraceSide::Plan, TraceSide::Run, TraceSide::Pinned })
        if (!partner)
            partner = model.partner(span, side);
    m_rows[1].name->setVisible(partner.has_value());
    for (QLabel* value : m_rows[1].values)
        value->setVisible(partner.has_value());
    QString against;
    if (partner) {
        fill(m_rows[1], partner->span);
        const Span& other = model.span(partner->span);
        const QString name = sideName(partner->span.side);
        const bool seconds = model.seconds();
        const double later = s.start - other.start;
        const double longer = (s.end - s.start) - (other.end - other.start);
        const bool plans = span.side != TraceSide::Run && partner->span.side != TraceSide::Run;
        if (plans)
            against = std::fabs(later) < 1e-9 * model.extent(true).length()
                ? tr("at the same time as in %1").arg(name)
                : (later < 0 ? tr("%1 earlier than in %2") : tr("%1 later than in %2"))
                      .arg(timeText(std::fabs(later), seconds), name);
        else
            against
                = (longer < 0 ? tr("%1 shorter than in the %2") : tr("%1 longer than in the %2"))
                      .arg(timeText(std::fabs(longer), seconds), name);
        if (!partner->exact)
            m_rows[1].values[0]->setText(QStringLiteral("–")); // of another batch
    }
    m_against->setWords(against);
    const QStringList waits = waitsText(model, span);
    for (std::size_t i = 0; i < m_waits.size(); ++i)
        m_waits[i]->setWords(waits.value(static_cast<qsizetype>(i)));
}

} // namespace stageloom
