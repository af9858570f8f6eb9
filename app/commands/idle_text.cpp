// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/idle_text.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/sim/gaps.h"

#include <algorithm>

namespace stageloom {

namespace {

constexpr double kWorthTelling = 5e-4; // of device time; less shows as 0.0 %

std::string durationText(const Trace& trace, double value)
{
    return trace.timeUnit.empty() ? fmt::format("{:.4g}", value) : formatSeconds(value);
}

} // namespace

std::string idleText(const Trace& trace, int indent, int width)
{
    const IdleReport report = idleReport(trace);
    if (trace.stages < 2)
        return {};
    const auto line = [&](const std::string& label, const std::string& value) {
        return fmt::format("{:{}}{:<{}}{}\n", "", indent, label, width, value);
    };
    std::vector<std::string> causes;
    for (std::size_t c = 0; c < kIdleCauses; ++c)
        if (report.shares[c] >= kWorthTelling)
            causes.push_back(
                fmt::format("{} {}", causeName(IdleCause(c)), formatPercent(report.shares[c])));
    if (causes.empty())
        return {};
    std::string text = line("idle", joined(causes, ", ") + " of device time");
    const double batches = std::max(report.batches, 1);
    for (std::size_t d = 0; d < report.devices.size(); ++d) {
        const DeviceTime& device = report.devices[d];
        if (device.waitsFor < 0 || device.waited < kWorthTelling * (report.end - report.begin))
            continue;
        text += line(fmt::format("device {} waits", trace.deviceOf(int(d))),
            fmt::format("{}{}, most for the {} of device {}",
                durationText(trace, device.waited / batches), report.batches > 0 ? " a batch" : "",
                device.waitedKind == ActionKind::Forward ? "activations" : "gradients",
                trace.deviceOf(device.waitsFor)));
    }
    return text;
}

} // namespace stageloom
