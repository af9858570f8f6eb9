// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace stageloom::planners {

// The paper's equal-block planner (2bw.md §3.2, §3.3), as an oracle for the real one. Bytes,
// seconds.
struct ClosedForm {
    int blocks = 0, workers = 0, gpusPerServer = 0;
    double batch = 0; // B
    double memory = 0; // M
    double weightBytes = 0; // |W|, of the whole model
    double totalPerSample = 0; // |A_total(b)| / b, of the whole model
    double inputPerSample = 0; // |A_input(b)| / b
    double boundaryPerSample = 0; // |A^{inp+out}(b)| / b
    double depthBandwidth = 0; // between stages
    double widthHigh = 0, widthLow = 0; // between replicas, inside a server and across
    double extra = 4.0 / 3; // c_extra: compute with recompute over compute without
    std::function<double(int b)> blockTime; // forward and backward of one block
    std::vector<int> microbatchSizes; // tried, ascending
};

enum class Execution { NoPipeline, Pipeline, PipelineRecompute };

struct ClosedFormChoice {
    int width = 0, depth = 0, microbatchSize = 0;
    Execution execution = Execution::Pipeline;
    double memory = 0, time = 0, rate = 0; // bytes, seconds, samples/s = w·b/t
};

// One configuration; rate counts all w pipelines (2bw.md §3.2 "Traps").
ClosedFormChoice score(const ClosedForm& form, int width, int depth, int b, Execution execution);
// Best of all w·d = N with d | blocks and b·w·d ≤ B (m ≥ d); of equals the smallest w.
std::optional<ClosedFormChoice> choose(const ClosedForm& form);

// The cost functions of the first public planner (2bw.md §3.4), its faults included: elements count
// as bytes in the all-reduce, and fewer blocks than stages cost nothing.
struct Planner2020 {
    int blocks = 0, workers = 0;
    double memory = 16e9; // bytes
    double blockTime = 0; // s
    double blockParameters = 0, blockActivations = 0, outputActivations = 0; // elements
};
struct Choice2020 {
    int width = 0, depth = 0;
    double cost = 0;
};
double memory2020(const Planner2020& input, int depth);
double cost2020(const Planner2020& input, int width, int depth);
std::optional<Choice2020> choose2020(const Planner2020& input);

} // namespace stageloom::planners
