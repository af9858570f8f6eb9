// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/build_stage.h"

#include "core/base/check.h"
#include "core/base/text.h"
#include "engine/capabilities.h"
#include "engine/nn/gpt2.h"

#include <algorithm>

namespace stageloom::engine {

namespace {

Status checkTrains(const Model& model, int first, int last, at::ScalarType dtype)
{
    if (const Status built = buildable(model, engineCapabilities()); !built)
        return built;
    if (dtype != at::kFloat && dtype != at::kDouble)
        return fail(ErrorKind::Unsupported,
            "Training runs in fp32 or fp64, not in {}; choose fp32.", at::toString(dtype));
    if (first < 0 || last < first || last >= static_cast<int>(model.layers.size()))
        return fail(ErrorKind::Invalid,
            "A stage of layers {} to {} does not fit model '{}', which has {} layers.", first, last,
            model.name, model.layers.size());
    return {};
}

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

const std::vector<TrainedFamily>& trainedFamilies()
{
    static const std::vector<TrainedFamily> kFamilies {
        { "gpt2", makeGpt2Layer },
    };
    return kFamilies;
}

Result<std::unique_ptr<StageModule>> buildStage(
    const Model& model, int firstLayer, int lastLayer, at::ScalarType dtype)
{
    if (auto status = checkTrains(model, firstLayer, lastLayer, dtype); !status)
        return failure(status);
    const std::vector<TrainedFamily>& families = trainedFamilies();
    const auto family = std::find_if(families.begin(), families.end(),
        [&](const TrainedFamily& one) { return one.name == model.family; });
    STAGELOOM_CHECK(family != families.end(), "capabilities name a family that has no layers");
    std::vector<std::unique_ptr<Layer>> layers;
    for (int i = firstLayer; i <= lastLayer; ++i)
        layers.push_back(family->makeLayer(model, i));
    return std::make_unique<StageModule>(std::move(layers));
}

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
