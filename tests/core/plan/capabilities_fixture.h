// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/trainable.h"

namespace stageloom::test {

// An engine that trains small GPT-2s on CPU workers.
inline EngineCapabilities someEngine()
{
    EngineCapabilities engine;
    engine.version = "1.2.3";
    engine.libtorch = "9.8.7";
    engine.families = { "gpt2" };
    engine.activations = { "gelu", "gelu_new" };
    engine.dtypes = { "fp32" };
    engine.optimizers = { "sgd", "adamw" };
    engine.schedules = { "2bw", "1f1b" };
    engine.compressions = { "none" };
    engine.deviceKinds = { "cpu-worker" };
    engine.maxWidth = 1;
    engine.smallestVocabulary = 40;
    engine.maxActions = 1'000'000;
    engine.evaluates = true;
    return engine;
}

} // namespace stageloom::test
