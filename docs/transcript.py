#!/usr/bin/env python3
"""Makes docs/transcript.md: every command in a terminal of 80 columns, on the games of data.

docs/transcript.py [PLYBOOK] > docs/transcript.md

What differs from run to run (times, dates of imports) stands there as "…".
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent

COMMANDS = """
plybook import data
plybook info
plybook games --limit 5
plybook show 22 --format moves
plybook show 22 --ply 7b
plybook board 'sicilian najdorf' --ascii
plybook find '1. e4 c5' --limit 3
plybook find --material 'KQP{0,8} KRP{0,8}'
plybook explore '1. e4 e5'
plybook sql 'SELECT white, black, fen(moves, 8) AS position FROM games LIMIT 3'
plybook index
plybook names morphy
plybook novelty 16
plybook export --opening 'italian game' --limit 1 -o lines.pgn
plybook repertoire lines.pgn --as white --player anderssen
plybook prepare --against anderssen --as black
plybook annotate 22
plybook report --player morphy
plybook stats | head -12
plybook stats --openings --player kasparov
plybook export --id 22
plybook export --format fen --limit 2
plybook book --min-games 2 -o all.bin
plybook verify
plybook backup saved.db
plybook salvage saved.db --output sound.db
plybook migrate
plybook split plybook.db --parts 2 --into parts
plybook catalogue parts
plybook games -a parts --sort date --limit 3
plybook merge parts -o merged.db
plybook codecs
plybook position compare '1. e4 c5'
plybook game compare 22
plybook path 'rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w'
plybook generate --games 1 --seed 7
plybook xelto show data/xelto/first.xelto --ply 20
plybook serve --help | head -6
plybook completions bash | head -3
plybook man | head -3
""".strip().splitlines()

VARIES = [
    (r"(time +).*", r"\1…"),
    (r"\d+\.\d+ s\b", "… s"),
    (r"\(\d{4}-\d\d-\d\d\)", "(…)"),
]


def shown(plybook: Path, folder: Path, command: str) -> str:
    """What a command shows, without colours."""
    client = PROJECT / "tests/clients/in_terminal.py"
    path = f"{plybook.parent}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        [sys.executable, client, "80", "[]", shutil.which("sh"), "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "PLYBOOK_ARCHIVE": ""},
        stdout=subprocess.PIPE,
        check=True,
    )
    text = "".join(json.loads(run.stdout)["shown"])
    # A progress that was cleared is not there any more.
    text = re.sub(r"[^\n]*\x1b\[2K", "", text)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "")
    for pattern, instead in VARIES:
        text = re.sub(pattern, instead, text)
    return "\n".join(line.rstrip() for line in text.rstrip().splitlines())


def main() -> None:
    plybook = Path(sys.argv[1] if len(sys.argv) > 1 else PROJECT / "target/release/plybook").resolve()
    print("# Every command in a terminal\n")
    print("Of 80 columns, on the games of `data`. Made by `docs/transcript.py`; … is what differs from run to run.")
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        (data / "xelto").mkdir(parents=True)
        for pgn in [*PROJECT.glob("data/*.pgn"), *PROJECT.glob("data/xelto/*.xelto")]:
            shutil.copy(pgn, data / pgn.relative_to(PROJECT / "data"))
        for command in COMMANDS:
            print(f"\n```text\n$ {command}\n{shown(plybook, Path(folder), command)}\n```")


main()
