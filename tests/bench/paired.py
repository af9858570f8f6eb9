#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs several commands in turn, R rounds, and prints each one's ratio to the first, round by round.

usage: paired.py ROUNDS KEY 'label=command' 'label=command' …
Every command prints a JSON object as its last line; KEY names the figure compared (larger is better). Taken in turn and
compared within a round, the ratio holds when the machine's speed drifts. One JSON line per label.
"""
import json
import shlex
import statistics
import subprocess
import sys


def run(command, limit=600):
    done = subprocess.run(shlex.split(command), capture_output=True, text=True, timeout=limit)
    if done.returncode != 0:
        sys.exit(f"paired: '{command}' failed ({done.returncode}): {done.stderr.strip()[-400:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def main():
    if len(sys.argv) < 4 or any("=" not in word for word in sys.argv[3:]):
        sys.exit(__doc__)
    rounds, key = int(sys.argv[1]), sys.argv[2]
    commands = [word.split("=", 1) for word in sys.argv[3:]]
    results = {label: [] for label, _ in commands}
    for index in range(rounds):
        for label, command in commands:
            results[label].append(run(command))
            print(f"# round {index + 1} of {rounds}: {label} {results[label][-1][key]:.0f}", file=sys.stderr, flush=True)
    first = commands[0][0]
    for label, _ in commands:
        ratios = [a[key] / b[key] for a, b in zip(results[first], results[label])]
        memory = [r["peak_rss_mib"] for r in results[label] if "peak_rss_mib" in r]
        row = {"bench": label, key: round(statistics.median(r[key] for r in results[label]), 1),
               f"{first}_over_this": round(statistics.median(ratios), 3),
               "range": [round(min(ratios), 3), round(max(ratios), 3)]}
        if memory:
            row["peak_rss_mib"] = round(max(memory), 1)
        print(json.dumps(row), flush=True)


main()
