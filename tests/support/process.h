// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stageloom::test {

struct Finished {
    int exitCode = -1; // 128 + signal where one ended it; 124 after the time limit
    std::string out, err;
};

// Runs a program to its end with both streams captured; killed after `limitSeconds`.
Finished runProcess(const std::vector<std::string>& command, int limitSeconds = 30);

// A folder of its own for one test, gone afterwards.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    // Writes a file inside and returns its path.
    [[nodiscard]] std::string write(const std::string& name, const std::string& content) const;

private:
    std::filesystem::path m_path;
};

} // namespace stageloom::test
