// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_baseline.h"
#include "ui/runs/run_comparison.h"
#include "ui/runs/run_slots.h"
#include "ui/runs/run_timeline.h"
#include "ui/runs/runs_model.h"
#include "ui/theme/theme.h"

namespace stageloom {

// What the Runs page shows, without a widget: which runs are listed and how, which one others are
// compared with, what was read of the chosen ones, and their colours. Owned by the page.
struct RunsPageState {
    explicit RunsPageState(const std::filesystem::path& store)
        : comparison(store)
        , baseline(store)
        , timeline(store)
        , colours(Theme::kRunColours)
    {
    }
    RunsModel model;
    RunComparison comparison;
    RunBaseline baseline;
    RunTimeline timeline;
    RunSlots colours;
};

} // namespace stageloom
