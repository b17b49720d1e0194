"""Annotated games as python-chess reads them: `annotate.py FILE` prints a JSON list with, for each game, its errors, its
moves in UCI notation, the plies of its mainline with the glyph of a novelty, and all comments of the mainline in one text."""

import json
import sys

import chess.pgn


def main():
    answers = []
    with open(sys.argv[1], encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            nodes = list(game.mainline())
            news = [node.ply() - game.ply() for node in nodes if 146 in node.nags]
            comments = " ".join([game.comment] + [node.comment for node in nodes])
            errors = [str(error) for error in game.errors]
            answers.append([errors, [node.move.uci() for node in nodes], news, comments])
    json.dump(answers, sys.stdout)


main()
