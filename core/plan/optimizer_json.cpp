// SPDX-License-Identifier: Apache-2.0
#include "core/plan/optimizer_json.h"

#include "core/base/json_fields.h"
#include "core/base/text.h"

namespace stageloom {

namespace {

const std::vector<std::string> kKinds { "sgd", "adam", "adamw" };
const std::vector<std::string> kShapes { "constant", "linear", "cosine" };

// Position of `word`, or -1 with the remedy in `help`.
int choose(const std::string& word, const std::vector<std::string>& words, std::string& help)
{
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] == word)
            return int(i);
    const std::string near = nearest(word, words);
    help = fmt::format("there are {}{}", joined(words, ", "),
        near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
    return -1;
}

} // namespace

Result<OptimizerKind> parseOptimizerKind(const std::string& text)
{
    std::string help;
    const int at = choose(text, kKinds, help);
    if (at < 0)
        return fail(ErrorKind::Invalid, "there is no optimizer '{}': {}", text, help);
    return OptimizerKind(at);
}

std::string toString(OptimizerKind kind)
{
    return kKinds[std::size_t(kind)];
}

std::string toString(RateShape shape)
{
    return kShapes[std::size_t(shape)];
}

Json toJson(const OptimizerSettings& o)
{
    return Json { { "kind", toString(o.kind) }, { "learning_rate", o.learningRate },
        { "momentum", o.momentum }, { "beta1", o.beta1 }, { "beta2", o.beta2 },
        { "epsilon", o.epsilon }, { "weight_decay", o.weightDecay }, { "clip_norm", o.clipNorm },
        { "shape", toString(o.shape) }, { "warmup_steps", o.warmupSteps },
        { "decay_steps", o.decaySteps }, { "final_fraction", o.finalFraction } };
}

void readOptimizer(JsonFields& fields, OptimizerSettings& o)
{
    std::string kind = toString(o.kind), shape = toString(o.shape), help;
    fields.text("kind", kind);
    fields.text("shape", shape);
    if (const int at = choose(kind, kKinds, help); at >= 0)
        o.kind = OptimizerKind(at);
    else
        fields.refuse("kind", help);
    if (const int at = choose(shape, kShapes, help); at >= 0)
        o.shape = RateShape(at);
    else
        fields.refuse("shape", help);
    fields.number("learning_rate", o.learningRate);
    fields.number("momentum", o.momentum);
    fields.number("beta1", o.beta1);
    fields.number("beta2", o.beta2);
    fields.number("epsilon", o.epsilon);
    fields.number("weight_decay", o.weightDecay);
    fields.number("clip_norm", o.clipNorm);
    fields.integer("warmup_steps", o.warmupSteps);
    fields.integer("decay_steps", o.decaySteps);
    fields.number("final_fraction", o.finalFraction);
}

} // namespace stageloom
