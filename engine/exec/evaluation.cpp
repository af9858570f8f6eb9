// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/evaluation.h"

namespace stageloom::engine {

Evaluation::Evaluation(const ExecutorInput& input, RunSignals& signals)
    : m_input(input)
    , m_signals(signals)
{
    const int stages = input.schedule.stages;
    // An early stage may be ahead by the batches in flight.
    const auto capacity = static_cast<std::size_t>(input.evaluationMicrobatches)
        * static_cast<std::size_t>(stages + 2);
    for (int s = 0; s + 1 < stages; ++s)
        m_borders.push_back(
            std::make_unique<Mailbox>(s, s + 1, capacity, "the activation of the evaluation's"));
}

Result<double> Evaluation::stage(int stage, std::int64_t firstKey)
{
    const auto s = static_cast<std::size_t>(stage);
    const StageParts& parts = m_input.stages[s];
    const auto& weights = parts.versions->weights(parts.versions->newest());
    double loss = 0, samples = 0; // of the last stage
    for (int k = 0; k < m_input.evaluationMicrobatches; ++k) {
        at::Tensor activation;
        if (stage > 0) {
            auto taken = m_borders[s - 1]->take(firstKey + k, m_signals);
            if (!taken)
                return failure(taken);
            activation = std::move(*taken);
        }
        StageStash stash;
        auto data = m_input.evaluationSource->microbatch(k, m_signals);
        if (!data)
            return failure(data);
        stash.data = std::move(*data);
        const auto size = static_cast<double>(stash.data.targets.size(0));
        at::Tensor output = parts.module->forwardDropping(weights, activation, stash);
        m_signals.progressed();
        if (s < m_borders.size())
            m_borders[s]->put(firstKey + k, std::move(output));
        else
            loss += output.item<double>() * size; // the last microbatch may be a smaller one
        samples += size;
    }
    return loss / samples;
}

Result<void> Evaluation::run(
    const std::vector<int>& stages, std::int64_t step, BatchBoard& board, double now)
{
    m_active.fetch_add(1, std::memory_order_relaxed);
    Status status;
    for (int s : stages) {
        const auto loss = stage(s, step * m_input.evaluationMicrobatches);
        if (!loss) {
            status = failure(loss);
            break;
        }
        if (s + 1 == m_input.schedule.stages) {
            const std::int64_t version
                = m_input.stages[static_cast<std::size_t>(s)].versions->newest();
            board.put(EvaluationReport { step, version, *loss, now });
        }
    }
    m_active.fetch_sub(1, std::memory_order_relaxed);
    return status;
}

} // namespace stageloom::engine
