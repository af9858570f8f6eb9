// SPDX-License-Identifier: GPL-3.0-or-later
// A border between two stages under the hand, in the whole window: from the mouse's event until
// strip, memory, checks, numbers and predicted timeline stand on the screen anew.
#include "core/base/check.h"
#include "ui/plan/checks_panel.h"
#include "ui/plan/stage_strip.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_view.h"
#include "window_bench.h"
#include <QAbstractItemView>
#include <QApplication>
#include <QMouseEvent>
#include <QStandardPaths>
#include <set>

using namespace stageloom;

namespace {

constexpr int kLayers = 96, kBorder = 3;

// A plan under the hand, and what a step of the hand may cost: milliseconds.
struct Case {
    int stages, microbatches, devices;
    double floor;
};

// One server of eight devices, or eight of them; each stage on its share of the devices.
Plan planToDrag(const Case& of)
{
    const Json config { { "model_type", "gpt2" }, { "n_layer", kLayers - 3 }, { "n_embd", 1024 },
        { "n_head", 16 }, { "n_positions", 512 }, { "vocab_size", 50257 },
        { "activation_function", "gelu_new" }, { "layer_norm_epsilon", 1e-5 } };
    auto topology = readTopology(of.devices == 8 ? "dgx1-v100-16g" : "v100-8x8");
    STAGELOOM_CHECK(topology.has_value(), "the bench's topology is refused");
    Plan plan;
    plan.modelConfig = config;
    plan.topology = std::move(*topology);
    plan.seq = 512;
    plan.microbatches = of.microbatches;
    const int each = kLayers / of.stages, width = of.devices / of.stages;
    for (int s = 0; s < of.stages; ++s) {
        std::vector<int> devices;
        for (int replica = 0; replica < width; ++replica)
            devices.push_back(s * width + replica);
        plan.stages.push_back({ s * each, s * each + each - 1, devices, false });
    }
    return plan;
}

// Which of the widgets have been painted since the last start.
class Painted : public QObject {
public:
    explicit Painted(std::set<QWidget*> all)
        : m_all(std::move(all))
    {
        for (QWidget* widget : m_all)
            widget->installEventFilter(this);
    }
    void start() { m_missing = m_all; }
    [[nodiscard]] bool done() const { return m_missing.empty(); }
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Paint)
            m_missing.erase(static_cast<QWidget*>(watched));
        return false;
    }

private:
    std::set<QWidget*> m_all, m_missing;
};

template <typename Widget> Widget* one(QWidget& window)
{
    for (Widget* each : window.findChildren<Widget*>())
        if (each->isVisible())
            return each;
    STAGELOOM_CHECK(false, "a part of the page is not in sight");
    return nullptr;
}

// The mouse goes to what lies under it.
void send(QWidget& window, QEvent::Type type, const QPoint& at, Qt::MouseButtons held)
{
    static QWidget* grabber = nullptr; // the press keeps the mouse
    if (type == QEvent::MouseButtonPress)
        grabber = window.childAt(at);
    const QPoint local = grabber->mapFrom(&window, at);
    QMouseEvent event(type, local, window.mapToGlobal(at),
        type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton, held, {});
    QApplication::sendEvent(grabber, &event);
}

void settle()
{
    for (int i = 0; i < 20; ++i)
        QApplication::processEvents(QEventLoop::AllEvents, 20);
}

void measure(MainWindow& window, Workspace& workspace, const Case& of)
{
    auto* strip = one<StageStrip>(window);
    auto* list = one<ChecksPanel>(window)->findChild<QAbstractItemView*>();
    Painted painted({ strip, one<TimelineView>(window), list->viewport() });
    const auto at = [&](int layer) {
        const StripLayout layout = strip->layoutNow();
        const QPointF place(layout.layerLeft(layer), layout.area.center().y());
        return strip->mapTo(&window, place.toPoint());
    };
    const int first = workspace.document.plan().stages[kBorder + 1].firstLayer;
    STAGELOOM_CHECK(window.childAt(at(first)) == strip, "something lies over the strip");
    send(window, QEvent::MouseButtonPress, at(first), Qt::LeftButton);
    settle();
    int layer = first;
    const bench::Cost cost = bench::p95(200, [&](int i) {
        layer += i % 10 < 5 ? 1 : -1;
        painted.start();
        send(window, QEvent::MouseMove, at(layer), Qt::LeftButton);
        while (!painted.done())
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        QApplication::processEvents(); // numbers that changed
        STAGELOOM_CHECK(
            workspace.document.plan().stages[kBorder + 1].firstLayer == layer, "it did not move");
    });
    send(window, QEvent::MouseButtonRelease, at(layer), Qt::NoButton);
    bench::report(fmt::format("drag_border_{}_stages_{}_microbatches_{}_layers_{}_devices",
                      of.stages, of.microbatches, kLayers, of.devices),
        cost, of.floor);
}

} // namespace

int main(int argc, char** argv)
{
    const bench::OwnFolder own;
    QApplication application(argc, argv);
    applyTheme(application, ThemeMode::Light);
    Workspace workspace(own.runs());
    MainWindow window(workspace);
    window.resize(1440, 900);
    window.show();
    for (const Case& of : { Case { 8, 64, 8, 8 }, Case { 16, 512, 64, 16 } }) {
        workspace.document.adopt(planToDrag(of));
        window.showPage(MainWindow::kPlan);
        while (!workspace.predictor.prediction() || workspace.predictor.isBusy()
            || workspace.predictor.prediction()->schedule.microbatches != of.microbatches)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        settle();
        measure(window, workspace, of);
    }
    return 0;
}
