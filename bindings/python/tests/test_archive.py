"""Queries on an archive, compared with a count over all games."""

import json
import threading

import pytest
from conftest import DATA

import plybook

KINGS_GAMBIT = "rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq f3 0 2"


def chess_games(archive):
    return [game for game in archive if game.variant == "Standard"]


def test_an_archive_has_a_length_and_returns_every_game_by_id(archive):
    games = list(archive)
    assert len(games) == len(archive) == len(archive.games())
    assert [game.id for game in games] == archive.games().ids == sorted(archive.games().ids)
    for game in games:
        assert archive.game(game.id).tags == game.tags


def listed(folder, names):
    """A directory of parts with their catalogue, one part for each file of data/."""
    folder.mkdir()
    parts = []
    for number, name in enumerate(names, start=1):
        file = folder / f"part-{number:04}.db"
        stored = plybook.import_pgn(DATA / name, file)["stored"]
        parts.append({"number": number, "file": file.name, "filter": f"part-{number:04}.keys", "games": stored,
                      "bytes": file.stat().st_size, "last_id": stored, "plies": 0, "dates": None, "ratings": None,
                      "openings": None, "players": 0, "events": 0, "sources": []})
    (folder / "catalogue.json").write_text(json.dumps({"catalogue": 1, "parts": parts}))
    return folder


def test_a_directory_of_parts_is_one_archive(tmp_path):
    names = ["famous.pgn", "annotated.pgn", "chess960.pgn"]
    parts = plybook.open(listed(tmp_path / "parts", names))
    plybook.import_pgn([DATA / name for name in names], tmp_path / "one.db")
    one = plybook.open(tmp_path / "one.db")
    assert parts.path == tmp_path / "parts" and len(parts) == len(one) > 20
    assert [game.pgn() for game in parts] == [game.pgn() for game in one]
    assert parts.games(sort="white", desc=True).ids == one.games(sort="white", desc=True).ids
    assert parts.find("1. e4") == one.find("1. e4") != []
    assert parts.explore("1. e4 e5") == one.explore("1. e4 e5")
    assert parts.to_polars().equals(one.to_polars())


def test_a_directory_whose_parts_do_not_match_its_catalogue_is_refused(tmp_path):
    folder = listed(tmp_path / "parts", ["famous.pgn"])
    (folder / "part-0001.db").rename(folder / "elsewhere.db")
    with pytest.raises(FileNotFoundError, match="part-0001.db"):
        plybook.open(folder)
    (folder / "catalogue.json").write_text("{")
    with pytest.raises(plybook.DamagedError, match="catalogue"):
        plybook.open(folder)
    (folder / "catalogue.json").unlink()
    with pytest.raises(IsADirectoryError):
        plybook.open(folder)


def test_games_are_a_sequence(archive):
    games = archive.games()
    ids = games.ids
    assert games[0].id == ids[0] and games[-1].id == ids[-1]
    assert games[2:9:3].ids == ids[2:9:3] and games[::-1].ids == ids[::-1] and games[5:2].ids == []
    assert [game.id for game in games[::-1]] == ids[::-1]
    for place in (len(ids), -len(ids) - 1, 10**18, -(10**18)):
        with pytest.raises(IndexError):
            games[place]


def test_filters_are_those_of_the_command_line(archive):
    white = [game.id for game in archive if (game.white or "").startswith("Kasparov")]
    assert white and archive.games(white="kasparov").ids == white
    long = [game.id for game in archive if game.plies >= 60]
    assert archive.games(plies="60..").ids == long
    assert long[0] in archive.games(plies=archive.game(long[0]).plies).ids
    by_plies = archive.games(sort="plies", desc=True, limit=3)
    assert [game.plies for game in by_plies] == sorted((game.plies for game in archive), reverse=True)[:3]
    assert archive.games(white=None, limit=2, offset=1).ids == archive.games().ids[1:3]
    assert set(archive.games(result="draw").ids) == {game.id for game in archive if game.result == "1/2-1/2"}
    sides = [(game.id, game.result, "Kasparov" in (game.white or "")) for game in archive.games(player="kasparov")]
    won = [id for id, result, is_white in sides if result == ("1-0" if is_white else "0-1")]
    assert archive.games(player="kasparov", result="won").ids == won != []
    with pytest.raises(ValueError, match="first side of the material"):
        archive.games(result="lost")
    seventh = "*/*P*/*/*/*/*/*/*"
    assert archive.games(pattern=seventh).ids == archive.games(pattern=[seventh]).ids != []
    on_a = "*/P*/*/*/*/*/*/*"
    assert archive.games(pattern=on_a, any_file=True).ids == archive.games(pattern=seventh).ids


def test_an_invalid_filter_is_an_error_with_a_reason(archive):
    with pytest.raises(TypeError, match="colour"):
        archive.games(playr="Tal")
    with pytest.raises(ValueError, match="yesterday"):
        archive.games(date="yesterday")
    with pytest.raises(ValueError, match="cannot sort by"):
        archive.games(sort="beauty")
    with pytest.raises(TypeError):
        archive.games(player=object())
    with pytest.raises(TypeError):
        archive.games(limit="many")


