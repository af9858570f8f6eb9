// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/model/layers_model.h"
#include "ui/widgets/panel.h"

namespace stageloom {

class BlockTimes;

// What the chosen layer or operator does: what goes in and out, its weight, what it keeps, and how
// long it took where that was measured.
class OperatorPanel : public Panel {
    Q_OBJECT
public:
    explicit OperatorPanel(const LayersModel& layers, QWidget* parent = nullptr);
    void show(const Model& model, const LayersModel::Place& place);
    void setStages(std::vector<int> stageOf); // by layer, for the bars' hues

private:
    struct Subject { // summed over a layer's parts, or of one
        const Operator *first = nullptr, *last = nullptr;
        std::int64_t parameters = 0;
        double stash = 0;
    };
    [[nodiscard]] QString flowText(const Model& model, const Subject& of) const;
    [[nodiscard]] QString weightText(
        const Model& model, const Subject& of, int count, bool part) const;
    [[nodiscard]] QString keptText(const Subject& of, int count, bool part) const;
    [[nodiscard]] QString measuredText(const LayersModel::Place& place, const Layer& layer) const;

    const LayersModel& m_layers;
    QLabel *m_flow, *m_weight, *m_kept, *m_measured;
    BlockTimes* m_times;
    std::vector<int> m_stages;
};

} // namespace stageloom
