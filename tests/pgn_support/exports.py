"""Reads exported games with python-chess, and compares their mainlines with the moves of the same games in UCI.

Each line of the input is a JSON object: name, stored, pgn, uci. Prints the number of equal games, and the file and
number of games that are different, and of those that python-chess does not read. Mainlines are compared up to a null
move, where those in UCI end."""

import io
import json
import logging
import sys

import chess.pgn

logging.disable(logging.CRITICAL)


def games(pgn):
    text = io.StringIO(pgn)
    while game := chess.pgn.read_game(text):
        yield game


def after(game, moves):
    """The last position, and the number of moves."""
    board = game.board()
    for move in moves:
        move = board.parse_uci(move)
        if not move:
            break
        board.push(move)
    return board.fen(), board.ply()


same, unread, different = 0, [], []
for line in open(sys.argv[1], encoding="utf-8"):
    case = json.loads(line)
    read, lines = list(games(case["pgn"])), case["uci"].splitlines()
    if not len(read) == len(lines) == case["stored"]:
        different.append([case["name"], 0])
    for number, (game, line) in enumerate(zip(read, lines), start=1):
        if game.errors:
            unread.append([case["name"], number])
            continue
        moves = [move.uci() for move in game.mainline_moves()]
        expected = line.partition(" moves ")[2].split()
        if after(game, moves) == after(game, expected):
            same += 1
        else:
            different.append([case["name"], number])
print(json.dumps({"same": same, "unread": unread, "different": different}))
