// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/inputs/inputs_fixture.h"
#include "ui/shell/main_window.h"

#include <QtTest/QTest>
#include <optional>

namespace stageloom {

// The window over an empty store, as large as a small screen leaves it.
class ShellTest : public testing::Test {
protected:
    static constexpr int kPages = 5;

    void open(const QSize& size = { 1280, 720 })
    {
        workspace.emplace(files.path(QStringLiteral("runs.sqlite")).toStdString());
        window.emplace(*workspace);
        window->resize(size);
        window->show();
        window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&*window));
        workspace->runs.refresh();
        ASSERT_TRUE(waitFor([this] { return workspace->runs.isLoaded(); }));
    }
    void openPlan(const Plan& plan)
    {
        workspace->document.adopt(plan);
        ASSERT_TRUE(waitFor([this] {
            return workspace->predictor.prediction() != nullptr && !workspace->predictor.isBusy()
                && workspace->model.model().has_value();
        }));
        QCoreApplication::processEvents();
    }
    // One that the engine trains: its text is bytes.
    static Plan workersPlan()
    {
        Plan plan = smallPlan("cpu:2", { { 0, 2, { 0 } }, { 3, 5, { 1 } } });
        plan.modelConfig["vocab_size"] = 256;
        return plan;
    }
    // Six stages of a layer each: the strip and the memory rows of a large plan.
    static Plan manyStagesPlan()
    {
        std::vector<PlanStage> stages;
        for (int s = 0; s < 6; ++s)
            stages.push_back({ s, s, { s } });
        Plan plan = smallPlan("dgx-a100", stages);
        plan.microbatches = 8; // two weight versions need as many as stages
        return plan;
    }
    template <typename Widget> Widget& child() { return *window->findChild<Widget*>(); }

    Files files;
    std::optional<Workspace> workspace;
    std::optional<MainWindow> window;
};

} // namespace stageloom
