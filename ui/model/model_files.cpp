// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_files.h"

#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include <QDirIterator>
#include <QFileInfo>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

namespace stageloom {

namespace {

constexpr int kMostEntries = 20'000; // of a folder; more is no model's
constexpr qsizetype kListed = 6;

double bytesOfAll(const ModelFiles& files)
{
    double sum = 0;
    for (const auto& file : files.weights)
        sum += file.second;
    return sum;
}

} // namespace

ModelFiles findModelFiles(const QString& source)
{
    ModelFiles found;
    if (source.isEmpty() || source.startsWith(QStringLiteral("preset:")))
        return found;
    const QFileInfo info(source);
    if (!info.exists())
        return found;
    found.folder = info.isDir() ? info.absoluteFilePath() : info.absolutePath();
    QDirIterator entries(found.folder, QDir::Files | QDir::Readable);
    for (int seen = 0; entries.hasNext() && seen < kMostEntries; ++seen) {
        entries.next();
        const QString name = entries.fileName();
        const auto bytes = static_cast<double>(entries.fileInfo().size());
        if (name.endsWith(QStringLiteral(".safetensors"), Qt::CaseInsensitive))
            found.weights.append({ name, bytes });
        // A tokenizer.json says more than the older forms.
        const bool whole = name == QStringLiteral("tokenizer.json");
        const bool other = name == QStringLiteral("tokenizer.model")
            || (name == QStringLiteral("vocab.json") || name == QStringLiteral("vocab.txt"));
        if (whole || (other && found.tokenizer.isEmpty())) {
            found.tokenizer = name;
            found.tokenizerBytes = bytes;
        }
    }
    std::sort(found.weights.begin(), found.weights.end());
    return found;
}

QString weightsText(const ModelFiles& files, const Model& model)
{
    if (files.folder.isEmpty())
        return ModelFilesPanels::tr("None: this model came without a folder. Training starts from "
                                    "random weights.");
    if (files.weights.isEmpty())
        return ModelFilesPanels::tr("Missing: no safetensors file lies beside the config. Training "
                                    "starts from random weights.");
    const double bytes = bytesOfAll(files);
    QString text = ModelFilesPanels::tr(
        "Found: %n safetensors file(s), %1", nullptr, static_cast<int>(files.weights.size()))
                       .arg(bytesText(bytes));
    // Headers and buffers add little to what the parameters take.
    const double each = model.parameters > 0 ? bytes / static_cast<double>(model.parameters) : 0;
    if (each > 3.8 && each < 4.6)
        text += ModelFilesPanels::tr(", as %1 parameters take in 4 bytes each");
    else if (each > 1.9 && each < 2.3)
        text += ModelFilesPanels::tr(", as %1 parameters take in 2 bytes each");
    else
        text += ModelFilesPanels::tr(", which is not what %1 parameters take in 2 or 4 bytes each");
    return text.arg(countText(static_cast<double>(model.parameters))) + u'.';
}

QString tokenizerText(const ModelFiles& files, const Model& model)
{
    if (files.folder.isEmpty())
        return ModelFilesPanels::tr(
            "None: this model came without a folder. Text is read as bytes, "
            "at most 256 of the %1 rows.")
            .arg(QString::fromStdString(groupDigits(model.shape.vocab)));
    if (files.tokenizer.isEmpty())
        return ModelFilesPanels::tr("Missing: no tokenizer.json lies beside the config. Text is "
                                    "read as bytes, at most 256 of the %1 rows.")
            .arg(QString::fromStdString(groupDigits(model.shape.vocab)));
    return ModelFilesPanels::tr("Found: %1, %2, for %3 rows.")
        .arg(files.tokenizer, bytesText(files.tokenizerBytes),
            QString::fromStdString(groupDigits(model.shape.vocab)));
}

ModelFilesPanels::ModelFilesPanels(ModelState& state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_job(this)
    , m_weights(makeLabel(QString(), "caption"))
    , m_shards(makeLabel(QString(), "caption"))
    , m_tokenizer(makeLabel(QString(), "caption"))
{
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(Theme::kGap);
    auto* weights = new Panel(tr("Weights"));
    auto* tokenizer = new Panel(tr("Tokenizer"));
    for (QLabel* label : { m_weights, m_shards, m_tokenizer }) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText); // names of files are not markup
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    weights->body()->addWidget(m_weights);
    weights->body()->addWidget(m_shards);
    tokenizer->body()->addWidget(m_tokenizer);
    rows->addWidget(weights);
    rows->addWidget(tokenizer);
    connect(&state, &ModelState::changed, this, &ModelFilesPanels::look);
    look();
}

void ModelFilesPanels::look()
{
    if (!m_state.model())
        return;
    const QString source = m_state.source();
    if (source == m_source)
        return show(m_files);
    m_source = source;
    m_job.start([source] { return findModelFiles(source); },
        [this](const ModelFiles& files) { show(files); });
}

void ModelFilesPanels::show(const ModelFiles& files)
{
    m_files = files;
    if (!m_state.model())
        return;
    m_weights->setText(weightsText(files, *m_state.model()));
    QStringList lines;
    for (const auto& [name, bytes] : files.weights.mid(0, kListed))
        lines << name + QStringLiteral("  ") + bytesText(bytes);
    if (files.weights.size() > kListed)
        lines << tr("and %n more", nullptr, static_cast<int>(files.weights.size() - kListed));
    m_shards->setText(lines.join(u'\n'));
    m_shards->setVisible(!lines.isEmpty());
    m_tokenizer->setText(tokenizerText(files, *m_state.model()));
}

} // namespace stageloom
