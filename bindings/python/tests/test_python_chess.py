"""Games from plybook equal those that python-chess reads from the source."""

import io
import logging

import chess
import chess.pgn
import pytest

import plybook
from conftest import DATA, corpus, games_of

logging.disable(logging.CRITICAL)

UNKNOWN = ("?", "????.??.??", "*")


def words(text):
    return " ".join(" ".join([text] if isinstance(text, str) else text).split())


def described(node):
    """A game as a flat list of moves, comments and glyphs, with the depth of each."""
    flat, stack = [], [(0, node)]
    while stack:
        depth, node = stack.pop()
        move = node.move.uci() if node.move else None
        flat.append((depth, move, words(getattr(node, "starting_comment", "")), words(node.comment), sorted(node.nags)))
        stack.extend((depth + 1, child) for child in reversed(node.variations))
    return flat


def without_style(fen, board):
    """A FEN without differences of style: the order of pieces in hand, the letters of Chess960's castling rights, and
    whether dropping a pawn resets the half-move clock."""
    placement, turn, castling, *middle, half_moves, moves = fen.split()
    if board.uci_variant == "crazyhouse":
        squares, hand = placement.rstrip("]").split("[")
        placement, half_moves = (squares, sorted(hand)), None
    return placement, turn, None if board.chess960 else castling, middle, half_moves, moves


def compare(game, known):
    """Compares every position and everything else in a game."""
    board = known.board()
    sans, ucis = [], []
    for ply, move in enumerate([None, *known.mainline_moves()]):
        if move:
            sans.append(board.san(move))
            ucis.append(board.uci(move))
            board.push(move)
        fen, known_fen = game.fen(ply), board.fen(en_passant="fen")
        assert without_style(fen, board) == without_style(known_fen, board), (game, ply)
        read = type(board)(fen, **({"chess960": True} if board.chess960 else {}))
        assert read.castling_rights == board.castling_rights, (game, ply)
    assert game.moves == sans
    assert game.uci == ucis
    assert game.plies == len(sans)
    assert game.board(0) == known.board()
    assert game.board() == board
    assert game.board().move_stack == board.move_stack

    tags = {name: value for name, value in known.headers.items() if value not in UNKNOWN}
    assert {name: value for name, value in game.tags.items() if value not in UNKNOWN} == tags
    written = chess.pgn.read_game(io.StringIO(game.pgn()))
    assert not written.errors
    assert described(written) == described(known)


def compare_all(games, folder):
    """The number of equal games, among those that python-chess can read."""
    source, path = folder / "games.pgn", folder / "games.db"
    source.write_text("".join(games), "utf-8")
    plybook.import_pgn(source, path)
    same = 0
    for game in plybook.open(path):
        known = chess.pgn.read_game(io.StringIO(games[int(game.tags["Number"])]))
        if not known.errors:
            compare(game, known)
            same += 1
    return same


@pytest.mark.parametrize(
    "name, least", [("famous.pgn", 5), ("annotated.pgn", 1), ("setup.pgn", 1), ("chess960.pgn", 1)]
)
def test_games_of_data_equal_those_that_python_chess_reads(name, least, tmp_path):
    assert compare_all(games_of(DATA / name, 1000), tmp_path) >= least


@pytest.mark.parametrize(
    "name, most, least",
    [("otb.pgn.zst", 1500, 1400), ("lichess.pgn.zst", 1500, 1400), ("variants.pgn", 300, 200)],
)
def test_games_of_collections_equal_those_that_python_chess_reads(name, most, least, tmp_path):
    assert compare_all(games_of(corpus(name), most), tmp_path) >= least
