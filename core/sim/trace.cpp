// SPDX-License-Identifier: Apache-2.0
#include "core/sim/trace.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace stageloom {

int peerStage(const Span& span)
{
    if (!isTransfer(span.kind) || span.cargo == Cargo::Unknown)
        return -1;
    const bool up = (span.kind == ActionKind::Send) == (span.cargo == Cargo::Activation);
    return span.stage + (up ? 1 : -1);
}

const char* cargoWord(Cargo cargo)
{
    return cargo == Cargo::Unknown ? "" : cargo == Cargo::Gradient ? "gradient" : "activation";
}

std::string cargoText(const Span& span)
{
    const int peer = peerStage(span);
    if (peer < 0)
        return {};
    return fmt::format("{} {} stage {}", cargoWord(span.cargo),
        span.kind == ActionKind::Send ? "to" : "from", peer);
}

double Trace::makespan() const
{
    double last = 0;
    for (const Span& span : spans)
        last = std::max(last, span.end);
    return last;
}

int Trace::deviceOf(int lane) const
{
    return lane >= 0 && std::size_t(lane) < planDevices.size() ? planDevices[std::size_t(lane)]
                                                               : lane;
}

bool Trace::consistent() const
{
    constexpr int kMost = int(std::numeric_limits<std::int16_t>::max()) + 1;
    const auto counts = [](int number, int most) { return number >= 0 && number <= most; };
    return counts(stages, kMost) && counts(devices, kMost)
        && counts(microbatches, std::numeric_limits<int>::max())
        && std::all_of(spans.begin(), spans.end(), [&](const Span& span) {
               return span.stage >= 0 && span.stage < stages && span.device >= 0
                   && span.device < devices;
           });
}

} // namespace stageloom
