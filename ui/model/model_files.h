// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/latest_job.h"
#include "ui/state/model_state.h"
#include "ui/widgets/panel.h"

namespace stageloom {

// What lies beside a model's config.json. Names and sizes only: no file is opened, however large or
// broken it is.
struct ModelFiles {
    QString folder; // empty: the model is a preset, or came with a plan
    QList<std::pair<QString, double>> weights; // safetensors files by name; bytes
    QString tokenizer; // "tokenizer.json"; empty: none
    double tokenizerBytes = 0;
};
ModelFiles findModelFiles(const QString& source);
// "Found: …" or what is missing, as sentences.
QString weightsText(const ModelFiles& files, const Model& model);
QString tokenizerText(const ModelFiles& files, const Model& model);

// The weights and the tokenizer of the model shown, each in a sentence.
class ModelFilesPanels : public QWidget {
    Q_OBJECT
public:
    explicit ModelFilesPanels(ModelState& state, QWidget* parent = nullptr);

private:
    void look();
    void show(const ModelFiles& files);

    ModelState& m_state;
    LatestJob<ModelFiles> m_job;
    QString m_source; // that was looked at
    ModelFiles m_files;
    QLabel *m_weights, *m_shards, *m_tokenizer;
};

} // namespace stageloom
