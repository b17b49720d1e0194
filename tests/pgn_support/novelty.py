"""Where games leave those before them, with python-chess: `novelty.py FILE` reads the games of an exported archive, whose
ids are their numbers, and prints a JSON list: for each game of standard chess its id and, compared with the games before
it and with all others, the ply of the first move to a position that none of those has (null if they have all of them)
and the ids of those that have the position before that move, or the last one."""

import json
import re
import sys

import chess.pgn


def key(board):
    """What makes two positions the same: the pieces, who moves and castles, and a pawn that can be taken in passing."""
    pieces = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    passant = board.ep_square if board.has_legal_en_passant() else None
    return pieces, *board.occupied_co, board.turn, board.clean_castling_rights(), passant


def order(number, headers):
    """By date, an unknown part first, no date last; then by id."""
    parts = re.fullmatch(r"(\d{4}|\?{4})\.(\d\d|\?\?)\.(\d\d|\?\?)", headers.get("Date", ""))
    numbers = [0 if "?" in part else int(part) for part in parts.groups()] if parts else [0, 0, 0]
    return (numbers == [0, 0, 0], numbers, number)


def main():
    games, reached = [], {}
    with open(sys.argv[1], encoding="utf-8") as file:
        number = 0
        while (game := chess.pgn.read_game(file)) is not None:
            number += 1
            if game.headers.get("Variant", "Standard") != "Standard":
                continue
            board, keys = game.board(), []
            keys.append(key(board))
            for move in game.mainline_moves():
                if not move:
                    break
                board.push(move)
                keys.append(key(board))
            games.append((number, order(number, game.headers), keys))
            for position in set(keys):
                reached.setdefault(position, []).append((number, games[-1][1]))
    answers = []
    for number, when, keys in games:
        answer = [number]
        for counts in (lambda other, then: then < when, lambda other, then: other != number):
            def having(position):
                return [other for other, then in reached[position] if counts(other, then)]
            new = next((ply for ply in range(1, len(keys)) if not having(keys[ply])), None)
            answer.append([new, sorted(having(keys[len(keys) - 1 if new is None else new - 1]))])
        answers.append(answer)
    json.dump(answers, sys.stdout)


main()
