// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include <string>
#include <vector>

namespace stageloom {

// One leaf of several documents: "/optimizer/learning_rate" and each document's value as JSON
// text; kAbsent where a document has no such leaf.
struct DocumentDifference {
    static constexpr const char* kAbsent = "–";
    std::string path;
    std::vector<std::string> values;
    // Differs from the first document's, which the others are compared with.
    [[nodiscard]] bool changed(std::size_t document) const
    {
        return values[document] != values.front();
    }
    [[nodiscard]] bool differs() const;
};

// Every leaf of the documents, in the order in which it first appears.
std::vector<DocumentDifference> leaves(const std::vector<Json>& documents);
// Only those in which they differ.
std::vector<DocumentDifference> differences(const std::vector<Json>& documents);

} // namespace stageloom
