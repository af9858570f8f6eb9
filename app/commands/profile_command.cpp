// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/command.h"
#include "app/commands/interrupts.h"
#include "app/commands/numbers.h"
#include "app/commands/output_files.h"
#include "app/commands/profile_text.h"
#include "core/base/files.h"
#include "core/plan/optimizer_json.h"
#include "engine/client/profile_client.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <unistd.h>

namespace stageloom {

namespace fs = std::filesystem;

namespace {

struct ProfileOptions {
    std::string model, device = "local", optimizer = "adamw", output;
    std::int64_t seq = 0;
    int microbatchSize = 1, stages = 0;
    bool json = false;
};

Status checkDevice(const std::string& device)
{
    if (device == "local" || device == "cpu")
        return {};
    if (device.starts_with("cuda") || device.starts_with("gpu"))
        return fail(ErrorKind::Unsupported,
            "--device is '{}', but this version times layers on the CPU only and has no CUDA back "
            "end (build option STAGELOOM_CUDA); leave --device out",
            device);
    return fail(
        ErrorKind::Invalid, "--device is '{}', but layers are timed on 'local' only", device);
}

// A minute of measuring is not to end at a place that cannot be written.
Status checkOutput(const std::string& output)
{
    if (output.empty())
        return {};
    std::error_code error;
    const fs::path path(output), folder = fs::absolute(path, error).parent_path();
    if (fs::is_directory(path, error))
        return fail(ErrorKind::Io, "--output {} is a folder; name a file in it", output);
    if (!fs::is_directory(folder, error))
        return fail(ErrorKind::Io, "there is no folder {} to write the profile into (--output)",
            folder.string());
    if (::access(folder.c_str(), W_OK) != 0)
        return fail(ErrorKind::Io, "the folder {} cannot be written (--output)", folder.string());
    return {};
}

// The engine measures for a plan: how many stages work side by side, and on what sizes.
Result<Plan> planToMeasure(const ProfileOptions& options)
{
    Result<Model> model = readModel(options.model, { options.seq, Dtype::Fp32 });
    if (!model)
        return failure(model);
    const Result<Topology> local = readTopology("local");
    if (!local)
        return failure(local);
    const auto workers = std::count_if(local->devices.begin(), local->devices.end(),
        [](const Device& device) { return device.kind == DeviceKind::CpuWorker; });
    const int layers = int(model->layers.size());
    const int wanted = options.stages > 0 ? options.stages : std::max(1, int(workers));
    if (options.stages > layers)
        return fail(ErrorKind::Infeasible, "{} has {} layers, too few for {} stages (--stages)",
            options.model, layers, options.stages);
    const int depth = std::min(wanted, layers);
    Result<Topology> topology = readTopology(fmt::format("cpu:{}", depth));
    if (!topology)
        return failure(topology);
    const Result<OptimizerKind> kind = parseOptimizerKind(options.optimizer);
    if (!kind)
        return failure(kind);
    Plan plan;
    plan.name = model->name;
    plan.modelSource = options.model;
    plan.modelConfig = std::move(model->config);
    plan.topologySource = topology->name;
    plan.topology = std::move(*topology);
    plan.seq = model->seq;
    plan.microbatchSize = options.microbatchSize;
    plan.microbatches = depth;
    plan.optimizer.kind = *kind;
    for (int s = 0; s < depth; ++s)
        plan.stages.push_back({ s * layers / depth, (s + 1) * layers / depth - 1, { s }, false });
    return plan;
}

Status runProfile(const ProfileOptions& options, const CommandContext& context)
{
    if (const Status device = checkDevice(options.device); !device)
        return device;
    if (const Status output = checkOutput(options.output); !output)
        return output;
    const fs::path model(options.model);
    if (const Status output = checkOutputs({ { "--output", options.output } },
            { { "the model", model }, { "the model", model / "config.json" } }, context);
        !output)
        return output;
    const Result<Plan> plan = planToMeasure(options);
    if (!plan)
        return failure(plan);
    const InterruptCounter interrupts;
    ProfileProgress progress;
    const Result<Profile> profile = profileModel(*plan, [&](double fraction) {
        progress.show(fraction);
        return interrupts.count() == 0;
    });
    progress.finish();
    if (!profile)
        return failure(profile);
    const std::string document = dumpJson(toJson(*profile));
    if (!options.output.empty()) {
        if (const Status written = writeFileAtomically(options.output, document); !written)
            return written;
        std::fprintf(stderr,
            "wrote the layer times to %s; `plan` and `simulate` read them with "
            "--profile\n",
            options.output.c_str());
    }
    std::fputs((options.json ? document : profileText(plan->name, *profile)).c_str(), stdout);
    return {};
}

} // namespace

void addProfileCommand(CLI::App& parent, CommandContext& context, CommandBody& chosen)
{
    CLI::App* command = parent.add_subcommand(
        "profile", "Time each layer of a model on this machine, with the functions that train it.");
    const auto options = std::make_shared<ProfileOptions>();
    command->add_option("--model", options->model, "config.json, its folder, or a preset")
        ->type_name("MODEL")
        ->required();
    command->add_option("--device", options->device, "Where: local, this machine's CPU")
        ->type_name("DEVICE")
        ->capture_default_str();
    addNumber(
        *command, "--seq", options->seq, "Tokens a sample (default: the model's maximum)", { 1 });
    addNumber(*command, "--microbatch-size", options->microbatchSize,
        "Samples a microbatch (default 1); plans of other sizes scale the times", { 1, 1 << 20 });
    addNumber(*command, "--stages", options->stages,
        "Stages that work side by side and share the memory's bandwidth (default: one a core)",
        { 1, 256 });
    command->add_option("--optimizer", options->optimizer, "sgd, adam or adamw")
        ->type_name("OPTIMIZER")
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "Write the profile to this file")
        ->type_name("FILE");
    command->add_flag("--json", options->json, "Print the profile as one JSON document");
    command->footer(
        "Ctrl-C ends the measurement; nothing is written then.\n"
        "Examples:\n"
        "  stageloom profile --model preset:demo-gpt\n"
        "  stageloom profile --model gpt2 --seq 256 --microbatch-size 4 -o gpt2.profile.json\n"
        "  stageloom simulate --profile gpt2.profile.json --devices 2 --microbatches 8\n"
        "  stageloom plan --model gpt2 --seq 256 --topology cpu:2 --batch-size 16 "
        "--profile gpt2.profile.json");
    command->callback([options, &context, &chosen] {
        chosen = [options, &context] { return runProfile(*options, context); };
    });
}

} // namespace stageloom
