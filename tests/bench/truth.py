#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds predictions against measured runs: profile, predict and train a table of plans in turn, and compare.

usage: truth.py [--rounds N] [--seconds S] [--tolerate CORES] [--only TEXT] [--actions] STAGELOOM

Each plan is profiled, predicted from that profile and trained right after it, round after round, so that a drift of the
machine's speed meets both alike; the error of a plan is that of its median round. A round in whose moments before and
after other programs took more than CORES (default 0.2) is run again, up to three times. Prints one line a plan and a JSON object with the
median and the worst error of the steady step time, the rank correlation over the plans, and the worst error of the
process's memory, each with the floor it is to reach.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

TRIES = 3
FLOORS = {"median": 0.05, "worst": 0.10, "rank": 0.97, "memory": 0.05}

# name: hidden size, blocks, tokens a sample
SIZES = {"small": (128, 4, 128), "middle": (256, 4, 128), "large": (512, 6, 128)}
# size, schedule, last layer of stage 0 (embedding, blocks, norm, head), samples a microbatch b, microbatches a batch m
PLANS = [
    ("small", "2bw", 2, 4, 2), ("small", "1f1b", 2, 4, 4), ("small", "gpipe", 2, 4, 8), ("small", "2bw", 1, 8, 4),
    ("middle", "2bw", 2, 4, 4), ("middle", "1f1b", 2, 4, 8), ("middle", "gpipe", 2, 4, 4), ("middle", "2bw", 3, 2, 8),
    ("middle", "1f1b", 1, 8, 2), ("middle", "gpipe", 3, 2, 8),
    ("large", "2bw", 3, 4, 2), ("large", "1f1b", 3, 2, 4), ("large", "gpipe", 3, 4, 4), ("large", "2bw", 2, 2, 4),
]


def busy_seconds():
    ticks = [int(word) for word in open("/proc/stat").readline().split()[1:]]
    return (sum(ticks[:3]) + sum(ticks[5:8])) / 100.0  # all but idle and waiting for disks


# Between runs, when nothing of ours computes: the engine is no child of this program, so that its time cannot be told
# from that of others while it runs.
def foreign_cores(look=0.5):
    busy, begin = busy_seconds(), time.monotonic()
    time.sleep(look)
    return (busy_seconds() - busy) / (time.monotonic() - begin)


def call(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"truth: '{' '.join(map(str, command))}' failed ({done.returncode}): {done.stderr.strip()[-400:]}")
    return done.stdout


