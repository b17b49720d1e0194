"""SQL functions on columns."""

import pytest

import plybook


def test_functions_return_a_result_per_row():
    moves = plybook.encode("1. e4 e5 2. Nf3", "index")
    assert plybook.call("san", [moves] * 4, [0, 1, 3, 4]) == [None, "e4", "Nf3", None]
    assert plybook.call("plies", moves) == [3]
    after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
    assert plybook.call("fen", (moves, None), 1) == [after_e4, None]
    assert plybook.call("reaches", [moves], after_e4) == [1]
    assert plybook.call("same_player", ["Tal, Mikhail", "Fischer, R"], "tal") == [1, 0]
    assert plybook.call("position_key", [moves, moves], [1, 4]) == [plybook.call("position_key", [after_e4])[0], None]
    assert plybook.call("plies", []) == []


def test_functions_agree_with_games(archive):
    chess = [game for game in archive if game.variant == "Standard" and "FEN" not in game.tags]
    moves = [plybook.encode(game.moves, "index", result=game.result) for game in chess]
    assert plybook.call("fen", moves, 12) == [game.fen(12) if game.plies >= 12 else None for game in chess]
    assert plybook.call("plies", moves) == [game.plies for game in chess]


@pytest.mark.parametrize(
    "arguments, error",
    [(["nothing", 1], ValueError), (["fen", b""], ValueError), (["fen", "text", 1], ValueError), (["fen", [b"", b""], [1]], ValueError),
     (["plies", object()], TypeError), (["plies", [object()]], TypeError), (["plies", [[]]], TypeError)],
)
def test_invalid_arguments_are_python_errors(arguments, error):
    with pytest.raises(error):
        plybook.call(*arguments)
