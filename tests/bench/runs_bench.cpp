// SPDX-License-Identifier: GPL-3.0-or-later
// A store of 10,000 runs in the Runs page: opening, filtering, and how long loading the curves of
// chosen runs holds up the GUI thread.
#include "core/base/check.h"
#include "core/store/metric_store.h"
#include "ui/runs/runs_page.h"
#include "ui/runs/runs_table.h"
#include "ui/theme/theme.h"
#include "window_bench.h"

#include <QApplication>
#include <QDeadlineTimer>
#include <QLineEdit>
#include <cmath>

using namespace stageloom;

namespace {

constexpr int kRuns = 10'000, kCurves = 20, kPoints = 20'000;

std::string planText(int i)
{
    Json devices = Json::array();
    for (int d = 0; d < 8; ++d)
        devices.push_back(
            { { "index", d }, { "name", "accelerator" }, { "memory_bytes", 24'000'000'000 } });
    Json stages = Json::array();
    for (int s = 0; s < 2 + i % 4; ++s)
        stages.push_back(
            { { "first_layer", 3 * s }, { "last_layer", 3 * s + 2 }, { "devices", { s } } });
    return Json {
        { "name", "plan" }, { "stages", stages }, { "microbatches", 4 << (i % 3) },
        { "microbatch_size", 4 }, { "optimizer", { { "learning_rate", 1e-4 * (1 + i % 9) } } },
        { "topology", { { "document", { { "devices", devices } } } } }
    }.dump();
}

void fill(const std::filesystem::path& file)
{
    Database database = Database::open(file).value();
    RunStore store(database);
    const char* schedules[] = { "2bw", "1f1b", "gpipe" };
    for (int i = 0; i < kRuns; ++i) {
        NewRun run;
        run.name = fmt::format("experiment {} of sweep {}", i, i / 100);
        run.schedule = schedules[i % 3];
        run.model = "preset:gpt2";
        run.plannedSteps = 1000;
        run.planJson = planText(i);
        const RunId id = store.create(run).value();
        RunSummary summary;
        summary.steps = 1000;
        summary.finalLoss = 2 + std::fabs(std::sin(i));
        summary.tokensPerSecond = 4000 + i % 777;
        STAGELOOM_CHECK(store.finish(id, RunState::Finished, summary), "the store is written");
        STAGELOOM_CHECK(store.setTags(id, { i % 2 ? "odd" : "even", "sweep" }), "tags");
        if (i < kRuns - kCurves)
            continue;
        std::vector<MetricPoint> points(kPoints);
        for (int p = 0; p < kPoints; ++p)
            points[static_cast<std::size_t>(p)]
                = { p + 1, 0.1 * p, 3 + std::sin(p * 0.01), NAN, 5000, 1, 1e-3, 1e9, 64.0 * p };
        STAGELOOM_CHECK(MetricStore(database).append(id, points), "metrics");
    }
}

// Handles events until `done`; `block` is the longest time one of them took.
template <typename Done> void waitFor(Done done, bench::Cost* block = nullptr)
{
    QDeadlineTimer limit(60'000);
    while (!done() && !limit.hasExpired()) {
        const bench::Cost turn
            = bench::cost([] { QApplication::processEvents(QEventLoop::AllEvents); });
        if (block)
            *block = bench::worse(*block, turn);
    }
    STAGELOOM_CHECK(done(), "the page comes to rest");
}

bench::Cost measureFilter(RunsPage& page)
{
    auto* filter = page.findChild<QLineEdit*>();
    auto* table = page.findChild<RunsTable*>();
    bench::Cost worst;
    for (const char* text : { "s", "sweep 4", "schedule:2bw", "loss<2.5 tag:odd", "nothing", "" })
        worst = bench::worse(worst, bench::cost([&] {
            filter->setText(QLatin1String(text));
            table->viewport()->repaint();
        }));
    return worst;
}

bench::Cost measureSort(RunsTable& table)
{
    return bench::cost([&] {
        table.sortByColumn(static_cast<int>(RunField::Loss), Qt::AscendingOrder);
        table.viewport()->repaint();
    });
}

void measure(const std::filesystem::path& file)
{
    Workspace workspace(file);
    RunsPage page(workspace);
    page.resize(1360, 820);
    auto* table = page.findChild<RunsTable*>();
    bench::Cost block;
    bench::report("runs_open_10000", bench::cost([&] {
        page.show();
        workspace.runs.refresh();
        waitFor([&] { return table->model()->rowCount() == kRuns && table->isVisible(); }, &block);
        table->viewport()->repaint();
    }),
        500);
    bench::report("runs_open_longest_block", block, 100);
    waitFor([&] { return !page.isBusy(); });
    bench::report("runs_filter_10000", measureFilter(page), 50);
    bench::report("runs_sort_10000", measureSort(*table), 50);
    std::vector<RunId> chosen;
    for (int i = 0; i < kCurves; ++i)
        chosen.push_back(RunId { kRuns - i });
    table->choose(chosen);
    block = {};
    bench::report("runs_20_curves_of_20000_points", bench::cost([&] {
        waitFor([&] { return page.isBusy(); });
        waitFor([&] { return !page.isBusy(); }, &block);
    }),
        1000);
    bench::report("runs_curves_longest_block", block, 100);
}

} // namespace

int main(int argc, char** argv)
{
    const bench::OwnFolder own;
    QApplication application(argc, argv);
    applyTheme(application, ThemeMode::Light);
    const std::filesystem::path file = own.runs();
    fill(file);

    measure(file);
    return 0;
}
