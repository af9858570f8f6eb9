// SPDX-License-Identifier: Apache-2.0
// Parameters, FLOPs and bytes of each operator, one sample at a time; costs.cpp adds them up.
//
// FLOPs are those of the matrix products (2 a multiply-add); norms, activations and look-ups move
// bytes rather than compute and count 0. Backward is twice the forward.
//
// The stash is what explicit blocks with a flash attention keep between forward and backward: each
// operator its input, once where several share it. A block keeps, per token: its input (d, also the
// residual), the first norm's output (d), q, k, v (H·h + 2·K·h), the attention's output (H·h), the
// residual after attention (d), the second norm's output (d), and the MLP's hidden values before
// and after the activation (2·f; gated: gate, up and their product, 3·f). In fp32 whatever the
// dtype: the norms' statistics (2 a norm with a mean, 1 for RMS) and the attention's log-sum-exp
// (H). Norms after each sub-layer (BERT) keep the same sizes: the sums before them stand in for the
// norms' outputs. With query and key norms, q and k are kept before and after. The head keeps its
// input and the logits, the embedding the token ids.
#include "core/model/operators.h"
#include "core/model/architecture.h"

namespace stageloom {

namespace {

using Part = Operator::Part;

constexpr double kStatisticBytes = 4; // fp32
constexpr double kTokenIdBytes = 8; // int64

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

class OperatorList {
public:
    OperatorList(const Architecture& a, std::int64_t seq, Dtype dtype)
        : m_a(a)
        , m_s(a.shape)
        , m_seq(double(seq))
        , m_bytes(bytesOf(dtype))
    {
    }
    std::vector<Operator> block()
    {
        switch (m_a.naming) {
        case WeightNaming::Gpt2:
            gpt2Block();
            break;
        case WeightNaming::Llama:
            llamaBlock();
            break;
        case WeightNaming::Bert:
            bertBlock();
            break;
        }
        return std::move(m_made);
    }
    std::vector<Operator> embedding();
    std::vector<Operator> finalNorm()
    {
        norm("final norm", m_a.naming == WeightNaming::Gpt2 ? "ln_f" : "norm", Part::Other,
            m_s.hidden, 1);
        return std::move(m_made);
    }
    std::vector<Operator> head();

private:
    // Values and statistics kept, a token.
    double kept(std::int64_t values, std::int64_t statistics = 0) const
    {
        return m_seq * (double(values) * m_bytes + double(statistics) * kStatisticBytes);
    }
    Operator& add(const char* name, Part part, std::int64_t in, std::int64_t out)
    {
        Operator made;
        made.name = name;
        made.part = part;
        made.inputWidth = in;
        made.outputWidth = out;
        made.outputBytes = kept(out);
        m_made.push_back(std::move(made));
        return m_made.back();
    }
    // A product that keeps its input.
    Operator& linear(const char* name, const char* weight, Part part, std::int64_t in,
        std::int64_t out, bool bias)
    {
        Operator& made = add(name, part, in, out);
        made.weightName = weight;
        // GPT-2's files hold its products transposed, as Conv1D.
        if (m_a.naming == WeightNaming::Gpt2 && part != Part::Other)
            made.weightShape = { in, out };
        else
            made.weightShape = { out, in };
        made.parameters = in * out + (bias ? out : 0);
        made.forwardFlops = 2 * m_seq * double(in) * double(out);
        made.stashBytes = kept(in);
        return made;
    }
    Operator& shareInput(Operator& with, const char* owner)
    {
        with.stashBytes = 0;
        with.stashWith = owner;
        return with;
    }
    // `heads`: it works on that many parts of `width` values, with one weight for all.
    void norm(const char* name, const char* weight, Part part, std::int64_t width, int heads)
    {
        Operator& made = add(name, part, width * heads, width * heads);
        made.weightName = weight;
        made.weightShape = { width };
        made.parameters = width * (m_a.layerNorm ? 2 : 1);
        made.stashBytes = kept(width * heads, (m_a.layerNorm ? 2 : 1) * heads);
    }
    void attention()
    {
        Operator& made = add("attention", Part::Attention, queries() + 2 * keys(), queries());
        // Scores and their product with the values: two products of pairs · H·h each.
        made.forwardFlops = 2 * 2 * attendedPairs(m_a, m_seq) * double(queries());
        made.stashBytes = kept(queries() + 2 * keys(), m_s.heads);
    }
    void activation(const char* name, std::int64_t in, std::int64_t out, Part part)
    {
        add(name, part, in, out).stashBytes = kept(in);
    }
    std::int64_t queries() const { return m_s.heads * m_s.headDim; }
    std::int64_t keys() const { return m_s.kvHeads * m_s.headDim; }
    std::int64_t d() const { return m_s.hidden; }

