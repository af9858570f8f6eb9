// SPDX-License-Identifier: Apache-2.0
#include "engine/worker/environment.h"

#include "core/base/text.h"
#include "engine/nn/aten.h"
#include <ATen/Version.h>
#include <fstream>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <thread>
#include <torch/csrc/api/include/torch/version.h>
#include <unistd.h>

namespace stageloom::engine {

namespace {
std::string processorName()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("model name"))
            return std::string(trim(std::string_view(line).substr(line.find(':') + 1)));
    }
    return {};
}
}

Json describeEnvironment(int threadsPerStage)
{
    utsname system {};
    uname(&system);
    Json json;
    json["processor"] = processorName();
    json["cores"] = std::thread::hardware_concurrency();
    json["memory_bytes"] = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
    json["system"] = fmt::format("{} {}", system.sysname, system.release);
    json["libtorch"] = TORCH_VERSION;
    json["cpu_capability"] = at::get_cpu_capability();
    json["threads_per_stage"] = threadsPerStage;
    return json;
}

double residentBytes()
{
    std::ifstream file("/proc/self/statm");
    double size = 0, resident = 0;
    file >> size >> resident;
    return resident * double(sysconf(_SC_PAGESIZE));
}

double peakResidentBytes()
{
    rusage usage {};
    getrusage(RUSAGE_SELF, &usage);
    return double(usage.ru_maxrss) * 1024;
}

} // namespace stageloom::engine
