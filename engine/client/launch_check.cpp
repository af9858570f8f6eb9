// SPDX-License-Identifier: Apache-2.0
#include "engine/client/launch_check.h"

#include "core/base/text.h"
#include "core/base/text_files.h"
#include "engine/client/engine_capabilities.h"

#include <algorithm>
#include <thread>

namespace stageloom {

Result<std::vector<std::string>> checkLaunch(const TrainRequest& request)
{
    if (!isUtf8(request.dataPath)) // the request travels as JSON
        return fail(ErrorKind::Unsupported,
            "the text {} has a name that is not UTF-8; rename it, or make a link to it with such a "
            "name",
            request.dataPath);
    const Result<Model> model = planModel(request.plan);
    if (!model)
        return failure(model);
    const Result<EngineCapabilities> engine = askEngine();
    if (!engine)
        return failure(engine);
    const int cores = int(std::max(1u, std::thread::hardware_concurrency()));
    if (const Status possible = checkRequest(request, *model, *engine, cores); !possible)
        return failure(possible);
    const Result<TextFiles> text = findTextFiles(request.dataPath);
    if (!text)
        return failure(text);
    const Status enough
        = checkEnoughText(*text, request.dataPath, request.validationFraction, request.plan.seq);
    if (!enough)
        return failure(enough);
    std::vector<std::string> notes = model->notes;
    for (std::string& note : text->notes())
        notes.push_back(std::move(note));
    return notes;
}

} // namespace stageloom
