#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the first command with each of the others, in turn, within one run.

usage: paired.py [--rounds N] [--key KEY] [--floor LABEL=RATIO] [--times LABEL=FACTOR] [--best NAME=LABEL,LABEL…]
                 [--copies LABEL=N] [--tolerate CORES] 'label=command' 'label=command' …

Every command prints a JSON object as its last line; KEY (default tokens_per_s) names the figure compared, larger is
better. In every round the first command runs right before each of the others, and the ratio is that of the two
neighbours, so that it holds when the machine's speed drifts. A pair during which other programs took more than CORES
(default 0.2) is run again, up to three times; what could not be had quietly is counted as "noisy".
One JSON line per label: median ratio, its range, the floor (--floor) and whether it was reached. --times multiplies a
label's figure first (2 for "twice one thread"); --copies runs N of a label's command at the same time and adds their
figures up (what the machine gives at most, where cores share caches and memory); --best adds a row against the best of
several labels, round by round.
"""
import argparse
import json
import resource
import shlex
import statistics
import subprocess
import sys
import time

TRIES = 3


def busy_seconds():
    ticks = [int(word) for word in open("/proc/stat").readline().split()[1:]]
    return (sum(ticks[:3]) + sum(ticks[5:8])) / 100.0  # all but idle and waiting for disks


def own_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def finish(process, command, limit):
    out, errors = process.communicate(timeout=limit)
    if process.returncode != 0:
        sys.exit(f"paired: '{command}' failed ({process.returncode}): {errors.strip()[-400:]}")
    return json.loads(out.strip().splitlines()[-1])


def run(command, key, copies=1, limit=900):
    busy, own, begin = busy_seconds(), own_seconds(), time.monotonic()
    running = [subprocess.Popen(shlex.split(command), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
               for _ in range(copies)]
    results = [finish(process, command, limit) for process in running]
    wall = time.monotonic() - begin
    result = results[0]
    for summed in (key, "peak_rss_mib"):
        if all(summed in each for each in results):
            result[summed] = sum(each[summed] for each in results)
    result["foreign"] = max(0.0, (busy_seconds() - busy - (own_seconds() - own)) / wall)
    return result


def pair(first, other, key, label, number, quiet, copies):
    for attempt in range(TRIES):
        results = run(first, key), run(other, key, copies)
        foreign = max(result["foreign"] for result in results)
        print(f"# round {number}: {label} {results[0][key]:.0f} against {results[1][key]:.0f}, others {foreign:.2f} cores",
              file=sys.stderr, flush=True)
        if foreign <= quiet:
            break
    return {"first": results[0], "other": results[1], "foreign": foreign}


def row(label, key, ratios, pairs, floor, quiet):
    out = {"bench": label, "ratio": round(statistics.median(ratios), 3),
           "range": [round(min(ratios), 3), round(max(ratios), 3)],
           key: [round(statistics.median(p[side][key] for p in pairs), 1) for side in ("first", "other")],
           "noisy": sum(p["foreign"] > quiet for p in pairs), "rounds": len(ratios)}
    rss = [[p[side].get("peak_rss_mib") for p in pairs] for side in ("first", "other")]
    if all(rss[0]) and all(rss[1]):
        out["peak_rss_mib"] = [round(max(side), 1) for side in rss]
        out["peak_rss_ratio"] = round(max(rss[0]) / max(rss[1]), 3)
    if floor is not None:
        out.update(floor=floor, reached=out["ratio"] >= floor)
    return out


def pieces(words):
    return dict(word.split("=", 1) for word in words)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tolerate", type=float, default=0.2)
    parser.add_argument("--key", default="tokens_per_s")
    parser.add_argument("--floor", action="append", default=[])
    parser.add_argument("--times", action="append", default=[])
    parser.add_argument("--copies", action="append", default=[])
    parser.add_argument("--best", action="append", default=[])
    parser.add_argument("commands", nargs="+")
    options = parser.parse_args()
    if any("=" not in word for word in options.commands + options.floor + options.times + options.copies + options.best):
        parser.error("commands and the values of --floor, --times, --copies and --best are written NAME=VALUE")
    (first, command), *others = pieces(options.commands).items()
    floors = {label: float(value) for label, value in pieces(options.floor).items()}
    factors = {label: float(value) for label, value in pieces(options.times).items()}
    copies = {label: int(value) for label, value in pieces(options.copies).items()}
    pairs = {label: [] for label, _ in others}
    for number in range(1, options.rounds + 1):
        for label, other in others:
            pairs[label].append(pair(command, other, options.key, label, number, options.tolerate,
                                     copies.get(label, 1)))
    ratios = {label: [p["first"][options.key] / (factors.get(label, 1) * p["other"][options.key]) for p in got]
              for label, got in pairs.items()}
    for label, got in pairs.items():
        print(json.dumps(row(f"{first} over {label}", options.key, ratios[label], got, floors.get(label),
                             options.tolerate)), flush=True)
    for name, labels in pieces(options.best).items():
        rivals = labels.split(",")
        least = min(rivals, key=lambda label: statistics.median(ratios[label]))
        each = [min(ratios[label][i] for label in rivals) for i in range(options.rounds)]
        print(json.dumps({**row(f"{first} over {name}", options.key, each, pairs[least], floors.get(name),
                                options.tolerate),
                          "best": least}), flush=True)
    shares = [p["first"]["non_compute_share"] for got in pairs.values() for p in got if "non_compute_share" in p["first"]]
    if shares:
        print(json.dumps({"bench": f"{first} share of the busiest stage's step that is not compute",
                          "share": round(statistics.median(shares), 4), "runs": len(shares)}), flush=True)


main()
