"""Errors are Python exceptions with a reason, whatever the input."""

import random
import sqlite3
import subprocess
import sys

import pytest

import plybook
from conftest import DATA


def test_a_file_that_is_not_an_archive_is_refused_with_a_reason(tmp_path):
    with pytest.raises(FileNotFoundError, match="archive not found"):
        plybook.open(tmp_path / "absent.db")
    with pytest.raises(IsADirectoryError):
        plybook.open(tmp_path)
    (tmp_path / "text.db").write_text("no archive at all" * 100)
    with pytest.raises(plybook.ArchiveError, match="not a plybook archive"):
        plybook.open(tmp_path / "text.db")
    (tmp_path / "empty.db").touch()
    with pytest.raises(plybook.ArchiveError, match="empty"):
        plybook.open(tmp_path / "empty.db")
    assert issubclass(plybook.DamagedError, plybook.ArchiveError)


def test_a_missing_game_is_a_key_error(archive):
    for id in (0, -1, 10**9, 2**62):
        with pytest.raises(KeyError, match="no game"):
            archive.game(id)
    with pytest.raises(OverflowError):
        archive.game(2**64)


def test_without_python_chess_a_board_is_an_import_error(archive):
    script = (
        "import sys; sys.modules['chess'] = None\n"
        "import plybook\n"
        f"game = plybook.open({str(archive.path)!r}).game(1)\n"
        "print(game.fen(4))\n"
        "try: game.board()\n"
        "except ImportError as error: print(error)\n"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert said.startswith(archive.game(1).fen(4)) and "pip install chess" in said


def read_all(path):
    """Reads everything."""
    archive = plybook.open(path)
    for id in archive.games().ids:
        try:
            game = archive.game(id)
            game.tags, game.moves, game.uci, game.fen(), game.fen(5), game.pgn()
        except (plybook.DamagedError, ValueError, IndexError, KeyError):
            pass
    archive.find("1. e4 e5")
    archive.explore("1. e4")


def test_damaged_archives_never_crash(archive, tmp_path):
    sound = archive.path.read_bytes()
    chance, path, failed = random.Random(7), tmp_path / "damaged.db", 0
    for _ in range(60):
        damaged = bytearray(sound)
        for _ in range(chance.choice([1, 5, 50])):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        path.write_bytes(damaged[: chance.choice([len(damaged), chance.randrange(len(damaged))])])
        try:
            read_all(path)
        except (plybook.ArchiveError, OSError):
            failed += 1
    assert failed > 0


@pytest.mark.parametrize(
    "damage",
    ["UPDATE segment SET games = games + 1", "UPDATE segment_block SET data = x'00'"],
)
def test_a_corrupt_index_is_a_warning_and_queries_run_without_it(archive, tmp_path, damage):
    path = tmp_path / "damaged.db"
    path.write_bytes(archive.path.read_bytes())
    db = sqlite3.connect(path)
    with db:
        db.execute(damage)
    db.close()
    damaged = plybook.open(path)
    with pytest.warns(RuntimeWarning, match="the index is damaged"):
        assert list(damaged.find("1. e4 e5")) == list(archive.find("1. e4 e5"))
    with pytest.warns(RuntimeWarning, match="plybook index --drop"):
        assert damaged.explore("1. e4") == archive.explore("1. e4")


def test_hostile_files_never_crash_an_import(tmp_path):
    chance, known = random.Random(11), (DATA / "annotated.pgn").read_bytes()
    for trial in range(40):
        source = tmp_path / f"{trial}.pgn"
        if trial % 2:
            source.write_bytes(chance.randbytes(chance.randrange(5000)))
        else:
            hostile = bytearray(known)
            for _ in range(100):
                hostile[chance.randrange(len(hostile))] = chance.randrange(256)
            source.write_bytes(hostile)
        try:
            report = plybook.import_pgn(source, tmp_path / "games.db")
            assert report["seen"] == report["stored"] + report["duplicate"] + report["rejected"]
        except (ValueError, OSError):
            pass
