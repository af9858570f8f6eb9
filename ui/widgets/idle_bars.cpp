// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/idle_bars.h"

#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plan_marks.h"
#include <QPainter>
#include <numeric>

namespace stageloom {

namespace {

constexpr int kBar = 20, kLine = 16, kWord = 38; // px
constexpr int kNow = 70, kOther = 62, kChange = 74; // of the columns, from the right
constexpr int kWide = 330; // px, from where there is room for all three
// Spans of a trace that is read in less than a part of a frame.
constexpr std::size_t kAtOnce = 8'000;

double sumOf(const IdleShares& shares)
{
    return std::accumulate(shares.begin(), shares.end(), 0.0);
}

double share(const std::optional<IdleShares>& shares, IdleCause cause)
{
    return shares ? (*shares)[static_cast<std::size_t>(cause)] : 0;
}

} // namespace

IdleReading::IdleReading(QObject* parent)
    : QObject(parent)
    , m_job(this)
{
}

void IdleReading::read(const Predictor::Shared& prediction)
{
    if (prediction == m_wanted)
        return;
    m_wanted = prediction;
    m_shares.reset();
    if (prediction && prediction->trace.spans.size() <= kAtOnce)
        m_shares = idleReport(prediction->trace).shares;
    else if (prediction && !m_job.running())
        start();
}

void IdleReading::start()
{
    m_reading = m_wanted;
    m_job.start([of = m_reading] { return idleReport(of->trace).shares; },
        [this](const IdleShares& shares) {
            if (m_reading == m_wanted) {
                m_shares = shares;
                emit changed();
            } else if (m_wanted && !m_shares) {
                start();
            }
            m_reading.reset();
        });
}

IdleBars::IdleBars(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    setAccessibleName(tr("Idle device time"));
    setToolTip(tr("Where the device time of a steady batch goes that computes nothing. Filling and "
                  "draining count where every batch empties the pipeline."));
}

void IdleBars::show(const std::optional<IdleShares>& now, const std::optional<IdleShares>& other,
    const QString& mark, const QString& otherMark)
{
    const int before = sizeHint().height();
    m_now = now;
    m_other = other;
    m_mark = mark;
    m_otherMark = otherMark;
    setAccessibleDescription(rows().join(QStringLiteral("; ")));
    if (sizeHint().height() != before)
        updateGeometry();
    update();
}

std::vector<IdleBars::Row> IdleBars::table() const
{
    std::vector<Row> rows;
    const auto add = [&](const QString& name, IdleCause hue, std::initializer_list<IdleCause> of) {
        Row row { name, hue };
        for (const IdleCause cause : of) {
            row.now += share(m_now, cause);
            row.other += share(m_other, cause);
        }
        rows.push_back(row);
    };
    add(tr("Fill and drain"), IdleCause::Fill, { IdleCause::Fill, IdleCause::Drain });
    add(tr("Imbalance"), IdleCause::Imbalance, { IdleCause::Imbalance });
    add(tr("Links"), IdleCause::Link, { IdleCause::Link });
    add(tr("Update"), IdleCause::Optimizer, { IdleCause::Optimizer });
    add(tr("Other"), IdleCause::Other, { IdleCause::Other, IdleCause::Data });
    return rows;
}

QStringList IdleBars::rows() const
{
    QStringList lines;
    if (!m_now)
        return lines;
    for (const Row& row : table()) {
        QString line = QStringLiteral("%1 %2").arg(row.name, percentText(row.now));
        if (m_other)
            line += QStringLiteral(" · %1 · %2")
                        .arg(percentText(row.other), pointsText(row.now - row.other));
        lines << line;
    }
    return lines;
}

QSize IdleBars::sizeHint() const
{
    return { 320, minimumSizeHint().height() + 4 + 5 * kLine };
}

QSize IdleBars::minimumSizeHint() const
{
    return { 200, (m_other ? 2 : 1) * kBar };
}

void IdleBars::paintBar(
    QPainter& painter, const IdleShares& shares, const QString& mark, int top, double whole) const
{
    const Theme& look = theme();
    const bool marked = mark.size() <= 2 && !mark.isEmpty();
    if (marked) {
        paintMark(painter, QRectF(0, top + 2, 16, 16), mark);
    } else {
        painter.setFont(look.captionFont());
        painter.setPen(look.muted);
        painter.drawText(QRectF(0, top, kWord, kBar), Qt::AlignVCenter, mark);
    }
    const double left = marked ? 26 : mark.isEmpty() ? 0 : kWord;
    const QRectF bar(left, top + 3, width() - kNow - left, 14);
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.track);
    painter.drawRoundedRect(bar, 2, 2);
    double x = bar.left();
    for (const IdleCause cause : { IdleCause::Fill, IdleCause::Drain, IdleCause::Imbalance,
             IdleCause::Link, IdleCause::Optimizer, IdleCause::Other, IdleCause::Data }) {
        const double wide = shares[static_cast<std::size_t>(cause)] / whole * bar.width();
        painter.setBrush(look.idleColour(cause == IdleCause::Drain ? IdleCause::Fill
                : cause == IdleCause::Data                         ? IdleCause::Other
                                                                   : cause));
        painter.drawRect(QRectF(x, bar.top(), wide, bar.height()));
        x += wide;
    }
    QFont bold = look.valueFont();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(look.text);
    painter.drawText(QRectF(width() - kNow, top, kNow, kBar), Qt::AlignRight | Qt::AlignVCenter,
        percentText(sumOf(shares)));
}

void IdleBars::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& look = theme();
    painter.setFont(look.captionFont());
    if (!m_now) {
        painter.setPen(look.muted);
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignTop, QStringLiteral("–"));
        return;
    }
    constexpr double kLeast = 0.05; // the whole of a bar, so that 1 % does not fill it
    const double whole
        = std::max({ kLeast, sumOf(*m_now) * 1.05, m_other ? sumOf(*m_other) * 1.05 : 0 });
    int y = 0;
    paintBar(painter, *m_now, m_mark, y, whole);
    y += kBar;
    if (m_other) {
        paintBar(painter, *m_other, m_otherMark, y, whole);
        y += kBar;
    }
    if (height() < sizeHint().height())
        return;
    y += 4;
    painter.setFont(look.captionFont());
    // A narrow panel goes without the differences: names are not cut for them.
    const int change = m_other && width() >= kWide ? kChange : 0;
    const int right = m_other ? width() - change - kOther : width();
    for (const Row& row : table()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(look.idleColour(row.cause));
        painter.drawRoundedRect(QRectF(0, y + 4, 9, 9), 2, 2);
        painter.setPen(look.muted);
        painter.drawText(QRect(18, y, right - kNow - 18, kLine), Qt::AlignVCenter, row.name);
        painter.setPen(look.text);
        const auto put = [&](int at, int wide, const QString& text) {
            painter.drawText(
                QRect(at - wide, y, wide, kLine), Qt::AlignRight | Qt::AlignVCenter, text);
        };
        put(right, kNow, percentText(row.now));
        if (m_other) {
            painter.setPen(look.muted);
            put(width() - change, kOther, percentText(row.other));
            if (change > 0) {
                painter.setPen(changeColour(row.now - row.other, true, 0.001));
                put(width(), kChange, pointsText(row.now - row.other));
            }
        }
        y += kLine;
    }
}

} // namespace stageloom
