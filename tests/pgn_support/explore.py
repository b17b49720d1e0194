"""Positions of games, with python-chess. Reads a JSON object from a file: a PGN file; as FEN the positions to explore
(lines) and to find (sought); and filters. Prints a JSON object: for each filter, for each position what `plybook explore`
should say of it (told), and for each position its games with the ply of the first time (found)."""

import io
import json
import logging
import multiprocessing
import re
import sys
from fractions import Fraction
from math import floor

import chess.pgn

logging.disable(logging.CRITICAL)

# FIDE Handbook B.02, 8.1.1: the rating difference for 50, 51 ... 100 percent.
FIDE = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184, 193,
    202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589,
    677, 800,
]


def key(board):
    """What makes two positions the same: the pieces, who moves and castles, and a pawn that can be taken in passing."""
    pieces = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    passant = board.ep_square if board.has_legal_en_passant() else None
    return pieces, *board.occupied_co, board.turn, board.clean_castling_rights(), passant


def rating(headers, name):
    text = headers.get(name, "")
    return int(text) if text.isdigit() and int(text) > 0 else None


class Game:
    def __init__(self, number, game):
        headers = game.headers
        year = headers.get("Date", "")[:4]
        self.id = number
        self.result = headers["Result"]
        self.elo = [rating(headers, "WhiteElo"), rating(headers, "BlackElo")]
        self.year = int(year) if year.isdigit() else None
        self.players = [headers.get("White", ""), headers.get("Black", "")]
        # For each position that is asked for: the ply of the first visit, and the last move from there.
        self.visits = {}
        board = game.board()
        moves = [*game.mainline_moves(), None]
        for ply, move in enumerate(moves):
            here = key(board)
            if here in WANTED:
                first, last = self.visits.get(here, (ply, None))
                self.visits[here] = first, move or last
            if move:
                board.push(move)

    def passes(self, wanted):
        low, high = wanted.get("years", [None, None])
        if low is not None and not (self.year and low <= self.year <= high):
            return False
        least = wanted.get("elo")
        if least is not None and not all(elo is not None and elo >= least for elo in self.elo):
            return False
        if "result" in wanted and self.result != wanted["result"]:
            return False
        for side, name in enumerate(["white", "black"]):
            if name in wanted and self.players[side] != wanted[name]:
                return False
        return True


def rounded(value):
    return floor(value + Fraction(1, 2))


def mean(ratings):
    ratings = [elo for elo in ratings if elo is not None]
    return Fraction(sum(ratings), len(ratings)) if ratings else None


def difference(percent):
    """Linear between whole percents."""
    if percent < 50:
        return -difference(100 - percent)
    whole = floor(percent)
    above = FIDE[min(whole + 1, 100) - 50]
    return FIDE[whole - 50] + (above - FIDE[whole - 50]) * (percent - whole)


def results(games):
    count = lambda result: sum(game.result == result for game in games)
    white, draws, black = count("1-0"), count("1/2-1/2"), count("0-1")
    other = len(games) - white - draws - black
    return {"games": len(games), "white": white, "draws": draws, "black": black, "other": other}


def row(board, move, games, all_games):
    own = 0 if board.turn == chess.WHITE else 1
    told = {"uci": board.uci(move), "san": board.san(move)} | results(games)
    rated = [game.elo[own] for game in games]
    opponents = mean([game.elo[1 - own] for game in games])
    wins = told["white"] if own == 0 else told["black"]
    scored = told["white"] + told["draws"] + told["black"]
    performance = None
    if opponents is not None and scored:
        percent = 100 * Fraction(2 * wins + told["draws"], 2 * scored)
        performance = rounded(opponents + difference(percent))
    both = [(-(game.elo[0] + game.elo[1]), game.id) for game in games if None not in game.elo]
    after = key_after(board, move)
    return told | {
        "mean_rating": rounded(mean(rated)) if mean(rated) is not None else None,
        "mean_opponent": rounded(opponents) if opponents is not None else None,
        "performance": performance,
        "last_year": max((game.year for game in games if game.year), default=None),
        "best_game": min(both)[1] if both else None,
        "reached": sum(after in game.visits for game in all_games),
    }


def key_after(board, move):
    board.push(move)
    after = key(board)
    board.pop()
    return after


def explored(board, games):
    here = [game for game in games if key(board) in game.visits]
    by_move = {}
    for game in here:
        _, move = game.visits[key(board)]
        by_move.setdefault(move, []).append(game)
    ended = len(by_move.pop(None, []))
    rows = [row(board, move, played, games) for move, played in by_move.items()]
    rows.sort(key=lambda row: (-row["games"], row["uci"]))
    return results(here) | {"ended_here": ended, "moves": rows}


# The positions that are asked for, and those after each move from them.
WANTED = set()


def read(part):
    """Reads some games: their number, and text."""
    games = []
    for number, text in part:
        game = chess.pgn.read_game(io.StringIO(text))
        assert not game.errors, game.errors
        games.append(Game(number, game))
    return games


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        asked = json.load(file)
    lines, sought = ([chess.Board(fen) for fen in asked[name]] for name in ["lines", "sought"])
    WANTED.update(key(board) for board in lines + sought)
    WANTED.update(key_after(board, move) for board in lines for move in list(board.legal_moves))
    with open(asked["pgn"], encoding="utf-8") as file:
        texts = list(enumerate(re.split(r"(?m)^(?=\[Event )", file.read())))[1:]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        parts = pool.map(read, [texts[at : at + 200] for at in range(0, len(texts), 200)])
    games = [game for part in parts for game in part]
    told = []
    for wanted in asked["filters"]:
        passing = [game for game in games if game.passes(wanted)]
        told.append([explored(board, passing) for board in lines])
    found = [[(game.id, game.visits[key(board)][0]) for game in games if key(board) in game.visits] for board in sought]
    json.dump({"games": len(games), "told": told, "found": found}, sys.stdout)


main()
