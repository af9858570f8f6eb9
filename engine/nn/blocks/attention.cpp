// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/blocks/attention.h"

namespace stageloom::engine {

namespace {

// [rows, width] -> [batch, heads, seq, headDim] as a view; the kernels follow the strides.
at::Tensor perHead(const at::Tensor& x, std::int64_t batch, const AttentionShape& shape)
{
    return x.unflatten(0, { batch, -1 })
        .unflatten(2, { shape.heads, shape.headDim })
        .transpose(1, 2);
}

// Back to rows. The kernels lay their results out as [batch, seq, heads, headDim], so this is a
// view.
at::Tensor perRow(const at::Tensor& x, const AttentionShape& shape)
{
    return x.transpose(1, 2).reshape({ -1, shape.width() });
}

at::Tensor part(
    const at::Tensor& qkv, std::int64_t index, std::int64_t batch, const AttentionShape& shape)
{
    return perHead(qkv.narrow(1, index * shape.width(), shape.width()), batch, shape);
}

} // namespace

AttentionForward attention(const at::Tensor& qkv, std::int64_t batch, const AttentionShape& shape)
{
    auto [output, logSumExp]
        = at::_scaled_dot_product_flash_attention_for_cpu(part(qkv, 0, batch, shape),
            part(qkv, 1, batch, shape), part(qkv, 2, batch, shape), 0.0, true, {}, shape.scale);
    return { perRow(output, shape), std::move(logSumExp) };
}

AttentionBackward attentionBackward(const at::Tensor& gradOutput, const at::Tensor& qkv,
    const AttentionForward& forward, std::int64_t batch, const AttentionShape& shape)
{
    auto [query, key, value] = at::_scaled_dot_product_flash_attention_for_cpu_backward(
        perHead(gradOutput, batch, shape), part(qkv, 0, batch, shape), part(qkv, 1, batch, shape),
        part(qkv, 2, batch, shape), perHead(forward.output, batch, shape), forward.logSumExp, 0.0,
        true, {}, shape.scale);
    return { perRow(query, shape), perRow(key, shape), perRow(value, shape) };
}

} // namespace stageloom::engine