def test_found_plies_equal_those_of_all_games(archive):
    board = KINGS_GAMBIT.split()[0]
    found = []
    for game in chess_games(archive):
        plies = [ply for ply in range(game.plies + 1) if game.fen(ply).split()[0] == board]
        if plies:
            found.append((game.id, plies[0]))
    assert found and archive.find(KINGS_GAMBIT) == found
    assert archive.find("1. e4 e5 2. f4") == archive.find("king's gambit") == found
    assert archive.games(position=KINGS_GAMBIT).ids == [game for game, _ in found]
    assert archive.find(KINGS_GAMBIT, limit=1) == found[:1]
    with pytest.raises(ValueError, match="invalid position"):
        archive.find("e9 e10")


def test_an_exploration_counts_every_game(archive):
    asked = archive.explore("1. e4 e5")
    games = [archive.game(game) for game, _ in archive.find("1. e4 e5")]
    assert asked["games"] == len(games) == asked["white"] + asked["draws"] + asked["black"] + asked["other"]
    assert sum(move["games"] for move in asked["moves"]) + asked["ended_here"] == len(games)
    points = {"1-0": 1, "1/2-1/2": 0.5, "0-1": 0}
    scores = [points[game.result] for game in games if game.result in points]
    assert asked["score"] == pytest.approx(sum(scores) / len(scores))
    assert [move["san"] for move in asked["moves"]][0] == "Nf3"
    assert all(move["score"] is None or 0 <= move["score"] <= 1 for move in asked["moves"])
    assert archive.explore()["games"] > asked["games"]
    assert archive.explore("1. e4 e5", white="kasparov")["games"] <= asked["games"]


def test_positions_are_found_without_an_index_too(archive, tmp_path):
    path = tmp_path / "unindexed.db"
    plybook.import_pgn(archive.path, path)
    unindexed = plybook.open(path)
    assert unindexed.find(KINGS_GAMBIT) == archive.find(KINGS_GAMBIT)
    assert unindexed.explore("1. e4") == archive.explore("1. e4")


def test_plies_are_counted_from_both_ends(archive):
    game = archive.games(white="kasparov")[0]
    assert game.fen() == game.fen(-1) == game.fen(game.plies)
    assert game.fen(0) == game.fen(-game.plies - 1)
    assert game.fen("12w") == game.fen(23)
    assert game.fen(0).startswith("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w")
    for bad in (game.plies + 1, -game.plies - 2, 2**62, -(2**62), "999w"):
        with pytest.raises(IndexError, match="has no ply"):
            game.fen(bad)
        with pytest.raises(IndexError):
            game.board(bad)
    with pytest.raises(ValueError):
        game.fen("twelve")
    with pytest.raises(TypeError):
        game.fen(1.5)


def test_bits_of_moves_are_those_of_the_sql_function(archive):
    for game in chess_games(archive)[:5]:
        bits = game.move_bits
        assert len(bits) == game.plies and all(number >= 0 for number in bits)
        moves = plybook.encode(game.moves, "index", game.result)
        plies = list(range(1, game.plies + 1))
        assert plybook.call("move_bits", [moves] * game.plies, plies) == pytest.approx(bits)


def test_games_of_xelto_report_that_they_are_not_chess(archive):
    games = archive.games(variant="xelto")
    assert len(games) > 0
    for game in games:
        assert game.variant == "Xelto" and game.tags and "Xelto" not in (game.white or "")
        for asked in (lambda: game.moves, lambda: game.uci, lambda: game.move_bits, game.fen, game.board, game.pgn):
            with pytest.raises(ValueError, match="not a chess game"):
                asked()


def test_several_threads_read_one_archive(archive):
    expected = [game.fen(10) for game in chess_games(archive) if game.plies >= 10]
    answers = []

    def read():
        answers.append([game.fen(10) for game in chess_games(archive) if game.plies >= 10])

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 4


def test_objects_have_a_readable_representation(archive):
    assert "games.db" in repr(archive) and str(len(archive)) in repr(archive.games())
    game = archive.games(white="kasparov")[0]
    assert "Kasparov" in repr(game) and f"{game.plies} plies" in repr(game)


def test_a_game_is_shown_as_one_dictionary_at_any_ply(archive):
    game = next(game for game in archive if game.variant == "Standard" and game.plies > 4)
    shown = archive.show(game.id, 4)
    assert (shown["schema"], shown["id"], shown["ply"], shown["san"]) == (1, game.id, 4, game.moves[:4])
    assert shown["fen"] == game.fen(4) and archive.show(game.id)["fen"] == game.fen()
    assert list(shown["tags"]) == list(game.tags)
    assert [move["san"] for move in shown["tree"]["moves"]] == game.moves
    with pytest.raises(IndexError):
        archive.show(game.id, 10_000)
    with pytest.raises(KeyError):
        archive.show(10_000_000)
