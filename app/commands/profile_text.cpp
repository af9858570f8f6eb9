// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/profile_text.h"
#include "app/commands/run_print.h"
#include "core/base/units.h"

#include <cstdio>
#include <unistd.h>

namespace stageloom {

namespace {

constexpr auto kTerminalInterval = std::chrono::milliseconds(100);
constexpr double kEarly = 0.05; // before it, an estimate of the rest is a guess

std::vector<std::string> row(
    const std::string& name, double forward, double recompute, double backward, double total)
{
    return { name, formatSeconds(forward), formatSeconds(recompute), formatSeconds(backward),
        formatPercent(total > 0 ? (forward + backward) / total : 0) };
}

} // namespace

std::string profileText(const std::string& model, const Profile& profile)
{
    LayerTime sum;
    for (const LayerTime& layer : profile.layers) {
        sum.forward += layer.forward;
        sum.recompute += layer.recompute;
        sum.backward += layer.backward;
    }
    const double total = sum.forward + sum.backward;
    std::vector<std::vector<std::string>> table { { "LAYER", "FORWARD", "RECOMPUTE", "BACKWARD",
        "SHARE" } };
    for (const LayerTime& layer : profile.layers)
        table.push_back(row(layer.name, layer.forward, layer.recompute, layer.backward, total));
    table.push_back(row("all", sum.forward, sum.recompute, sum.backward, total));
    return fmt::format("{}: microbatches of {} × {} tokens\n{}\n\n", model, profile.microbatchSize,
               groupDigits(profile.seq), profile.device)
        + textTable(table)
        + fmt::format("\nhand-over between stages  {}\noptimizer step            {} a million "
                      "parameters\n",
            formatSeconds(profile.hop), formatSeconds(profile.updatePerParameter * 1e6));
}

std::string profileProgressText(double fraction, double elapsedSeconds)
{
    std::string text = fmt::format("measuring layers: {:.0f} %", fraction * 100);
    if (fraction >= kEarly && fraction < 1)
        text += ", " + formatSeconds(elapsedSeconds / fraction * (1 - fraction)) + " left";
    return text;
}

ProfileProgress::ProfileProgress()
    : m_terminal(::isatty(STDERR_FILENO) == 1)
{
}

void ProfileProgress::show(double fraction)
{
    const auto now = std::chrono::steady_clock::now();
    const int tenths = int(fraction * 10);
    if (m_terminal ? now - m_shown < kTerminalInterval : tenths <= m_shownTenths)
        return;
    m_shown = now;
    m_shownTenths = tenths;
    const double elapsed = std::chrono::duration<double>(now - m_begin).count();
    const std::string text = profileProgressText(fraction, elapsed);
    std::fprintf(stderr, m_terminal ? "\r\x1b[K%s" : "%s\n", text.c_str());
    std::fflush(stderr);
    m_lineOpen = m_terminal;
}

void ProfileProgress::finish()
{
    if (std::exchange(m_lineOpen, false))
        std::fputc('\n', stderr);
}

} // namespace stageloom
