#!/usr/bin/env python3
"""Measures what plybook promises to be fast at, as whole commands, and compares it with the last release.

  cargo build --release
  benches/everything.py GAMES.pgn.zst                      all rows but those of large collections
  benches/everything.py GAMES.pgn.zst --rows start,import  some rows
  benches/everything.py GAMES.pgn.zst --baseline OLD       both programs in turn, and the ratios of pairs
  benches/everything.py GAMES.pgn.zst --generated 1000000  also with this many generated games
  benches/everything.py GAMES.pgn.zst --save               keeps the runs of each program in benches/runs

Each row is one command that runs several times. Printed are the medians of wall-clock and CPU seconds and of the peak
memory, and two ratios, of wall-clock and CPU time: of the medians to a saved run, benches/runs/0.2.0.json, or with
--baseline the medians of pairs. Ratios to a saved run mean something only on the processor that it names. All files are
in a temporary folder. --save writes next.json, and for a baseline the file of its version, 0.2.0.json.
"""

import argparse
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
SAVED = HERE / "runs" / "0.2.0.json"
PAWN = "/".join(["??[^P]?[^P]*"] * 4 + ["??[^P]P[^P]*"] + ["??[^P]?[^P]*"] * 2 + ["*"])
ON_E4 = ["*/*/*/*/????P*/*/*/*", "--then", "*/*/*/????P*/*/*/*/*", "--then", "*/*/????P*/*/*/*/*/*"]
SEARCHES = {
    "material": ["--material", "KRP KR"],
    "pattern": ["--pattern", "*/*/*/*/??[^P]P[^P]*/*/*/*"],
    "sequence": ["--pattern", *ON_E4],
    "checks": ["--checks", "5"],
    "en-passant": ["--en-passant"],
    "white-castles": ["--white-castles", "long"],
    "ends-in": ["--ends-in", "mate"],
}


class Row:
    """A command, the archive that it reads or changes, and what must be done before each run."""

    def __init__(self, name, arguments, archive="indexed", runs=5, changes=None):
        self.name, self.arguments, self.archive, self.runs = name, arguments, archive, runs
        # Commands that are run before this one, on a copy of the archive.
        self.changes = changes


