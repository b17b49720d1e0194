"""Every encoding survives a round trip, and accepts any bytes without crashing."""

import random

import chess
import pytest

import plybook

GAMES = [codec["codec"] for codec in plybook.codecs() if codec["of"] == "games"]
POSITIONS = [codec["codec"] for codec in plybook.codecs() if codec["of"] == "positions"]


@pytest.mark.parametrize("codec", GAMES)
def test_games_come_back(codec, archive):
    for game in archive.games(variant="standard", id="1..25"):
        start, plies = game.fen(0), game.plies
        data = plybook.encode(game.moves, codec, game.result, start)
        moves, result = plybook.decode(data, codec, plies, start)
        assert moves == game.moves
        assert result in (game.result, "*")
        assert plybook.encode(game.uci, codec, game.result, start=start) == data


def test_a_game_has_the_integer_in_the_documentation():
    data = plybook.encode("1. e4 e5 2. Nf3 f6")
    assert int.from_bytes(data, "little") == 8_712_609_247
    assert plybook.decode(data) == (["e4", "e5", "Nf3", "f6"], "*")
    assert plybook.decode(plybook.encode(["e4"], result="1-0")) == (["e4"], "1-0")
    assert plybook.decode(plybook.encode([], variant="atomic"), variant="atomic") == ([], "*")


@pytest.mark.parametrize("codec", POSITIONS)
def test_positions_come_back(codec, archive):
    game, held = archive.games(white="kasparov")[0], 0
    for ply in range(0, game.plies, 7):
        fen = game.fen(ply)
        try:
            data = plybook.encode_position(fen, codec)
        except ValueError as error:
            assert "cannot store" in str(error)
            continue
        held += 1
        back = plybook.decode_position(data, codec)
        assert chess.Board(back).board_fen() == chess.Board(fen).board_fen()
    assert held > 0


def test_what_cannot_be_encoded_is_a_value_error():
    for wrong in ("e4 e4", "1. Ke2", "hello", ["e4"] * 5):
        with pytest.raises(ValueError, match="not a legal move at ply"):
            plybook.encode(wrong)
    with pytest.raises(ValueError, match="unknown game codec"):
        plybook.encode("e4", "zip")
    with pytest.raises(ValueError, match="invalid result"):
        plybook.encode("e4", result="2-0")
    with pytest.raises(ValueError, match="not a valid FEN"):
        plybook.encode("e4", start="nowhere")
    with pytest.raises(ValueError, match="cannot start from"):
        plybook.encode("e4", start="8/8/8/8/8/8/8/8 w - - 0 1")
    with pytest.raises(ValueError, match="variant"):
        plybook.encode("e4", variant="checkers")
    with pytest.raises(ValueError, match="not a valid FEN"):
        plybook.encode_position("nowhere", POSITIONS[0])
    with pytest.raises(TypeError):
        plybook.encode(7)


@pytest.mark.parametrize("codec", GAMES + POSITIONS)
def test_hostile_bytes_never_crash(codec):
    chance = random.Random(3)
    for _ in range(1000):
        data = chance.randbytes(chance.randrange(60))
        try:
            if codec in GAMES:
                plybook.decode(data, codec, chance.choice([None, 0, 5, 10**9]))
            if codec in POSITIONS:
                plybook.decode_position(data, codec)
        except ValueError as error:
            assert str(error)
