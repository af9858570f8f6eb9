// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/prediction.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_state.h"
#include <QStringList>
#include <QWidget>
#include <memory>
#include <utility>
#include <vector>

class QMenu;

namespace stageloom {

// Prediction, measurement, two plans and their differences in one widget: lanes a device,
// transfers, weight versions, memory. TimelineDesk puts an overview and a pane of details to it;
// `shortcuts()` says what keys and mouse do; TimelineTools is the toolbar to it.
class TimelineView : public QWidget {
    Q_OBJECT
public:
    explicit TimelineView(QWidget* parent = nullptr);
    ~TimelineView() override;

    // The prediction and the measurement; an empty trace removes it.
    void setPlan(Trace trace, const TraceFrame& frame = {});
    void setRun(Trace trace, const TraceFrame& frame = {});
    [[nodiscard]] bool isLoading() const; // a large trace is being indexed
    void setMode(TimelineMode mode);
    // A plan that was pinned, to stand over the plan as "A" over "B"; null: none. Turns the mode
    // between Plan and Over. B's head says what setPlanHead() was told.
    void setCompared(std::shared_ptr<const Prediction> pinned, const QString& name);
    [[nodiscard]] bool isCompared() const;
    void setPlanHead(const QString& name, const Prediction& plan);
    // A plan of a few batches stands under the batches in sight of a long run.
    void setPlanInSight(bool on);
    void setDeviceNames(const QStringList& names); // "GPU 0" where none is given
    [[nodiscard]] const QStringList& deviceNames() const;
    void setCapacities(
        const std::vector<double>& bytes); // by device; the limit in the memory curve
    void setMemoryDevice(int device); // -1: the fullest
    [[nodiscard]] int memoryDevice() const; // the one shown
    void fillMemoryMenu(QMenu& menu); // chooses it

    // "microbatch 5", "B3", "F 12", "stage 2", "W1", "batch 4", "GPU 1". Returns the number of
    // hits.
    std::size_t setSearch(const QString& text);
    [[nodiscard]] bool understands(const QString& text) const; // as a search
    void searchNext();
    void searchPrevious();
    void fit(); // all
    // The range selected, else the microbatch followed; all where neither is there or it is what is
    // in sight already.
    void fitSelected();
    void zoomTo(const TimeRange& range); // with a margin
    void showTime(double time); // into sight, at the present zoom

    [[nodiscard]] TimelineState& state();
    [[nodiscard]] const TimelineModel& model() const;
    // The spans under a point; for tests and tooltips.
    [[nodiscard]] std::optional<SpanRef> spanAt(const QPointF& position) const;
    // The same as a table, of what is in sight where nothing is selected: a window beside this one.
    void showRangeTable();
    // What a tip says of a label or the legend under a point; empty elsewhere.
    [[nodiscard]] QString tipAt(const QPointF& position) const;
    // One operation further along its lane: what is selected, and in sight.
    void moveSelection(int by);
    // Where the arrow keys have led, as it is spoken; empty where they have not.
    [[nodiscard]] QString cursorWords() const;
    // Statistics of the range selected as lines for a person; empty without a selection.
    [[nodiscard]] QStringList selectionSummary() const;
    // The whole widget on any painter: PNG, SVG, print.
    void paintOn(QPainter& painter);
    bool savePicture(const QString& path); // PNG, twice as fine as the screen; or .svg
    // The traces shown, for Perfetto and chrome://tracing.
    Status saveTrace(const QString& path) const;
    void fillMenu(QMenu& menu, std::optional<SpanRef> span);
    // Keys and what they do, for the help.
    [[nodiscard]] static std::vector<std::pair<QString, QString>> shortcuts();

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void loadingChanged(bool loading);
    void tracesChanged(); // another trace, another mode
    void searchRequested(const QString& text); // empty: let a person type
    void exportRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    struct Private;
    struct Key;
    [[nodiscard]] static const std::vector<Key>& keys();
    [[nodiscard]] std::optional<TimeRange> selectedExtent() const;
    std::unique_ptr<Private> d;
    void contentChanged();
    void dropPointers();
    void moveCursor(int along, int down);
    void moveAlongFlow(bool forth);
    void showCursor(SpanRef to);
    void showHand(const QPointF& at);
    void stepMemoryDevice(int by);
    void activate(std::optional<SpanRef> span);
    void showHit();
    void putCursor(std::optional<double> time);
    void chooseMemory(const QPoint& at);
    void drag(const QPointF& from);
};

} // namespace stageloom
