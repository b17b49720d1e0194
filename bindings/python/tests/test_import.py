"""Imports: their reports, and what remains when they are stopped."""

import os
import signal
import threading

import pytest

import plybook
from conftest import DATA, games_of, corpus

GAME = '[White "A"]\n[Black "B"]\n[Round "{0}"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n'


def many(path, games=60_000):
    """A file with enough games that its import takes a while."""
    path.write_text("".join(GAME.format(number) for number in range(games)))
    return path


@pytest.fixture
def ctrl_c():
    """Sends Ctrl-C after some seconds; it also works if the tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield lambda seconds: threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()
    signal.signal(signal.SIGINT, before)


def test_an_import_returns_a_report(tmp_path):
    source, path, rejects = tmp_path / "games.pgn", tmp_path / "games.db", tmp_path / "rejects.pgn"
    source.write_text(GAME.format(1) + GAME.format(2) + GAME.format(1) + "[White \"C\"]\n\n1. e5 *\n\n")
    report = plybook.import_pgn(source, path, rejects=rejects)
    assert [report[name] for name in ("seen", "stored", "duplicate", "rejected")] == [4, 2, 1, 1]
    assert report["rejects"][0]["game"] == 4 and "1. e5" in rejects.read_text()
    assert len(plybook.open(path)) == 2
    assert plybook.import_pgn([str(source), DATA / "famous.pgn"], str(path))["stored"] > 0


def test_a_game_with_an_illegal_move_is_kept_up_to_it_if_requested(tmp_path):
    source, path = tmp_path / "games.pgn", tmp_path / "games.db"
    source.write_text('[White "C"]\n\n1. e4 e5 2. Ke3 Nc6 1-0\n')
    assert plybook.import_pgn(source, path)["rejected"] == 1
    report = plybook.import_pgn(source, tmp_path / "kept.db", keep_broken=True)
    assert (report["stored"], report["notes"]["broken_games"]) == (1, 1)
    assert "1. e4 e5 {2. Ke3 Nc6} 1-0" in plybook.open(tmp_path / "kept.db").game(1).pgn()


def test_only_games_that_meet_the_conditions_are_imported(tmp_path):
    path = tmp_path / "games.db"
    report = plybook.import_pgn(DATA / "famous.pgn", path, player="morphy", position="1. e4 e5")
    archive = plybook.open(path)
    assert report["stored"] == len(archive) > 0
    assert report["seen"] == report["stored"] + report["unmatched"]
    assert len(list(archive.games(player="morphy"))) == report["stored"]
    for condition, text in (({"id": "3"}, "already stored"), ({"limit": 3}, "already stored"), ({"eco": "?"}, "opening codes")):
        with pytest.raises(ValueError, match=text):
            plybook.import_pgn(DATA / "famous.pgn", path, **condition)
    with pytest.raises(TypeError):
        plybook.import_pgn(DATA / "famous.pgn", path, colours="white")


def test_progress_is_reported(tmp_path):
    told = []
    plybook.import_pgn(many(tmp_path / "games.pgn"), tmp_path / "games.db", told.append, index=True)
    games = [progress["games"] for progress in told]
    assert games == sorted(games) and games[-1] == 60_000
    assert told[0]["source"].endswith("games.pgn") and told[-1]["bytes"] == told[-1]["total_bytes"]
    assert told[0]["indexed"] is None


def test_a_callback_can_stop_an_import_and_stored_games_are_kept(tmp_path):
    source, path = many(tmp_path / "games.pgn"), tmp_path / "games.db"

    class Enough(Exception):
        pass

    def stop(progress):
        if progress["games"] >= 20_000:
            raise Enough(progress["games"])

    with pytest.raises(Enough):
        plybook.import_pgn(source, path, stop)
    stored = len(plybook.open(path))
    assert 0 < stored < 60_000
    assert [game.tags["Round"] for game in plybook.open(path)] == [str(number) for number in range(stored)]
    plybook.import_pgn(source, path)
    assert len(plybook.open(path)) == 60_000


def test_ctrl_c_stops_an_import_while_other_threads_run(tmp_path, ctrl_c):
    source, path = many(tmp_path / "games.pgn", 400_000), tmp_path / "games.db"
    # The thread could not send the signal if the import kept the interpreter for itself.
    with pytest.raises(KeyboardInterrupt):
        ctrl_c(0.3)
        plybook.import_pgn(source, path)
    stored = len(plybook.open(path)) if path.exists() else 0
    assert stored < 400_000
    plybook.import_pgn(source, path)
    assert len(plybook.open(path)) == 400_000


def test_ctrl_c_stops_a_search(tmp_path, ctrl_c):
    games = games_of(corpus("otb.pgn.zst"), 40_000, 40_000_000)
    source, path = tmp_path / "games.pgn", tmp_path / "games.db"
    source.write_text("".join(games))
    plybook.import_pgn(source, path)
    archive = plybook.open(path)
    with pytest.raises(KeyboardInterrupt):
        ctrl_c(0.1)
        for _ in range(100):
            archive.find("8/8/8/8/8/4k3/4p3/4K3 w - -")
    assert archive.find("1. e4")


def test_invalid_imports_are_python_errors(tmp_path):
    path = tmp_path / "games.db"
    with pytest.raises(FileNotFoundError, match="absent.pgn"):
        plybook.import_pgn(tmp_path / "absent.pgn", path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="in this directory"):
        plybook.import_pgn(tmp_path / "empty", path)
    with pytest.raises(IsADirectoryError):
        plybook.import_pgn(DATA / "famous.pgn", tmp_path)
    with pytest.raises(TypeError):
        plybook.import_pgn(7, path)
    (tmp_path / "mine.txt").write_text("my notes")
    with pytest.raises(FileExistsError):
        plybook.import_pgn(DATA / "famous.pgn", path, rejects=tmp_path / "mine.txt")
    assert (tmp_path / "mine.txt").read_text() == "my notes"
