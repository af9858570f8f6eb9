// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stageloom {

// One thing that doctor looked at. `remedy` is empty where nothing is to be done.
struct DoctorCheck {
    std::string name;
    bool ok = false;
    bool required = false; // missing: nothing trains
    std::string found;
    std::string remedy;
};

std::vector<DoctorCheck> runDoctorChecks(const std::filesystem::path& store);

} // namespace stageloom
