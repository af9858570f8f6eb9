// SPDX-License-Identifier: Apache-2.0
// Parameters, FLOPs and bytes of each layer, one sample at a time.
//
// FLOPs are those of the matrix products (2 a multiply-add); norms, activations and look-ups move
// bytes rather than compute and count 0. Backward is twice the forward.
//
// stash_bytes is what explicit blocks with a flash attention keep between forward and backward. A
// block keeps, per token: its input (d, also the residual), the first norm's output (d), q, k, v
// (H·h + 2·K·h), the attention's output (H·h), the residual after attention (d), the second norm's
// output (d), and the MLP's hidden values before and after the activation (2·f; gated: gate, up and
// their product, 3·f). In fp32 whatever the dtype: the norms' statistics (2 a norm with a mean, 1
// for RMS) and the attention's log-sum-exp (H). Norms after each sub-layer (BERT) keep the same
// sizes: the sums before them stand in for the norms' outputs. With query and key norms, q and k
// are kept before and after. The head keeps its input and the logits, the embedding the token ids.
#include "core/model/architecture.h"

namespace stageloom {

namespace {

constexpr double kStatisticBytes = 4; // fp32
constexpr double kTokenIdBytes = 8; // int64

std::int64_t normParameters(const Architecture& a)
{
    return a.shape.hidden * (a.layerNorm ? 2 : 1);
}
int statisticsOfANorm(const Architecture& a)
{
    return a.layerNorm ? 2 : 1;
}

std::int64_t blockParameters(const Architecture& a)
{
    const TransformerShape& s = a.shape;
    const std::int64_t queries = s.heads * s.headDim, keys = s.kvHeads * s.headDim;
    const std::int64_t intoMlp = a.gatedMlp ? 2 : 1;
    std::int64_t count = s.hidden * (queries + 2 * keys) + queries * s.hidden;
    count += (intoMlp + 1) * s.hidden * s.ffn + 2 * normParameters(a);
    count += a.qkvBias ? queries + 2 * keys : 0;
    count += a.outputBias ? s.hidden : 0;
    count += a.mlpBias ? intoMlp * s.ffn + s.hidden : 0;
    count += a.qkNorm ? 2 * s.headDim : 0;
    return count;
}

// Query-key pairs that attention computes. Causal counts half of the square (the diagonal, half a
// row's worth, is left out as is usual); a window w < seq sees w keys, but for the first w queries.
double attendedPairs(const Architecture& a, double seq)
{
    const double window = double(a.slidingWindow);
    if (!a.shape.causal)
        return seq * seq;
    if (window > 0 && window < seq)
        return seq * window - window * window / 2;
    return seq * seq / 2;
}

double blockFlops(const Architecture& a, double seq)
{
    const TransformerShape& s = a.shape;
    const double queries = double(s.heads * s.headDim), keys = double(s.kvHeads * s.headDim);
    const double attentionMatrices = double(s.hidden) * (2 * queries + 2 * keys);
    const double mlpMatrices = (a.gatedMlp ? 3 : 2) * double(s.hidden) * double(s.ffn);
    // Scores and their product with the values: two products of pairs · H·h each.
    return 2 * seq * (attentionMatrices + mlpMatrices) + 2 * 2 * attendedPairs(a, seq) * queries;
}

double blockStash(const Architecture& a, double seq, double bytes)
{
    const TransformerShape& s = a.shape;
    const double queries = double(s.heads * s.headDim), keys = double(s.kvHeads * s.headDim);
    double values = 4 * double(s.hidden) + 2 * queries + 2 * keys;
    double statistics = 2.0 * statisticsOfANorm(a) + double(s.heads);
    values += (a.gatedMlp ? 3 : 2) * double(s.ffn);
    if (a.qkNorm) {
        values += queries + keys;
        statistics += double(s.heads + s.kvHeads);
    }
    return seq * (values * bytes + statistics * kStatisticBytes);
}

struct HeadCost {
    std::int64_t own = 0, matrix = 0;
    double flops = 0, output = 0, stash = 0;
};

// `own` leaves out the V x d matrix, which may be the embedding's.
HeadCost headCost(const Architecture& a, double seq, double bytes)
{
    const std::int64_t d = a.shape.hidden, v = a.shape.vocab;
    const double perToken = double(d), logits = double(v);
    HeadCost cost;
    if (a.head == HeadKind::Pooler || a.head == HeadKind::Pretraining) {
        cost.own += d * d + d;
        cost.flops += 2 * perToken * perToken; // the first token alone
        cost.output += perToken * bytes;
        cost.stash += perToken * bytes;
    }
    if (a.head == HeadKind::Pretraining) {
        cost.own += 2 * d + 2;
        cost.flops += 2 * perToken * 2;
    }
    if (a.head == HeadKind::MaskedLanguageModel || a.head == HeadKind::Pretraining) {
        cost.own += d * d + d + 2 * d + v;
        cost.flops += 2 * seq * perToken * perToken;
        // Before and after the activation, after the norm, and the norm's statistics.
        cost.stash += seq * (3 * perToken * bytes + 2 * kStatisticBytes);
    }
    if (a.head != HeadKind::Pooler) {
        cost.matrix = v * d;
        cost.flops += 2 * seq * perToken * logits;
        cost.output = seq * logits * bytes;
        cost.stash += seq * logits * bytes;
    }
    cost.stash += seq * perToken * bytes; // the input
    return cost;
}

Layer layerOf(LayerKind kind, std::int64_t parameters, double flops, double stashBytes)
{
    Layer layer;
    layer.name = toString(kind);
    layer.kind = kind;
    layer.parameters = parameters;
    layer.forwardFlops = flops;
    layer.stashBytes = stashBytes;
    return layer;
}

Layer embeddingLayer(const Architecture& a, double seq, double bytes)
{
    std::int64_t parameters = (a.shape.vocab + a.positionRows + a.typeRows) * a.shape.hidden;
    double stash = seq * kTokenIdBytes;
    if (a.embeddingNorm) {
        parameters += normParameters(a);
        stash += seq * (double(a.shape.hidden) * bytes + statisticsOfANorm(a) * kStatisticBytes);
    }
    return layerOf(LayerKind::Embedding, parameters, 0, stash);
}

Layer headLayer(const Architecture& a, double seq, double bytes)
{
    const HeadCost cost = headCost(a, seq, bytes);
    Layer layer = layerOf(LayerKind::Head, cost.own, cost.flops, cost.stash);
    layer.outputBytes = cost.output;
    if (a.shape.tiedHead) {
        layer.tiedTo = "embedding";
        layer.tiedParameters = cost.matrix;
    } else {
        layer.parameters += cost.matrix;
    }
    return layer;
}

} // namespace

std::vector<Layer> layersOf(const Architecture& a, std::int64_t seq, Dtype dtype)
{
    const double tokens = double(seq), bytes = bytesOf(dtype);
    const double activation = tokens * double(a.shape.hidden) * bytes;
    std::vector<Layer> layers { embeddingLayer(a, tokens, bytes) };
    Layer block = layerOf(
        LayerKind::Block, blockParameters(a), blockFlops(a, tokens), blockStash(a, tokens, bytes));
    for (std::int64_t i = 0; i < a.shape.layers; ++i) {
        block.name = fmt::format("block {}", i);
        layers.push_back(block);
    }
    if (a.finalNorm)
        layers.push_back(layerOf(LayerKind::Norm, normParameters(a), 0,
            activation + tokens * statisticsOfANorm(a) * kStatisticBytes));
    for (Layer& layer : layers)
        layer.outputBytes = activation;
    layers.push_back(headLayer(a, tokens, bytes));
    for (Layer& layer : layers)
        layer.activeParameters = layer.parameters; // no family here routes tokens to experts
    return layers;
}

} // namespace stageloom