def rows(games):
    """All rows of one collection, in the order in which they are measured."""
    few = ["--player", "Adams, Michael", "--elo", "2600..", "--date", "1990..2005"]
    yield Row("start", ["--version"], archive=None, runs=41)
    yield Row("explore", ["explore"], runs=21)
    yield Row("explore, with conditions", ["explore", "1. e4 c5", "--elo", "2600..", "--date", "2000.."], runs=11)
    yield Row("find, in the index", ["find", "1. e4 c5 2. Nf3 d6 3. d4", "--count"], runs=21)
    yield Row("games of a player", ["games", *few], runs=21)
    yield Row("pattern for 8 plies, in the index", ["find", "--pattern", PAWN, "--min-plies", "8", "--count"])
    for name, arguments in SEARCHES.items():
        yield Row(f"{name}, in the index", ["find", *arguments, "--count"])
    for name, arguments in SEARCHES.items():
        yield Row(f"{name}, without index", ["find", *arguments, "--count"], archive="plain", runs=3)
    for archive, of in [("indexed", "in the index"), ("plain", "without index")]:
        for sort in ["date", "elo", "white"]:
            list_ = ["games", "--sort", sort, "--offset", str(games * 9 // 10), "--limit", "20"]
            yield Row(f"list by {sort}, last tenth, {of}", list_, archive=archive)
    yield Row("import", ["import", "SOURCE", "--quiet"], archive="new")
    yield Row("import --index", ["import", "SOURCE", "--quiet", "--index"], archive="new", runs=3)
    yield Row("index", ["index", "--quiet"], archive="plain", runs=3, changes=[])
    yield Row("verify", ["verify"], runs=3)
    third = games // 3
    remove = ["remove", f"{third}..{2 * third}", "--yes"]
    yield Row("remove a third", remove, runs=3, changes=[])
    yield Row("undo it", ["undo"], runs=3, changes=[remove])
    yield Row("tag a third", ["tag", f"1..{third}", "Event=X", "--yes"], runs=3, changes=[])


PAGES = ["/player/Adams%2C%20Michael", "/report", "/events", "/games"]


class Bench:
    """One collection, as an archive of each program, with and without an index."""

    def __init__(self, folder, source, programs):
        self.folder, self.source, self.archives = folder, source, {}
        for number, program in enumerate(programs):
            plain, indexed = [folder / f"{name}-{number}.db" for name in ["plain", "indexed"]]
            call([program, "import", source, "--quiet", "-a", plain])
            shutil.copy(plain, indexed)
            call([program, "index", "--quiet", "-a", indexed])
            self.archives[program] = {"plain": plain, "indexed": indexed}
        # What follows must not wait for these files.
        os.sync()
        self.games = int(call([programs[0], "games", "--count", "-a", plain]).split()[0])

    def prepared(self, plybook, row):
        """The arguments of a run, after what must be done before it."""
        if row.archive is None:
            return row.arguments
        archive = self.archives[plybook].get(row.archive)
        if archive is None or row.changes is not None:
            copy = self.folder / "changed.db"
            for path in self.folder.glob("changed.db*"):
                path.unlink()
            if archive is not None:
                shutil.copy(archive, copy)
            for change in row.changes or []:
                subprocess.run([plybook, *change, "-a", copy], capture_output=True)
            archive = copy
        return [self.source if word == "SOURCE" else word for word in row.arguments] + ["-a", archive]

    def run(self, plybook, row):
        """Wall-clock and CPU seconds, and MiB, of which Python takes 23; `None` if the command fails."""
        command = [plybook, *self.prepared(plybook, row)]
        begin = time.perf_counter()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - begin
        if os.waitstatus_to_exitcode(status) not in (0, 1):
            return None
        return [wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024]

    def page(self, plybook, path):
        """The first view of a page of a fresh server, in seconds."""
        command = [plybook, "serve", "--port", "0", "-a", self.archives[plybook]["indexed"]]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            words = server.stdout.readline().split()
            address = next(word for word in words if word.startswith("http://")).rstrip("/")
            urllib.request.urlopen(address + "/").read()
            begin = time.perf_counter()
            urllib.request.urlopen(address + path).read()
            return [time.perf_counter() - begin, 0, 0]
        except urllib.error.HTTPError:
            return None
        finally:
            server.terminate()
            server.wait()


def call(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"everything.py: {done.stderr}")
    return done.stdout


def machine():
    """What the figures depend on."""
    def field(path, name):
        lines = pathlib.Path(path).read_text().splitlines() if pathlib.Path(path).exists() else []
        return next((line.split(":", 1)[1].strip() for line in lines if line.startswith(name)), "unknown")

    return {
        "processor": field("/proc/cpuinfo", "model name"),
        "cores": os.cpu_count(),
        "memory": field("/proc/meminfo", "MemTotal"),
        "system": f"{platform.system()} {platform.release()}",
    }


def medians(runs):
    return [statistics.median(values) for values in zip(*runs)]


def shown(name, runs, before, ratios_of_pairs):
    wall, cpu, memory = medians(runs)
    line = f"{name:38} {1000 * wall:9.1f} ms {cpu:8.3f} s {memory:6.0f} MiB"
    if before:
        if ratios_of_pairs:
            ratios = medians([[n / o for n, o in zip(new[:2], old[:2]) if o] for new, old in zip(runs, before)])
        else:
            ratios = [n / o for n, o in zip([wall, cpu], medians(before)[:2]) if o]
        line += "   x " + ", ".join(f"{ratio:.2f}" for ratio in ratios)
    return line


def measured(runs, run, programs):
    """The runs of each program, which take turns."""
    found = {program: [] for program in programs}
    for turn in range(runs):
        for program in programs if turn % 2 else programs[::-1]:
            found[program].append(run(program))
    # An earlier release may not have the command, and a collection not the player.
    return {program: runs for program, runs in found.items() if None not in runs}


def measure(bench, programs, wanted, prefix, saved, kept):
    """Measures and prints all rows of a collection. `programs` has the baseline last, if there is one."""
    commands = [(row.name, row.runs, lambda program, row=row: bench.run(program, row)) for row in rows(bench.games)]
    pages = [(f"page {path}", 5, lambda program, path=path: bench.page(program, path)) for path in PAGES]
    for name, runs, run in commands + pages:
        if wanted and not any(name.startswith(word) for word in wanted):
            continue
        found = measured(runs, run, programs)
        if programs[0] not in found:
            print(f"{prefix}{name}: failed, left out")
            continue
        before = found.get(programs[1]) if len(programs) > 1 else saved.get(prefix + name)
        print(prefix + shown(name, found[programs[0]], before, len(programs) > 1), flush=True)
        for program, own in found.items():
            kept[program][prefix + name] = own
    for program in programs:
        sizes = {of: archive.stat().st_size / bench.games for of, archive in bench.archives[program].items()}
        kept[program][prefix + "bytes a game"] = sizes
        print(f"{prefix}bytes a game: {sizes['plain']:.1f}, with index {sizes['indexed']:.1f}")


def scid(bench):
    """Scid's import, if it is installed."""
    tkscid = shutil.which("tkscid", path=os.environ.get("PATH", "") + ":/usr/games")
    if tkscid is None or shutil.which("zstd") is None:
        print("Scid: tkscid or zstd is not installed, left out")
        return
    pgn = bench.folder / "games.pgn"
    call(["zstd", "-dqf", bench.source, "-o", pgn] if bench.source.suffix == ".zst" else ["cp", bench.source, pgn])
    script = bench.folder / "import.tcl"
    script.write_text("sc_base create SCID4 made\nsc_base import [sc_base current] [lindex $argv 0]\nexit 0\n")
    runs = []
    for _ in range(3):
        for path in bench.folder.glob("made.*"):
            path.unlink()
        begin = time.perf_counter()
        subprocess.run([tkscid, script, pgn], cwd=bench.folder, stdout=subprocess.DEVNULL, check=True)
        runs.append([time.perf_counter() - begin, 0, 0])
    print(shown("Scid's import", runs, None, False))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=pathlib.Path)
    parser.add_argument("--plybook", type=pathlib.Path, default=HERE.parent / "target/release/plybook")
    parser.add_argument("--baseline", type=pathlib.Path)
    parser.add_argument("--rows", default="")
    parser.add_argument("--generated", type=int, action="append", default=[])
    parser.add_argument("--save", action="store_true")
    given = parser.parse_args()
    programs = [path.resolve() for path in [given.plybook, given.baseline] if path]
    for path in [*programs, given.games]:
        if not path.exists():
            raise SystemExit(f"everything.py: {path} is missing")
    saved = json.loads(SAVED.read_text())["rows"] if SAVED.exists() and not given.baseline else {}
    wanted, kept = [word for word in given.rows.split(",") if word], {program: {} for program in programs}
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(pathlib.Path(folder), given.games.resolve(), programs)
        measure(bench, programs, wanted, "", saved, kept)
        if not wanted:
            scid(bench)
    for games in given.generated:
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "games.pgn"
            call([programs[0], "generate", "--games", games, "--seed", 1, "-o", source])
            measure(Bench(pathlib.Path(folder), source, programs), programs, wanted, f"{games} ", saved, kept)
    if given.save:
        for program, name in zip(programs, ["next", call([programs[-1], "--version"]).split()[-1]]):
            path = HERE / "runs" / f"{name}.json"
            path.parent.mkdir(exist_ok=True)
            run = {"machine": machine(), "units": ["wall s", "CPU s", "MiB"], "rows": kept[program]}
            path.write_text(json.dumps(run) + "\n")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
