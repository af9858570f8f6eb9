// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/planner.h"

namespace stageloom::test {

// A model of an embedding, `blocks` blocks and a head, built by hand; sizes are round on purpose.
inline Model handModel(int blocks, bool tied = false)
{
    Model model;
    model.family = "gpt2";
    model.name = "hand";
    model.seq = 16;
    model.layers.push_back({ "embedding", LayerKind::Embedding, 1000, 1000, 0, 100, 50, "", 0 });
    for (int i = 0; i < blocks; ++i)
        model.layers.push_back({ "block " + std::to_string(i), LayerKind::Block, 2000 + 10 * i,
            2000, 6e7 * (1 + i % 3), 100, 700.0 + 30 * (i % 4), "", 0 });
    model.layers.push_back({ "head", LayerKind::Head, tied ? 0 : 900, 900, 9e7, 400, 500,
        tied ? "embedding" : "", tied ? 900 : 0 });
    model.tiedHead = tied;
    return model;
}

// Bytes of a GPU of which a plan may fill `room`.
inline double memoryWithRoom(double room)
{
    return (room + 0.6 * 1024 * 1024 * 1024) / 0.95;
}

// GPUs on which a plan may fill `memory`; 0: their memory is not known.
inline Topology handTopology(int devices, double memory, int perServer = 8)
{
    Topology topology;
    topology.name = topology.title = "hand machine";
    topology.devicesPerServer = perServer;
    for (int i = 0; i < devices; ++i) {
        Device device;
        device.index = i;
        device.server = i / perServer;
        device.flopsFp32 = 1e12;
        device.memoryBandwidth = 1e11;
        if (memory > 0)
            device.memoryBytes = memoryWithRoom(memory);
        topology.devices.push_back(device);
    }
    for (int a = 0; a < devices; ++a)
        for (int b = a + 1; b < devices; ++b) {
            Link link;
            link.a = a;
            link.b = b;
            link.bandwidth = a / perServer == b / perServer ? 1e10 : 1e8;
            link.latency = 1e-6;
            topology.links.push_back(link);
        }
    return topology;
}

inline Json smallGpt2()
{
    return Json { { "model_type", "gpt2" }, { "n_layer", 4 }, { "n_embd", 32 }, { "n_head", 4 },
        { "n_positions", 16 }, { "n_ctx", 16 }, { "vocab_size", 50 },
        { "activation_function", "gelu_new" }, { "layer_norm_epsilon", 1e-5 } };
}

// Two stages of a real config on two CPU workers built by hand. Layers: embedding, 4 blocks, norm,
// head.
inline Plan smallPlan()
{
    Plan plan;
    plan.name = "small";
    plan.modelSource = "small/config.json";
    plan.modelConfig = smallGpt2();
    plan.topologySource = "hand";
    plan.topology = handTopology(2, 0);
    plan.seq = 16;
    plan.microbatchSize = 2;
    plan.microbatches = 4;
    plan.stages = { { 0, 2, { 0 }, false }, { 3, 6, { 1 }, false } };
    return plan;
}

} // namespace stageloom::test
