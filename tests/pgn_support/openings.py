"""Names the opening of each game of a PGN file, with python-chess: the last position of its mainline that the tables
of a folder name. Prints a JSON list with [code, name] or null for each game."""

import json
import pathlib
import sys

import chess.pgn

tables, games = sys.argv[1:]
names = {}
for table in pathlib.Path(tables).glob("*.tsv"):
    for row in table.read_text(encoding="utf-8").splitlines()[1:]:
        code, name, moves = row.split("\t")
        board = chess.Board()
        for word in moves.split():
            if not word.endswith("."):
                board.push_san(word)
        names[board.epd()] = [code, name]

found = []
with open(games, encoding="utf-8") as pgn:
    while game := chess.pgn.read_game(pgn):
        assert not game.errors, game.errors
        name = None
        board = game.board()
        for move in game.mainline_moves():
            name = names.get(board.epd(), name)
            board.push(move)
        found.append(names.get(board.epd(), name))
print(json.dumps(found))
