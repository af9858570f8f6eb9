// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"
#include "engine/nn/below_autograd.h"
#include "engine/nn/stage_module.h"

namespace stageloom::engine {

namespace {

// FNV-1a over the name, then mixed with the seed (splitmix64's finish), so that neighbouring seeds
// share nothing.
std::uint64_t streamOf(std::uint64_t seed, const std::string& name)
{
    std::uint64_t hash = fnv1a(name);
    hash += (seed + 1) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
    return hash ^ (hash >> 31);
}

} // namespace

void initialize(const StageModule& stage, const at::Tensor& flat, std::uint64_t seed)
{
    const BelowAutograd guard;
    flat.zero_();
    const auto views = stage.views(flat);
    for (std::size_t i = 0; i < views.size(); ++i) {
        const auto& spec = stage.slots()[i].spec;
        switch (spec.init) {
        case Init::Zeros:
            break;
        case Init::Ones:
            views[i].fill_(1);
            break;
        case Init::Normal: {
            const auto& owner = spec.tiedTo.empty() ? spec.name : spec.tiedTo;
            at::Tensor(views[i]).normal_(
                0, spec.std, at::detail::createCPUGenerator(streamOf(seed, owner)));
        }
        }
    }
}

} // namespace stageloom::engine
