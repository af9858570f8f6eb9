// SPDX-License-Identifier: Apache-2.0
#include "core/plan/document_difference.h"

#include <algorithm>
#include <unordered_map>

namespace stageloom {

bool DocumentDifference::differs() const
{
    return std::any_of(values.begin(), values.end(),
        [this](const std::string& value) { return value != values.front(); });
}

std::vector<DocumentDifference> leaves(const std::vector<Json>& documents)
{
    std::vector<DocumentDifference> found;
    std::unordered_map<std::string, std::size_t> places; // of a path in `found`
    for (std::size_t d = 0; d < documents.size(); ++d) {
        const Json flat = documents[d].flatten();
        for (const auto& [path, value] : flat.items()) {
            const auto [at, isNew] = places.try_emplace(path, found.size());
            if (isNew)
                found.push_back({ path,
                    std::vector<std::string>(documents.size(), DocumentDifference::kAbsent) });
            found[at->second].values[d] = jsonLine(value);
        }
    }
    return found;
}

std::vector<DocumentDifference> differences(const std::vector<Json>& documents)
{
    std::vector<DocumentDifference> found = leaves(documents);
    std::erase_if(found, [](const DocumentDifference& leaf) { return !leaf.differs(); });
    return found;
}

} // namespace stageloom
