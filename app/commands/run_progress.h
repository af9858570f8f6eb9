// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/metric_store.h"
#include <chrono>
#include <cstdint>
#include <string>

namespace stageloom {

// Shows a run's steps: JSON lines on stdout; otherwise, on stderr, one line that is written over on
// a terminal, and plain lines, not more than two a second, elsewhere.
class RunProgress {
public:
    RunProgress(bool json, std::int64_t plannedSteps);
    void show(const MetricPoint& point);
    void showValidation(std::int64_t step, double loss);
    void note(const std::string& text); // a line of its own on stderr
    void finish(); // leaves the terminal's cursor at the start of a line

private:
    bool m_json, m_terminal;
    std::int64_t m_plannedSteps;
    bool m_lineOpen = false;
    std::chrono::steady_clock::time_point m_shown {};
};

// "step 12/100  loss 3.214  8,300 tokens/s  1 min 02 s left"
std::string progressText(const MetricPoint& point, std::int64_t plannedSteps);
// The object a step of `train --json` (contract.md), one line.
std::string stepLine(const MetricPoint& point);
// The object of an evaluation, behind its step's.
std::string validationLine(std::int64_t step, double loss);

} // namespace stageloom
