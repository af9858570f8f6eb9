// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_progress.h"
#include "app/commands/command.h"
#include "core/base/json.h"
#include "core/base/units.h"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace stageloom {

namespace {

constexpr auto kPlainInterval = std::chrono::milliseconds(500);
constexpr auto kTerminalInterval = std::chrono::milliseconds(50);

} // namespace

std::string progressText(const MetricPoint& point, std::int64_t plannedSteps)
{
    std::string text = fmt::format("step {}/{}  loss {:.4f}  {}", point.step, plannedSteps,
        point.loss, formatRate(point.tokensPerSecond, "tokens"));
    if (point.step > 0 && point.step < plannedSteps && point.time > 0) // at the mean pace so far
        text += "  "
            + formatSeconds(point.time / double(point.step) * double(plannedSteps - point.step))
            + " left";
    return text;
}

std::string stepLine(const MetricPoint& point)
{
    const Json object { { "step", point.step }, { "loss", point.loss },
        { "tokens_per_second", point.tokensPerSecond }, { "grad_norm", point.gradNorm } };
    return jsonLine(object) + "\n";
}

std::string validationLine(std::int64_t step, double loss)
{
    return Json { { "step", step }, { "validation_loss", loss } }.dump() + "\n";
}

RunProgress::RunProgress(bool json, std::int64_t plannedSteps)
    : m_json(json)
    , m_terminal(::isatty(STDERR_FILENO) == 1)
    , m_plannedSteps(plannedSteps)
{
}

void RunProgress::show(const MetricPoint& point)
{
    if (m_json) {
        printText(stepLine(point));
        std::fflush(stdout);
        return;
    }
    const auto now = std::chrono::steady_clock::now();
    const bool last = point.step >= m_plannedSteps;
    if (!last && now - m_shown < (m_terminal ? kTerminalInterval : kPlainInterval))
        return;
    m_shown = now;
    const std::string text = progressText(point, m_plannedSteps);
    if (m_terminal) {
        std::fprintf(stderr, "\r\x1b[K%s", text.c_str());
        m_lineOpen = true;
    } else {
        std::fprintf(stderr, "%s\n", text.c_str());
    }
    std::fflush(stderr);
}

void RunProgress::showValidation(std::int64_t step, double loss)
{
    if (!m_json)
        return note(fmt::format("step {}/{}  validation loss {:.4f}", step, m_plannedSteps, loss));
    printText(validationLine(step, loss));
    std::fflush(stdout);
}

void RunProgress::note(const std::string& text)
{
    finish();
    std::fprintf(stderr, "%s\n", text.c_str());
}

void RunProgress::finish()
{
    if (std::exchange(m_lineOpen, false))
        std::fputc('\n', stderr);
}

} // namespace stageloom
