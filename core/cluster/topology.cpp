// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/topology.h"
#include "core/base/text.h"
#include "core/cluster/preset_parts.h"

#include <algorithm>

namespace stageloom {

namespace {

constexpr std::uintmax_t kMostTopologyBytes = 64u << 20;

} // namespace

const Link* Topology::linkBetween(int a, int b) const
{
    if (a > b)
        std::swap(a, b);
    if (a == b || a < 0)
        return nullptr;
    // Where every pair is there in order, its place is known; a search of 32,000 links is not free.
    const std::size_t n = devices.size(), low = std::size_t(a), high = std::size_t(b);
    const std::size_t place = low * (2 * n - low - 1) / 2 + (high - low - 1);
    if (place < links.size() && links[place].a == a && links[place].b == b)
        return &links[place];
    const auto found = std::find_if(links.begin(), links.end(), [a, b](const Link& link) {
        return (link.a == a && link.b == b) || (link.a == b && link.b == a);
    });
    return found == links.end() ? nullptr : &*found;
}

Result<Topology> readTopology(const std::string& source)
{
    if (auto preset = presetTopology(source))
        return std::move(*preset);
    if (source == "local")
        return localTopology();
    std::error_code error;
    if (std::filesystem::exists(source, error)) {
        const auto document = readJsonFile(source, kMostTopologyBytes);
        if (!document)
            return failure(document);
        return topologyFromJson(*document, source);
    }
    std::vector<std::string> names = topologyPresetNames(), forms = topologyPresets();
    names.push_back("local");
    forms.push_back("local");
    const std::size_t colon = source.find(':');
    std::string guess = nearest(source.substr(0, colon), names);
    if (!guess.empty())
        guess = ", did you mean '" + guess
            + (colon == std::string::npos ? std::string() : source.substr(colon)) + "'";
    return fail(ErrorKind::Io,
        "there is no topology preset or file '{}'{}; presets are {}, and 'stageloom topology show "
        "PRESET --json' prints one as a file to edit",
        source, guess, joined(forms, ", "));
}

} // namespace stageloom