    void gpt2Block();
    void llamaBlock();
    void bertBlock();
    void vocabulary(const char* name, const char* weight, bool bias);

    const Architecture& m_a;
    const TransformerShape& m_s;
    double m_seq;
    double m_bytes;
    std::vector<Operator> m_made;
};

void OperatorList::gpt2Block()
{
    norm("ln_1", "h.{}.ln_1", Part::Attention, d(), 1);
    linear("attn.c_attn", "h.{}.attn.c_attn", Part::Attention, d(), queries() + 2 * keys(),
        m_a.qkvBias);
    attention();
    linear("attn.c_proj", "h.{}.attn.c_proj", Part::Attention, queries(), d(), m_a.outputBias);
    norm("ln_2", "h.{}.ln_2", Part::Mlp, d(), 1);
    linear("mlp.c_fc", "h.{}.mlp.c_fc", Part::Mlp, d(), m_s.ffn, m_a.mlpBias);
    activation("activation", m_s.ffn, m_s.ffn, Part::Mlp);
    linear("mlp.c_proj", "h.{}.mlp.c_proj", Part::Mlp, m_s.ffn, d(), m_a.mlpBias);
}

void OperatorList::llamaBlock()
{
    const Part part = Part::Attention;
    norm("input norm", "layers.{}.input_layernorm", part, d(), 1);
    linear("q_proj", "layers.{}.self_attn.q_proj", part, d(), queries(), m_a.qkvBias);
    shareInput(
        linear("k_proj", "layers.{}.self_attn.k_proj", part, d(), keys(), m_a.qkvBias), "q_proj");
    shareInput(
        linear("v_proj", "layers.{}.self_attn.v_proj", part, d(), keys(), m_a.qkvBias), "q_proj");
    if (m_a.qkNorm) {
        norm("q_norm", "layers.{}.self_attn.q_norm", part, m_s.headDim, int(m_s.heads));
        norm("k_norm", "layers.{}.self_attn.k_norm", part, m_s.headDim, int(m_s.kvHeads));
    }
    attention();
    linear("o_proj", "layers.{}.self_attn.o_proj", part, queries(), d(), m_a.outputBias);
    norm("post norm", "layers.{}.post_attention_layernorm", Part::Mlp, d(), 1);
    linear("gate_proj", "layers.{}.mlp.gate_proj", Part::Mlp, d(), m_s.ffn, m_a.mlpBias);
    shareInput(linear("up_proj", "layers.{}.mlp.up_proj", Part::Mlp, d(), m_s.ffn, m_a.mlpBias),
        "gate_proj");
    activation("SwiGLU", 2 * m_s.ffn, m_s.ffn, Part::Mlp);
    linear("down_proj", "layers.{}.mlp.down_proj", Part::Mlp, m_s.ffn, d(), m_a.mlpBias);
}

void OperatorList::bertBlock()
{
    const Part part = Part::Attention;
    const std::int64_t q = queries(), k = keys();
    linear("query", "encoder.layer.{}.attention.self.query", part, d(), q, m_a.qkvBias);
    shareInput(
        linear("key", "encoder.layer.{}.attention.self.key", part, d(), k, m_a.qkvBias), "query");
    shareInput(linear("value", "encoder.layer.{}.attention.self.value", part, d(), k, m_a.qkvBias),
        "query");
    attention();
    linear("attention output", "encoder.layer.{}.attention.output.dense", part, q, d(),
        m_a.outputBias);
    norm("attention norm", "encoder.layer.{}.attention.output.LayerNorm", part, d(), 1);
    linear("intermediate", "encoder.layer.{}.intermediate.dense", Part::Mlp, d(), m_s.ffn,
        m_a.mlpBias);
    activation("activation", m_s.ffn, m_s.ffn, Part::Mlp);
    linear("output", "encoder.layer.{}.output.dense", Part::Mlp, m_s.ffn, d(), m_a.mlpBias);
    norm("output norm", "encoder.layer.{}.output.LayerNorm", Part::Mlp, d(), 1);
}

std::vector<Operator> OperatorList::embedding()
{
    const bool gpt2 = m_a.naming == WeightNaming::Gpt2, bert = m_a.naming == WeightNaming::Bert;
    const auto table = [&](const char* name, const char* weight, std::int64_t rows) {
        Operator& made = add(name, Part::Other, 1, d());
        made.weightName = weight;
        made.weightShape = { rows, d() };
        made.parameters = rows * d();
    };
    table("token table",
        gpt2       ? "wte"
            : bert ? "embeddings.word_embeddings"
                   : "embed_tokens",
        m_s.vocab);
    m_made.back().stashBytes = m_seq * kTokenIdBytes;
    if (m_a.positionRows > 0)
        table("position table", bert ? "embeddings.position_embeddings" : "wpe", m_a.positionRows);
    if (m_a.typeRows > 0)
        table("segment table", "embeddings.token_type_embeddings", m_a.typeRows);
    if (m_a.embeddingNorm)
        norm("norm", "embeddings.LayerNorm", Part::Other, d(), 1);
    return std::move(m_made);
}

// The V x d product, which may be the embedding's table.
void OperatorList::vocabulary(const char* name, const char* weight, bool bias)
{
    Operator& made = linear(name, weight, Part::Other, d(), m_s.vocab, bias);
    made.stashBytes = kept(d()) + made.outputBytes;
    made.keepsOutput = true;
    if (!m_s.tiedHead)
        return;
    made.tiedParameters = m_s.vocab * d();
    made.parameters -= made.tiedParameters;
    if (!bias)
        made.weightName.clear();
}

std::vector<Operator> OperatorList::head()
{
    const bool pooled = m_a.head == HeadKind::Pooler || m_a.head == HeadKind::Pretraining;
    const bool masked
        = m_a.head == HeadKind::MaskedLanguageModel || m_a.head == HeadKind::Pretraining;
    if (pooled) { // the first token alone
        Operator& pooler = linear("pooler", "pooler.dense", Part::Other, d(), d(), true);
        pooler.forwardFlops = 2 * double(d()) * double(d());
        pooler.outputBytes = double(d()) * m_bytes;
        pooler.stashBytes = kept(d()) + pooler.outputBytes;
        pooler.keepsOutput = true;
    }
    if (m_a.head == HeadKind::Pretraining) {
        Operator& next = shareInput(
            linear("next sentence", "cls.seq_relationship", Part::Other, d(), 2, true), "pooler");
        next.forwardFlops = 2 * double(d()) * 2;
        next.outputBytes = 2 * m_bytes;
    }
    if (masked) {
        Operator& dense
            = linear("transform", "cls.predictions.transform.dense", Part::Other, d(), d(), true);
        if (pooled)
            shareInput(dense, "pooler");
        activation("activation", d(), d(), Part::Other);
        norm("transform norm", "cls.predictions.transform.LayerNorm", Part::Other, d(), 1);
        vocabulary("decoder", "cls.predictions.decoder", true);
    } else if (!pooled) {
        vocabulary("lm_head", "lm_head", false);
    }
    return std::move(m_made);
}

} // namespace

std::vector<Operator> operatorsOf(
    const Architecture& a, LayerKind kind, std::int64_t seq, Dtype dtype)
{
    OperatorList list(a, seq, dtype);
    switch (kind) {
    case LayerKind::Embedding:
        return list.embedding();
    case LayerKind::Block:
        return list.block();
    case LayerKind::Norm:
        return a.finalNorm ? list.finalNorm() : std::vector<Operator> {};
    case LayerKind::Head:
        break;
    }
    return list.head();
}

Result<std::vector<Operator>> operatorsOf(const Model& model, LayerKind kind)
{
    const FamilyInfo* family = findFamily(model.family);
    if (family == nullptr)
        return fail(ErrorKind::Unsupported, "{}: the operators of the family '{}' are not known",
            model.name, model.family);
    JsonFields fields(model.config, model.name);
    const auto architecture = family->read(fields);
    if (!architecture)
        return failure(architecture);
    return operatorsOf(*architecture, kind, model.seq, model.dtype);
}

} // namespace stageloom
