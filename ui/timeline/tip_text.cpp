// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/tip_text.h"

#include "ui/theme/theme.h"
#include "ui/timeline/span_text.h"
#include <QCoreApplication>
#include <algorithm>
#include <set>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

QString stagesText(const std::vector<int>& stages)
{
    QStringList numbers;
    for (const int stage : stages)
        numbers << QString::number(stage);
    if (numbers.isEmpty())
        return Words::tr("no operation yet");
    return (numbers.size() == 1 ? Words::tr("stage %1") : Words::tr("stages %1"))
        .arg(numbers.join(QStringLiteral(", ")));
}

QString swatchLine(const QColor& colour, const QString& text)
{
    return QStringLiteral("<tr><td><span style='color:%1'>■</span></td><td>%2</td></tr>")
        .arg(colour.name(), text.toHtmlEscaped());
}

} // namespace

std::vector<int> stagesOn(const TimelineSide& side, int device)
{
    constexpr std::size_t kFirst = 4096;
    const SpanIndex& lane = side.compute(device);
    std::set<int> stages;
    for (std::size_t i = 0; i < std::min(kFirst, lane.size()); ++i)
        stages.insert(side.trace().spans[lane.reference(i)].stage);
    return { stages.begin(), stages.end() };
}

QString labelTip(const TimelineModel& model, const LaneRow& row, const QStringList& names)
{
    switch (row.kind) {
    case RowKind::Compute:
        return deviceText(names, row.device) + QLatin1Char('\n')
            + stagesText(stagesOn(model.side(row.side), row.device));
    case RowKind::Transfer:
        return Words::tr("transfers of %1").arg(deviceText(names, row.device));
    case RowKind::Version:
        return Words::tr("Which version of the weights a batch's forwards read");
    case RowKind::Head:
        return row.side == TraceSide::Pinned ? Words::tr("The plan that was pinned")
                                             : Words::tr("The plan that is being edited");
    case RowKind::Memory:
        return Words::tr("Click to choose the device whose memory is shown; M goes to the next");
    }
    return {};
}

QString legendTip(const TimelineModel& model, TimelineMode mode, const Theme& theme)
{
    QString text = QStringLiteral("<table cellspacing='2'>");
    if (mode == TimelineMode::Difference) { // of a run to its plan, of a plan to the pinned one
        text += swatchLine(theme.longer, Words::tr("took longer than planned"))
            + swatchLine(theme.shorter, Words::tr("took less time than planned"))
            + swatchLine(theme.track, Words::tr("has no planned operation to compare with"));
        return text + QStringLiteral("</table>");
    }
    const TimelineSide& side = model.side(shownSide(model, mode));
    text
        += swatchLine(theme.stageForward(0), Words::tr("forward: pale, in the colour of its stage"))
        + swatchLine(theme.stage(0), Words::tr("backward: in the full colour of its stage"));
    if (side.has(ActionKind::BackwardWeight))
        text += swatchLine(theme.stage(0), Words::tr("weight gradient: hatched in that colour"));
    if (side.has(ActionKind::Recompute))
        text += swatchLine(theme.stageSoft(0), Words::tr("recompute: the forward again"));
    if (side.has(ActionKind::Update))
        text += swatchLine(theme.text, Words::tr("update of the weights"));
    text += QStringLiteral("<tr><td></td><td>%1</td></tr>")
                .arg(Words::tr(
                    "idle: hatched, with a line at the foot in the colour of its cause:"));
    for (std::size_t i = 0; i < kIdleCauses; ++i) {
        const auto cause = static_cast<IdleCause>(i);
        text += swatchLine(theme.idleColour(cause),
            QStringLiteral("%1: %2").arg(idleText(cause), causeText(cause)));
    }
    return text + QStringLiteral("</table>");
}

} // namespace stageloom
