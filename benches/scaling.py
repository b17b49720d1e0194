#!/usr/bin/env python3
"""Measures how commands scale from one core to all, and what Amdahl's law promises on sixteen.

  cargo build --release
  benches/scaling.py GAMES.pgn.zst

Each command runs in turn on one core and on all of them; printed are the medians of wall-clock seconds, the speedup, the
share of the work that is serial, and the speedup that this share permits on 16 cores. The share of an import contains the
wait for the disk. `serve` answers explorer requests of eight clients, which use the same cores. All files are in a
temporary folder.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

from everything import HERE, Bench, Row

CORES = sorted(os.sched_getaffinity(0))
PROMISED = 16
ROWS = [
    Row("import", ["import", "SOURCE", "--quiet"], archive="new"),
    Row("import --index", ["import", "SOURCE", "--quiet", "--index"], archive="new"),
    Row("index", ["index", "--quiet"], archive="plain", changes=[]),
    Row("verify", ["verify"]),
    Row("replay of all games", ["find", "--material", "KRP KR", "--count"], archive="plain"),
    Row("search of all trails", ["find", "--pattern", "*/*/*/*/??[^P]P[^P]*/*/*/*", "--count"]),
]
CLIENTS, REQUESTS = 8, 200


def served(bench, plybook):
    """The seconds for some requests, each for other games."""
    command = [plybook, "serve", "--port", "0", "-a", bench.archives[plybook]["indexed"]]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        words = server.stdout.readline().split()
        address = next(word for word in words if word.startswith("http://")).rstrip("/")

        def ask(number):
            urllib.request.urlopen(f"{address}/explorer?elo={2000 + number}..").read()

        ask(0)
        begin = time.perf_counter()
        with ThreadPoolExecutor(CLIENTS) as clients:
            list(clients.map(ask, range(1, REQUESTS + 1)))
        return time.perf_counter() - begin
    finally:
        server.terminate()
        server.wait()


def on(cores, measured):
    """The result of a measurement on some cores, which the programs that it starts inherit."""
    os.sched_setaffinity(0, cores)
    try:
        return measured()
    finally:
        os.sched_setaffinity(0, CORES)


def shown(name, one, all_):
    speedup = one / all_
    serial = min(1, max(0, (len(CORES) / speedup - 1) / (len(CORES) - 1)))
    promised = 1 / (serial + (1 - serial) / PROMISED)
    return f"{name:24} {one:8.2f} s {all_:8.2f} s {speedup:8.2f} {100 * serial:7.0f} % {promised:8.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=pathlib.Path)
    parser.add_argument("--plybook", type=pathlib.Path, default=HERE.parent / "target/release/plybook")
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    if len(CORES) < 2:
        raise SystemExit("scaling.py: this machine has one core")
    plybook = given.plybook.resolve()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(pathlib.Path(folder), given.games.resolve(), [plybook])
        ways = [(row.name, lambda row=row: bench.run(plybook, row)[0]) for row in ROWS]
        print(f"{'':24} {'one core':>10} {f'{len(CORES)} cores':>10} {'speedup':>8} {'serial':>9} {'on 16':>8}")
        for name, way in [*ways, ("serve", lambda: served(bench, plybook))]:
            pairs = [(on(CORES[:1], way), on(CORES, way)) for _ in range(given.runs)]
            print(shown(name, *(statistics.median(times) for times in zip(*pairs))), flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
