// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/json.h"
#include "core/schedule/registry.h"
#include <filesystem>
#include <string>

// What the engine program does, one file each.
namespace stageloom::engine {

struct TrainPlace {
    std::filesystem::path folder; // request.json, lock, socket
    std::filesystem::path store;
    RunId run;
};

// One training run from its request to its last row. An error is also the run's failure in the
// store.
Status trainRun(const TrainPlace& place);

struct ProfilePlace {
    std::string plan, output;
    int threads = 1; // a stage
};

// Times the plan's layers and writes a profile file. Prints "progress 0.25" lines, for the program
// that started it.
Status profilePlan(const ProfilePlace& place);

// The flags of the peer benchmarks, so that the same command line describes the same work.
struct BenchOptions {
    int layers = 4, dModel = 256, vocab = 256, microbatch = 4, microbatches = 8;
    std::int64_t seq = 128;
    int steps = 12, warmup = 2, stages = 2, threads = 1;
    std::string optimizer = "adam", schedule = kDefaultSchedule;
    bool untied = true, exactGelu = true, recompute = false;
    double clip = 0, learningRate = 0; // 0: 1e-3 for adam, 0.1 for sgd
    std::uint64_t seed = 1234;
};

// Trains a GPT of these sizes on synthetic text with the executor and says how fast that was.
Result<Json> runBench(const BenchOptions& options);

} // namespace stageloom::engine
