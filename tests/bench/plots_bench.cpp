// SPDX-License-Identifier: GPL-3.0-or-later
// A hundred curves of a hundred thousand points: the first paint, smoothing, frames while panning.
#include "ui/plots/curve_plot.h"
#include "ui/theme/theme.h"
#include "window_bench.h"
#include <QApplication>
#include <cmath>

using namespace stageloom;

namespace {

std::vector<Curve> curves()
{
    std::vector<Curve> all(100);
    for (std::size_t c = 0; c < all.size(); ++c) {
        all[c].name = QString::number(c);
        all[c].colour = theme().run(static_cast<int>(c));
        all[c].dash = Theme::runDash(static_cast<int>(c));
        for (int i = 0; i < 100'000; ++i) {
            all[c].steps.push_back(i);
            all[c].tokens.push_back(2048.0 * i);
            all[c].values.push_back(
                5 * std::exp(-i / 3e4) + 0.2 * std::sin(i * 12.9898 + static_cast<double>(c)));
        }
    }
    return all;
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    applyTheme(application, ThemeMode::Light);
    for (const double smoothing : { 0.0, 0.98 }) {
        std::vector<Curve> all = curves();
        CurvePlot plot;
        plot.resize(900, 400);
        plot.setSmoothing(smoothing);
        const bench::Cost first = bench::cost([&] {
            plot.setCurves(std::move(all));
            plot.grab();
        });
        bench::report(
            fmt::format("plots_100_curves_of_100k_first_paint{}", smoothing > 0 ? "_smoothed" : ""),
            first, 300);
        bench::report(fmt::format("plots_100_curves_frame{}", smoothing > 0 ? "_smoothed" : ""),
            bench::p95(20,
                [&](int i) {
                    plot.setRange(1000.0 * i, 60'000 + 1000.0 * i);
                    plot.grab();
                }),
            100);
        if (smoothing > 0)
            bench::report("plots_100_curves_change_smoothing", bench::cost([&] {
                plot.setSmoothing(0.9);
                plot.grab();
            }),
                300);
    }
    return 0;
}
