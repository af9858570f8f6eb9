// SPDX-License-Identifier: Apache-2.0
#include "engine/client/run_record.h"
#include "core/base/text.h"

#include <sys/utsname.h>
#include <unistd.h>

namespace stageloom {

namespace {

Json environmentOfThisMachine(const std::filesystem::path& engine)
{
    utsname system {};
    ::uname(&system);
    return { { "host", system.nodename },
        { "system", std::string(system.sysname) + " " + system.release },
        { "machine", system.machine }, { "cpus", ::sysconf(_SC_NPROCESSORS_ONLN) },
        { "engine", engine.string() } };
}

} // namespace

NewRun runRecord(const TrainRequest& request, const std::filesystem::path& engine)
{
    const Plan& plan = request.plan;
    NewRun run;
    run.name = printable(request.name.empty() ? plan.name : request.name);
    run.schedule = plan.schedule;
    run.model = plan.modelSource;
    run.planHash = planHash(plan);
    run.plannedSteps = request.steps;
    run.planJson = jsonLine(toJson(plan));
    run.requestJson = jsonLine(toJson(request));
    run.environmentJson = jsonLine(environmentOfThisMachine(engine));
    return run;
}

} // namespace stageloom
