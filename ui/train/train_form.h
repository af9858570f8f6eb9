// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/train_request.h"
#include "ui/widgets/panel.h"

class QComboBox;
class QDoubleSpinBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace stageloom {

// What a run needs beside its plan: data, steps, optimizer. Remembers the data of the last run.
class TrainForm : public Panel {
    Q_OBJECT
public:
    explicit TrainForm(QWidget* parent = nullptr);
    void show(const Plan& plan); // the plan's optimizer into the fields, unless a person set them
    void show(const TrainRequest& request); // every field, to run it again
    [[nodiscard]] QString data() const;
    void setData(const QString& path);
    void setSteps(int steps);
    [[nodiscard]] int steps() const;
    void focusData();
    void keep(); // data and steps, for the next time the window opens
    // What stands above the fields: what Start trains, and what keeps it from that.
    void sayNext(const QString& words, const QString& problem);
    [[nodiscard]] TrainRequest request(const Plan& plan) const;

signals:
    void cpuAsked(); // a plan that the engine here trains
    void stepsChanged();

private:
    void buildDataRow();
    void buildNumberRow();
    void addField(QHBoxLayout& row, const QString& name, QWidget* field, const QString& tip);
    void chooseFile();
    void chooseFolder();
    void showOptimizer(const OptimizerSettings& optimizer);

    QWidget* m_problemRow;
    QLabel* m_problem;
    QLineEdit* m_data;
    QSpinBox *m_steps, *m_warmup, *m_evaluate, *m_seed;
    QDoubleSpinBox* m_rate;
    QComboBox *m_optimizer, *m_shape;
    QLineEdit* m_name;
    TrainRequest m_again; // what the fields do not show of a run that is run again
    OptimizerSettings m_shown; // what the fields were last filled from
    int m_stepsBefore = 0; // the last change of the steps
};

} // namespace stageloom
