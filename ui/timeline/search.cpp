// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/search.h"

#include "ui/timeline/numbering.h"
#include <QRegularExpression>
#include <algorithm>
#include <utility>

namespace stageloom {

namespace {

// Lanes whose name says this device: "worker 3" means what a lane calls so, wherever it stands.
std::vector<int> devicesNamed(const QStringList& lanes, const QString& word, int number)
{
    static const QRegularExpression last(QStringLiteral("(\\d+)\\D*$"));
    std::vector<int> devices;
    for (int device = 0; device < lanes.size(); ++device)
        if (const auto match = last.match(lanes[device]); match.hasMatch()
            && match.captured(1).toInt() == number
            && (word == QLatin1String("device")
                || lanes[device].contains(word, Qt::CaseInsensitive)))
            devices.push_back(device);
    return devices;
}

bool setNumber(SpanQuery& query, const QString& word, int number, const QStringList& lanes)
{
    if (QStringLiteral("microbatch").startsWith(word) && word.startsWith(QLatin1String("mi")))
        query.microbatch = indexOfShown(number);
    else if (word == QLatin1String("batch"))
        query.batch = indexOfShown(number);
    else if (word == QLatin1String("stage"))
        query.stage = number;
    else if (word == QLatin1String("version") || word == QLatin1String("w"))
        query.version = number;
    else if (word == QLatin1String("gpu") || word == QLatin1String("device")
        || word == QLatin1String("worker") || word == QLatin1String("cpu"))
        query.devices = devicesNamed(lanes, word, number);
    else
        return false;
    return true;
}

// How many characters from `at` on are a lane's whole name, spaces aside; the longest name counts,
// and every lane of that name.
qsizetype takeName(SpanQuery& query, const QString& text, qsizetype at, const QStringList& lanes)
{
    qsizetype longest = 0;
    for (int device = 0; device < lanes.size(); ++device) {
        QStringList words;
        for (const QString& word : lanes[device].split(QLatin1Char(' '), Qt::SkipEmptyParts))
            words << QRegularExpression::escape(word);
        const QRegularExpression name(
            words.join(QStringLiteral("\\s*")) + QStringLiteral("(?!\\w)[\\s,]*"),
            QRegularExpression::CaseInsensitiveOption);
        const auto match = name.match(text, at, QRegularExpression::NormalMatch,
            QRegularExpression::AnchorAtOffsetMatchOption);
        if (words.isEmpty() || !match.hasMatch() || match.capturedLength() < longest)
            continue;
        if (match.capturedLength() > longest)
            query.devices.emplace();
        longest = match.capturedLength();
        query.devices->push_back(device);
    }
    return longest;
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
        && same(batch, s.batch) && same(stage, s.stage) && same(version, s.version)
        && (!devices || std::ranges::find(*devices, s.device) != devices->end());
}

std::optional<SpanQuery> parseQuery(const QString& text, const QStringList& lanes)
{
    static const QRegularExpression part(QStringLiteral("\\s*([a-z]+)\\s*(\\d+)?[\\s,]*"));
    SpanQuery query;
    const QString all = text.toLower().trimmed();
    qsizetype at = 0;
    while (at < all.size()) {
        // "Stage 2" may be a lane's name too; it means the stage.
        if (!QStringView(all).mid(at).startsWith(QLatin1String("stage")))
            if (const qsizetype taken = takeName(query, all, at, lanes); taken > 0) {
                at += taken;
                continue;
            }
        const auto match = part.match(all, at, QRegularExpression::NormalMatch,
            QRegularExpression::AnchorAtOffsetMatchOption);
        if (!match.hasMatch())
            return std::nullopt;
        at = match.capturedEnd();
        const QString word = match.captured(1);
        const bool numbered = match.hasCaptured(2);
        const int number = match.captured(2).toInt();
        if (numbered && setNumber(query, word, number, lanes))
            continue;
        query.kind = kindOf(word);
        if (!query.kind)
            return std::nullopt;
        if (numbered) // "B3": the third microbatch; "U3": the third batch
            (carriesMicrobatch(*query.kind) ? query.microbatch : query.batch)
                = indexOfShown(number);
    }
    return all.isEmpty() ? std::nullopt : std::optional(query);
}

// Lane by lane; none is read further than the last hit that can still be among the first.
SpanHits findSpans(
    const TimelineModel& model, TraceSide side, const SpanQuery& query, std::size_t most)
{
    const auto& spans = model.trace(side).spans;
    const auto start = [&](const SpanRef& r) { return spans[r.index].start; };
    SpanHits hits;
    const auto search = [&](const SpanIndex& lane) {
        const std::size_t before = hits.spans.size();
        const bool full = before == most;
        const double latest = full && most > 0 ? start(hits.spans.back()) : 0;
        for (std::size_t i = 0; i < lane.size(); ++i) {
            const std::uint32_t at = lane.reference(i);
            if (!query.matches(spans[at]))
                continue;
            if ((full && spans[at].start >= latest) || hits.spans.size() - before == most) {
                hits.cut = true;
                break;
            }
            hits.spans.push_back({ side, at });
        }
        const auto middle = hits.spans.begin() + static_cast<long>(before);
        std::ranges::inplace_merge(hits.spans, middle, {}, start);
        if (hits.spans.size() > most) {
            hits.spans.resize(most);
            hits.cut = true;
        }
    };
    for (int device = 0; device < model.trace(side).devices; ++device) {
        search(model.compute(side, device));
        search(model.transfers(side, device));
    }
    return hits;
}

} // namespace stageloom
