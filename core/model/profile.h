// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include <optional>
#include <string>
#include <vector>

namespace stageloom {

// Times of one layer for one microbatch, in seconds (or in the caller's unit where Profile::unit is
// empty).
struct LayerTime {
    std::string name;
    double forward = 0;
    double recompute = 0; // extra forward when recomputing; as a rule = forward
    double backward = 0; // input and weight gradients together
    bool recomputeGiven = false; // the file says it; else it is the forward time
};

// Measured or given layer times. The head is the last layer.
struct Profile {
    std::string unit = "s"; // "s", "ms", "us" as in the file; values here are already seconds
    std::string device; // what it was measured on, for people
    // The kind of device, as a topology's "kind" says it ("cpu-worker", "gpu"), and a GPU's name;
    // empty: not said. Times of one kind are not used for another.
    std::string deviceKind, deviceName;
    std::int64_t microbatchSize = 0; // 0: not said
    std::int64_t seq = 0;
    double hop = 0; // one-way transfer time between stages
    double updatePerParameter = 0; // optimizer step, seconds per parameter
    // The layers do recompute, for what the file gives; false: their recompute times say what it
    // would cost. In a file: true where layers give such times and "recomputes" does not deny it.
    bool recomputes = false;
    std::vector<LayerTime> layers;

    [[nodiscard]] double secondsPerUnit() const; // of `unit`; 1 for the caller's own
};

Result<Profile> readProfile(const std::string& path);
Result<Profile> profileFromJson(const Json& document, const std::string& where);
Json toJson(const Profile& profile);

} // namespace stageloom
