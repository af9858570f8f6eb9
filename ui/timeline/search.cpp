// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/search.h"

#include <QRegularExpression>
#include <algorithm>

namespace stageloom {

namespace {

bool setNumber(SpanQuery& query, const QString& word, int number)
{
    if (QStringLiteral("microbatch").startsWith(word) && word.startsWith(QLatin1String("mi")))
        query.microbatch = number - 1;
    else if (word == QLatin1String("batch"))
        query.batch = number;
    else if (word == QLatin1String("stage"))
        query.stage = number;
    else if (word == QLatin1String("version") || word == QLatin1String("w"))
        query.version = number;
    else if (word == QLatin1String("gpu") || word == QLatin1String("device")
        || word == QLatin1String("worker") || word == QLatin1String("cpu"))
        query.device = number;
    else
        return false;
    return true;
}

std::optional<ActionKind> kindOf(const QString& word)
{
    static const std::pair<const char*, ActionKind> words[] = { { "f", ActionKind::Forward },
        { "forward", ActionKind::Forward }, { "b", ActionKind::Backward },
        { "backward", ActionKind::Backward }, { "i", ActionKind::BackwardInput },
        { "wgrad", ActionKind::BackwardWeight }, { "weightgradient", ActionKind::BackwardWeight },
        { "r", ActionKind::Recompute }, { "recompute", ActionKind::Recompute },
        { "u", ActionKind::Update }, { "update", ActionKind::Update }, { "send", ActionKind::Send },
        { "recv", ActionKind::Recv }, { "allreduce", ActionKind::AllReduce } };
    for (const auto& [name, kind] : words)
        if (word == QLatin1String(name))
            return kind;
    return std::nullopt;
}

} // namespace

bool SpanQuery::matches(const Span& s) const
{
    const auto same
        = [](const std::optional<int>& asked, int value) { return !asked || *asked == value; };
    const bool kindFits = !kind || *kind == s.kind
        || (*kind == ActionKind::Backward && s.kind == ActionKind::BackwardInput);
    return kindFits && (!microbatch || carriesMicrobatch(s.kind)) && same(microbatch, s.microbatch)
        && same(batch, s.batch) && same(stage, s.stage) && same(device, s.device)
        && same(version, s.version);
}

std::optional<SpanQuery> parseQuery(const QString& text)
{
    static const QRegularExpression part(QStringLiteral("\\s*([a-z]+)\\s*(\\d+)?[\\s,]*"));
    SpanQuery query;
    const QString all = text.toLower().trimmed();
    qsizetype at = 0;
    while (at < all.size()) {
        const auto match = part.match(all, at, QRegularExpression::NormalMatch,
            QRegularExpression::AnchorAtOffsetMatchOption);
        if (!match.hasMatch())
            return std::nullopt;
        at = match.capturedEnd();
        const QString word = match.captured(1);
        const bool numbered = match.hasCaptured(2);
        const int number = match.captured(2).toInt();
        if (numbered && setNumber(query, word, number))
            continue;
        query.kind = kindOf(word);
        if (!query.kind)
            return std::nullopt;
        if (numbered) // "B3": the third microbatch; "U 3": batch 3, as the action text writes it
            (carriesMicrobatch(*query.kind) ? query.microbatch : query.batch)
                = carriesMicrobatch(*query.kind) ? number - 1 : number;
    }
    return all.isEmpty() ? std::nullopt : std::optional(query);
}

std::vector<SpanRef> findSpans(
    const TimelineModel& model, TraceSide side, const SpanQuery& query, std::size_t most)
{
    std::vector<SpanRef> hits;
    const auto& spans = model.trace(side).spans;
    for (std::size_t i = 0; i < spans.size() && hits.size() < most; ++i)
        if (query.matches(spans[i]))
            hits.push_back({ side, static_cast<std::uint32_t>(i) });
    std::ranges::stable_sort(hits, {}, [&](const SpanRef& r) { return model.span(r).start; });
    return hits;
}

} // namespace stageloom
