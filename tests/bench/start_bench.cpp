// SPDX-License-Identifier: GPL-3.0-or-later
// From the first line of the program to the window's first frame, as a start without anything open.
#include "ui/shell/main_window.h"
#include "ui/theme/theme.h"
#include "window_bench.h"
#include <QApplication>

using namespace stageloom;

namespace {

// Notes the first paint of the window or of anything in it.
class FirstPaint : public QObject {
public:
    bool painted = false;

protected:
    bool eventFilter(QObject* object, QEvent* event) override
    {
        if (event->type() == QEvent::Paint && object->isWidgetType())
            painted = true;
        return false;
    }
};

} // namespace

int main(int argc, char** argv)
{
    const bench::OwnFolder own;
    const bench::Cost began { bench::now(CLOCK_MONOTONIC), bench::now(CLOCK_PROCESS_CPUTIME_ID) };
    const auto sofar = [&began] {
        return bench::Cost { bench::now(CLOCK_MONOTONIC) - began.wall,
            bench::now(CLOCK_PROCESS_CPUTIME_ID) - began.cpu };
    };
    QApplication application(argc, argv);
    applyTheme(application, ThemeMode::Light);
    const bench::Cost themed = sofar();
    Workspace workspace(own.runs());
    MainWindow window(workspace);
    const bench::Cost built = sofar();
    FirstPaint first;
    QApplication::instance()->installEventFilter(&first);
    window.show();
    workspace.runs.refresh();
    workspace.restore();
    while (!first.painted)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QApplication::processEvents(); // the rest of that frame
    const bench::Cost shown = sofar();
    bench::report("start_application_and_theme", themed, 350);
    bench::report("start_window_built", built, 350);
    bench::report("start_first_paint", shown, 350);
    return 0;
}