def config(size):
    width, blocks, length = SIZES[size]
    return {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 256, "n_positions": length,
            "n_embd": width, "n_layer": blocks, "n_head": max(2, width // 64), "activation_function": "gelu_new"}


class Plan:
    def __init__(self, program, folder, row):
        self.program, self.folder = program, folder
        self.size, self.schedule, self.cut, self.b, self.m = row
        self.name = f"{self.size} {self.schedule} {self.cut + 1}+{SIZES[self.size][1] + 2 - self.cut} layers, b {self.b}, m {self.m}"
        self.errors, self.rounds = [], []
        self.model = os.path.join(folder, f"{self.size}.config.json")
        json.dump(config(self.size), open(self.model, "w"))

    def file(self, kind):
        return os.path.join(self.folder, f"{self.size}-{self.schedule}-{self.cut}-{self.b}-{self.m}.{kind}")

    # A plan of the wanted cut, with the times just measured.
    def write(self):
        length = SIZES[self.size][2]
        call(self.program, "profile", "--model", self.model, "--seq", length, "--microbatch-size", self.b, "--stages", 2,
             "-o", self.file("profile.json"))
        call(self.program, "plan", "--model", self.model, "--seq", length, "--topology", "cpu:2",
             "--batch-size", self.b * self.m, "--schedule", self.schedule, "--profile", self.file("profile.json"),
             "-o", self.file("plan.json"))
        plan = json.load(open(self.file("plan.json")))
        last = SIZES[self.size][1] + 2
        plan.update(microbatch_size=self.b, microbatches=self.m, stages=[
            {"first_layer": 0, "last_layer": self.cut, "devices": [0], "recompute": False},
            {"first_layer": self.cut + 1, "last_layer": last, "devices": [1], "recompute": False}])
        json.dump(plan, open(self.file("plan.json"), "w"))

    def predict(self):
        return json.loads(call(self.program, "simulate", self.file("plan.json"), "--batches", 12, "--json"))

    def train(self, data, steps):
        lines = call(self.program, "--store", self.file("sqlite"), "train", self.file("plan.json"), "--data", data,
                     "--steps", steps, "--json").splitlines()
        end = json.loads(lines[-1])
        call(self.program, "--store", self.file("sqlite"), "runs", "export", end["run"], "--json", self.file("run.json"))
        shown = json.loads(call(self.program, "--store", self.file("sqlite"), "runs", "show", end["run"], "--json"))
        return end, json.load(open(self.file("run.json")))["trace"], shown["prediction"]["process_memory_bytes"]

    def round(self, data, seconds):
        foreign = foreign_cores()
        self.write()
        predicted = self.predict()
        steps = max(12, round(seconds / predicted["period_per_batch"]))
        end, run, memory = self.train(data, steps)
        foreign = max(foreign, foreign_cores())
        return {"foreign": foreign, "predicted": predicted, "end": end, "run": run, "memory": memory}


def median_length(spans, kind, stage):
    lengths = [span["end"] - span["start"] for span in spans
               if span["kind"] == kind and span["stage"] == stage and span["batch"] >= 2]
    return statistics.median(lengths) if lengths else 0.0


def actions(plan, got):
    for stage in (0, 1):
        for kind in "FBU":
            before = median_length(got["predicted"]["spans"], kind, stage)
            after = median_length(got["run"]["spans"], kind, stage)
            if before:
                print(f"    stage {stage} {kind}: {before * 1e3:8.3f} ms predicted, {after * 1e3:8.3f} measured, "
                      f"{(before / after - 1) * 100 if after else 0:+6.1f} %")


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    place = [0.0] * len(values)
    for rank, index in enumerate(order):
        place[index] = rank
    return place


def rank_correlation(a, b):
    return statistics.correlation(ranks(a), ranks(b)) if len(a) > 2 else 1.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4, help="of training, a plan and round")
    parser.add_argument("--tolerate", type=float, default=0.2)
    parser.add_argument("--only", default="", help="plans whose name contains this")
    parser.add_argument("--actions", action="store_true", help="also each stage's actions, of the last round")
    parser.add_argument("program")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "text.txt")
        with open(data, "w") as text:
            for line in range(20000):
                text.write(f"{line * 7919 % 10007} the pipeline waits for the slowest stage of {line % 97}.\n")
        plans = [plan for plan in (Plan(options.program, folder, row) for row in PLANS) if options.only in plan.name]
        for number in range(options.rounds):
            for plan in plans:
                for _ in range(TRIES):
                    got = plan.round(data, options.seconds)
                    if got["foreign"] <= options.tolerate:
                        break
                plan.rounds.append(got)
                print(f"# round {number + 1}: {plan.name}: {got['predicted']['period_per_batch'] * 1e3:.1f} ms predicted, "
                      f"{got['run']['period_per_batch'] * 1e3:.1f} measured, others {got['foreign']:.2f} cores",
                      file=sys.stderr, flush=True)
        report(plans, options)


def report(plans, options):
    predicted, measured, errors, memory = [], [], [], []
    for plan in plans:
        def error(got):
            return got["predicted"]["period_per_batch"] / got["run"]["period_per_batch"] - 1
        middle = sorted(plan.rounds, key=error)[len(plan.rounds) // 2]
        predicted.append(middle["predicted"]["period_per_batch"])
        measured.append(middle["run"]["period_per_batch"])
        errors.append(error(middle))
        own, rss = middle["memory"]["predicted"], middle["memory"]["measured"]
        memory.append(own / rss - 1)
        print(f"{plan.name:40} {predicted[-1] * 1e3:9.2f} ms predicted {measured[-1] * 1e3:9.2f} measured {errors[-1] * 100:+6.1f} %"
              + f"   {own / 1e6:7.1f} MB predicted {rss / 1e6:7.1f} measured {memory[-1] * 100:+6.1f} %", flush=True)
        if options.actions:
            actions(plan, plan.rounds[-1])
    sizes = [abs(error) for error in errors]
    result = {"bench": "truth", "plans": len(plans), "rounds": options.rounds, "median": round(statistics.median(sizes), 4),
              "worst": round(max(sizes), 4), "rank": round(rank_correlation(predicted, measured), 4),
              "memory": round(max(map(abs, memory)), 4), "floors": FLOORS}
    result["reached"] = (result["median"] <= FLOORS["median"] and result["worst"] <= FLOORS["worst"]
                         and result["rank"] >= FLOORS["rank"] and result["memory"] <= FLOORS["memory"])
    print(json.dumps(result))


main()
