// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/layer_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(stageloom::LayerWords)
};

QString range(const QString& one, const QString& many, int first, int last)
{
    return first == last ? one.arg(first) : many.arg(first).arg(last);
}

} // namespace

QString layerWords(const Model* model, int first, int last)
{
    if (model == nullptr || first < 0 || last >= static_cast<int>(model->layers.size()))
        return range(Words::tr("layer %1"), Words::tr("layers %1–%2"), first, last);
    const auto begin = model->layers.begin();
    const auto is
        = [](LayerKind kind) { return [kind](const Layer& layer) { return layer.kind == kind; }; };
    const auto count = [&](LayerKind kind, int from, int to) {
        return static_cast<int>(std::count_if(begin + from, begin + to, is(kind)));
    };
    const auto has = [&](LayerKind kind) { return count(kind, first, last + 1) > 0; };
    QStringList words;
    if (has(LayerKind::Embedding))
        words << Words::tr("embedding");
    const int blocks = last + 1 - first - count(LayerKind::Embedding, first, last + 1)
        - count(LayerKind::Norm, first, last + 1) - count(LayerKind::Head, first, last + 1);
    const int before = first - count(LayerKind::Embedding, 0, first)
        - count(LayerKind::Norm, 0, first) - count(LayerKind::Head, 0, first);
    if (blocks > 0)
        words << range(
            Words::tr("block %1"), Words::tr("blocks %1–%2"), before, before + blocks - 1);
    if (has(LayerKind::Head))
        words << Words::tr("head");
    else if (has(LayerKind::Norm))
        words << Words::tr("norm");
    return words.join(QStringLiteral(" + "));
}

} // namespace stageloom
