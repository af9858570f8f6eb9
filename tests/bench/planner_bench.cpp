// SPDX-License-Identifier: Apache-2.0
// How long a person waits: for the planner over all widths, depths and microbatches, and for the
// prediction that the window makes anew while a border is dragged.
#include "core/plan/planner.h"
#include "tests/bench/bench_support.h"

using namespace stageloom;

namespace {

// Embedding, blocks, norm and head: `layers` in all.
Model gpt(int layers, std::int64_t seq)
{
    const Json config { { "model_type", "gpt2" }, { "n_layer", layers - 3 }, { "n_embd", 1024 },
        { "n_head", 16 }, { "n_positions", seq }, { "vocab_size", 50257 },
        { "activation_function", "gelu_new" }, { "layer_norm_epsilon", 1e-5 } };
    auto model = modelFromConfig(config, "bench", {});
    STAGELOOM_CHECK(model.has_value(), "the bench's model is refused");
    return std::move(*model);
}

Topology eightGpus()
{
    auto topology = readTopology("dgx1-v100-16g");
    STAGELOOM_CHECK(topology.has_value(), "the bench's topology is refused");
    return std::move(*topology);
}

void planner()
{
    PlannerRequest request;
    request.model = gpt(100, 512);
    request.topology = eightGpus();
    request.batchSize = 512;
    std::size_t considered = 0;
    const double seconds = bench::bestSeconds(5, [&] {
        const auto answer = makePlans(request);
        STAGELOOM_CHECK(answer.has_value(), "the bench's model fits nowhere");
        considered = answer->considered;
    });
    bench::report(fmt::format("planner, 100 layers on 8 devices, {} shapes", considered),
        fmt::format("{:.1f} ms", seconds * 1e3), "100 ms");
}

// 35 layers on 64 GPUs: layouts of fewer devices are looked at, too.
void manyDevices()
{
    PlannerRequest request;
    request.model = gpt(35, 512);
    auto servers = readTopology("v100-8x8");
    STAGELOOM_CHECK(servers.has_value(), "the bench's topology is refused");
    request.topology = std::move(*servers);
    request.batchSize = 1024;
    std::size_t considered = 0;
    const double seconds = bench::bestSeconds(3, [&] {
        const auto answer = makePlans(request);
        STAGELOOM_CHECK(answer.has_value(), "the bench's model fits nowhere");
        considered = answer->considered;
    });
    bench::report(fmt::format("planner, 35 layers on 64 devices, {} shapes", considered),
        fmt::format("{:.1f} ms", seconds * 1e3), "300 ms");
}

void prediction()
{
    Plan plan;
    const Model model = gpt(96, 512);
    plan.modelConfig = model.config;
    plan.topology = eightGpus();
    plan.seq = model.seq;
    plan.microbatchSize = 1;
    plan.microbatches = 64;
    for (int s = 0; s < 8; ++s)
        plan.stages.push_back({ s * 12, s * 12 + 11, { s }, false });
    const double seconds = bench::bestSeconds(9, [&] {
        STAGELOOM_CHECK(predict(plan, model, 4).has_value(), "the bench's plan is refused");
    });
    bench::report("prediction, 8 stages, 64 microbatches, 96 layers",
        fmt::format("{:.2f} ms", seconds * 1e3), "10 ms");
}

} // namespace

int main()
{
    bench::keepMemory();
    planner();
    manyDevices();
    prediction();
    return 0;
}
