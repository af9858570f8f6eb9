// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/cluster/topology.h"

namespace stageloom {

// Reads a topology document; the first fault is kept as a sentence and the rest is skipped.
class TopologyReader {
public:
    explicit TopologyReader(std::string where)
        : m_where(std::move(where))
    {
    }
    Topology read(const Json& document);
    [[nodiscard]] const std::string& error() const { return m_error; }

private:
    Device readDevice(const Json& object, std::size_t index);
    Link readLink(const Json& object, std::size_t index, int devices);
    Nic readNic(const Json& object, std::size_t index);
    // A list under `key`; absent counts as empty.
    const Json& list(const Json& object, const char* key);
    std::optional<double> positive(const Json& object, const char* key, const std::string& place);
    std::optional<int> whole(
        const Json& object, const char* key, const std::string& place, int most);
    std::string text(const Json& object, const char* key, const std::string& place);
    void refuse(const std::string& place, const std::string& what);

    std::string m_where, m_error;
};

} // namespace stageloom
