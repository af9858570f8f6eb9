// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline with ten million spans: opening, frames while panning and zooming at every depth,
// the card under the mouse, a click.
#include "ui/theme/theme.h"
#include "ui/timeline/operation_statistics.h"
#include "ui/timeline/timeline_view.h"
#include "window_bench.h"
#include <QApplication>
#include <QImage>
#include <QMouseEvent>
#include <QPainter>

using namespace stageloom;

namespace {

constexpr int kPerBatch = 64; // microbatches

// A pipeline in its steady state: stage s does forward i at slot i + 2s and backward as late as the
// gradient comes; gaps here and there.
Trace synthetic(int spans, int devices)
{
    Trace trace;
    trace.timeUnit = "s";
    trace.devices = trace.stages = devices;
    trace.microbatches = kPerBatch;
    trace.spans.reserve(static_cast<std::size_t>(spans));
    const int each = spans / devices;
    for (int device = 0; device < devices; ++device) {
        double time = device * 0.003;
        for (int i = 0; i < each; ++i) {
            Span s;
            s.kind = i % 2 ? ActionKind::Backward : ActionKind::Forward;
            s.stage = s.device = static_cast<std::int16_t>(device);
            s.microbatch = i / 2;
            s.batch = s.microbatch / kPerBatch;
            s.version = std::max(0, s.batch - 1);
            s.start = time;
            time += i % 2 ? 0.002 : 0.001;
            s.end = time;
            time += i % 17 == 0 ? 0.0005 : 0;
            trace.spans.push_back(s);
        }
    }
    return trace;
}

class Bench {
public:
    Bench() { view.resize(1400, 700); }
    void paint()
    {
        QPainter painter(&image);
        view.paintOn(painter);
    }
    void ready()
    {
        while (view.isLoading())
            QApplication::processEvents(QEventLoop::WaitForMoreEvents, 10);
    }
    void moveTo(const QPointF& at)
    {
        QMouseEvent move(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, {}, {});
        QApplication::sendEvent(&view, &move);
    }
    void click(const QPointF& at)
    {
        for (const auto type : { QEvent::MouseButtonPress, QEvent::MouseButtonRelease }) {
            QMouseEvent event(type, at, view.mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, {});
            QApplication::sendEvent(&view, &event);
        }
    }
    TimelineView view;
    QImage image { 1400, 700, QImage::Format_RGB32 };
};

// Pans by 3 % and zooms by 2 % a frame, painting included.
void frames(Bench& b, const char* what, double floor)
{
    TimelineState& state = b.view.state();
    bench::Cost worst;
    for (const double share : { 1.0, 0.3, 0.1, 1e-2, 1e-3, 2e-5, 1e-6 }) {
        const TimeRange all = state.extent();
        const double begin = all.begin + all.length() * (1 - share) / 2;
        state.setVisible({ begin, begin + all.length() * share });
        const bench::Cost cost = bench::p95(100, [&](int i) {
            state.pan(state.visible().length() * (i % 40 < 20 ? 0.03 : -0.03));
            state.zoom(i % 2 ? 0.98 : 1 / 0.98, state.visible().begin);
            b.paint();
        });
        fmt::print("  {} with {:g} of it in sight: {:.2f} ms, processor {:.2f}\n", what, share,
            cost.wall, cost.cpu);
        worst = bench::worse(worst, cost);
    }
    bench::report(fmt::format("{}_frame", what), worst, floor);
}

void tenMillion()
{
    Bench b;
    Trace trace = synthetic(10'000'000, 8);
    bench::Cost blocked;
    const bench::Cost open = bench::cost([&] {
        blocked = bench::cost([&] { b.view.setPlan(std::move(trace)); });
        b.ready();
        b.paint();
    });
    bench::report("timeline_open_10m_spans", open, 600);
    bench::report("timeline_open_10m_spans_window_blocked", blocked, 100);
    frames(b, "timeline_10m", 16.7);
    bench::Cost hover, click;
    for (const double share : { 1.0, 1e-3, 5e-6 }) {
        const TimeRange all = b.view.state().extent();
        const double begin = all.begin + all.length() * 0.6;
        b.view.state().setVisible({ begin, begin + all.length() * share });
        b.paint();
        hover = bench::worse(hover, bench::p95(100, [&](int i) {
            b.moveTo({ 100 + 12.3 * i, 60.0 + 5 * (i % 80) });
            b.paint();
        }));
        click = bench::worse(click, bench::p95(100, [&](int i) {
            b.click({ 100 + 12.3 * i, 60.0 + 5 * (i % 80) });
            b.paint();
        }));
    }
    bench::report("timeline_10m_hover_card", hover, 50);
    bench::report("timeline_10m_click", click, 50);
    bench::report("timeline_10m_select_all",
        bench::p95(20,
            [&](int) {
                b.view.state().select(std::nullopt);
                b.view.state().select(b.view.state().extent());
                b.paint();
            }),
        50);
    for (const GroupBy by : { GroupBy::Stage, GroupBy::Microbatch })
        bench::report(by == GroupBy::Stage ? "timeline_10m_table_by_stage_in_the_pool"
                                           : "timeline_10m_table_by_microbatch_in_the_pool",
            bench::cost([&] {
                operationStatistics(
                    b.view.model().side(TraceSide::Plan), b.view.state().extent(), by);
            }),
            2000);
    bench::report("timeline_10m_search_F12", bench::cost([&] { b.view.setSearch("F12"); }), 100);
    bench::report(
        "timeline_10m_search_batch", bench::cost([&] { b.view.setSearch("batch 3"); }), 100);
}

void manyDevices()
{
    Bench b;
    b.view.setPlan(synthetic(1'000'000, 64));
    b.ready();
    frames(b, "timeline_1m_64_devices", 16.7);
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    applyTheme(application, ThemeMode::Light);
    tenMillion();
    manyDevices();
    return 0;
}
