// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exec_support.h"

// The plain loop that must come to the same bits as the pipeline.
namespace stageloom::engine::test {

// The reference: no schedule, no threads, every version ever made is kept. `version(stage, update)`
// says which one the update's gradient is taken at; `perUpdate` microbatches go into one update.
class PlainLoop {
public:
    PlainLoop(const Case& c, int modules, int perUpdate)
        : m_case(c)
        , m_perUpdate(perUpdate)
        , m_modules(modulesOf(c, modules))
    {
        for (const auto& module : m_modules) {
            m_history.push_back({ at::zeros({ module->flatElements() }, c.dtype) });
            initialize(*module, m_history.back().front(), 7);
            poison(c, *module, m_history.back().front());
            m_gradients.push_back(at::zeros({ module->flatElements() }, c.dtype));
            m_optimizers.push_back(makeOptimizer(settingsOf(c), *module, c.dtype));
        }
    }

    template <typename Version> Trained run(Version version)
    {
        Trained trained;
        std::thread([&] {
            configureComputeThread(1);
            const at::NoGradGuard noGrad;
            const int updates = m_case.batches * m_case.microbatches / m_perUpdate;
            for (int u = 0; u < updates; ++u) {
                const double loss = gradient(u, version);
                trained.losses.push_back(loss);
                trained.norms.push_back(update(u));
            }
        }).join();
        for (std::size_t s = 0; s < m_modules.size(); ++s)
            addWeights(trained.weights, *m_modules[s], m_history[s].back());
        return trained;
    }

private:
    template <typename Version> double gradient(int u, Version version)
    {
        const TokenSource source = sourceOf(m_case);
        double sum = 0;
        for (int k = u * m_perUpdate; k < (u + 1) * m_perUpdate; ++k) {
            std::vector<StageStash> stashes(m_modules.size());
            at::Tensor value;
            for (std::size_t s = 0; s < m_modules.size(); ++s) {
                stashes[s].data = source.make(k);
                stashes[s].data.lossScale = 1.0 / m_perUpdate;
                value = m_modules[s]->forward(weights(s, u, version), value, stashes[s]);
            }
            sum += value.item<double>() / m_perUpdate;
            at::Tensor gradient;
            for (std::size_t s = m_modules.size(); s-- > 0;)
                gradient = m_modules[s]->backward(weights(s, u, version),
                    m_modules[s]->views(m_gradients[s]), gradient, stashes[s]);
        }
        return sum;
    }

    template <typename Version>
    std::vector<at::Tensor> weights(std::size_t s, int u, Version version) const
    {
        return m_modules[s]->views(
            m_history[s][static_cast<std::size_t>(version(static_cast<int>(s), u))]);
    }

    double update(int u)
    {
        sumTied();
        const double norm = globalNorm();
        UpdateInput input;
        input.learningRate
            = learningRateAt(settingsOf(m_case), u * m_perUpdate / m_case.microbatches + 1,
                m_case.plannedSteps ? m_case.plannedSteps : m_case.batches);
        input.gradientScale = m_case.clip > 0 && norm > m_case.clip ? m_case.clip / norm : 1.0;
        if (!std::isfinite(norm)) { // left out: the version before again
            for (std::size_t s = 0; s < m_modules.size(); ++s) {
                m_history[s].push_back(m_history[s].back());
                m_gradients[s].zero_();
            }
            return norm;
        }
        for (std::size_t s = 0; s < m_modules.size(); ++s) {
            at::Tensor next = at::zeros_like(m_history[s].back());
            m_optimizers[s]->step(next, m_history[s].back(), m_gradients[s], input);
            m_history[s].push_back(next);
        }
        return norm;
    }

    void sumTied()
    {
        if (m_modules.size() < 2 || !m_case.tied)
            return;
        at::Tensor owner, copy;
        for (std::size_t s = 0; s < m_modules.size(); ++s) {
            const auto views = m_modules[s]->views(m_gradients[s]);
            for (std::size_t i = 0; i < views.size(); ++i) {
                if (!m_modules[s]->slots()[i].spec.tiedTo.empty())
                    copy = views[i];
            }
        }
        owner = m_modules[0]->views(m_gradients[0])[0];
        ASSERT_EQ(owner.sizes(), copy.sizes());
        owner.add_(copy);
        copy.copy_(owner);
    }

    double globalNorm() const
    {
        double sum = 0;
        for (std::size_t s = 0; s < m_modules.size(); ++s) {
            const auto views = m_modules[s]->views(m_gradients[s]);
            for (std::size_t i = 0; i < views.size(); ++i) {
                if (m_modules.size() == 1 || m_modules[s]->slots()[i].spec.tiedTo.empty())
                    sum += squaredNorm(views[i], 0, views[i].numel());
            }
        }
        return std::sqrt(sum);
    }

    Case m_case;
    int m_perUpdate;
    std::vector<std::unique_ptr<StageModule>> m_modules;
    std::vector<std::vector<at::Tensor>> m_history; // [stage][version], flat
    std::vector<at::Tensor> m_gradients;
    std::vector<std::unique_ptr<Optimizer>> m_optimizers;
};

inline Trained delayedLoop(const Case& c)
{
    return PlainLoop(c, c.tied ? c.depth : 1, c.microbatches).run([](int, int u) {
        return std::max(u - 1, 0);
    });
}
inline Trained accumulationLoop(const Case& c)
{
    return PlainLoop(c, c.tied ? c.depth : 1, c.microbatches).run([](int, int u) { return u; });
}
// Stage s reads the version of as many updates ago as there are stages after it.
inline Trained stashingLoop(const Case& c)
{
    return PlainLoop(c, c.depth, 1).run([&](int s, int u) {
        return std::max(u - (c.depth - 1 - s), 0);
    });
}

} // namespace stageloom::engine::test
