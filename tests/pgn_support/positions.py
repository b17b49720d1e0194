"""Positions of games, and which games come to them, by python-chess.

positions.py make            writes random games: Chess960, and set-up positions with captures en passant near
positions.py ask FILE        reads games, asks for positions of them and near them, and answers as JSON: a list of
                             {"fen", "board_only", "mirror", "hits": [[number of the game, ply], ...]}
"""

import json
import random
import sys

import chess
import chess.pgn

STARTS = [
    "4k3/2p1p3/8/1P1P1P2/2p1p1p1/8/1P1P1P1P/4K3 w - - 0 1",
    "r3k2r/8/8/pP5p/P5pP/8/8/R3K2R w KQkq - 0 1",
    # The pawn that could capture is pinned.
    "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1",
]


def make():
    chance = random.Random(7)
    for number in range(60):
        if number % 3 == 0:
            start, variant = chess.Board(STARTS[number // 3 % len(STARTS)]), None
        else:
            start, variant = chess.Board.from_chess960_pos(chance.randrange(960)), "Chess960"
        game = chess.pgn.Game()
        if variant:
            game.headers["Variant"] = variant
        game.setup(start)
        game.headers["Event"] = str(number)
        board, node = game.board(), game
        for _ in range(80):
            moves = list(board.legal_moves)
            if not moves:
                break
            # Castling and double steps often: they are what may go wrong.
            special = [m for m in moves if board.is_castling(m) or board.is_en_passant(m)]
            move = special[0] if special and chance.random() < 0.5 else chance.choice(moves)
            board.push(move)
            node = node.add_variation(move)
        print(game, end="\n\n")


def en_passant(board):
    """The en passant square, if a double step has passed it and a legal move captures there."""
    square = board.ep_square
    if square is None:
        return None
    step = 8 if board.turn else -8
    pawn = chess.Piece(chess.PAWN, not board.turn)
    is_passed = board.piece_at(square - step) == pawn and board.piece_at(square + step) is None
    return square if is_passed and board.has_legal_en_passant() else None


def key(board, board_only):
    if board_only:
        return board.board_fen()
    return board.board_fen(), board.turn, board.clean_castling_rights(), en_passant(board)


def answers(places, board, board_only, mirror):
    """The games that come to a position with the ply of the first time."""
    first = {}
    for board in [board, board.mirror()] if mirror else [board]:
        for game, ply in places.get(key(board, board_only), []):
            first[game] = min(ply, first.get(game, ply))
    return sorted(first.items())


def written(board, chance):
    """The FEN of a position as it is, or with something about it changed."""
    way = chance.randrange(5)
    fields = board.fen(en_passant=["legal", "fen", "xfen"][chance.randrange(3)]).split()
    if way == 1:
        fields[1] = "b" if fields[1] == "w" else "w"
    elif way == 2:
        fields[2] = "-"
    elif way == 3:
        # In vain, mostly.
        fields[3] = chance.choice("abcdefgh") + ("6" if fields[1] == "w" else "3")
    elif way == 4:
        fields[2] = "KQkq"
    return " ".join(fields)


def ask(path):
    chance = random.Random(11)
    places, boards = {}, []
    with open(path, encoding="utf-8") as file:
        number = 0
        while game := chess.pgn.read_game(file):
            number += 1
            board = game.board()
            line = [board.copy(stack=False)]
            for move in game.mainline_moves():
                board.push(move)
                line.append(board.copy(stack=False))
            for ply, board in enumerate(line):
                boards.append(board)
                for board_only in (False, True):
                    places.setdefault(key(board, board_only), []).append((number, ply))
    passant = [board for board in boards if board.ep_square is not None]
    legal = [board for board in passant if board.has_legal_en_passant()]
    castling = [board for board in boards if board.clean_castling_rights()]
    often = [boards[0]] + [board for board in boards if len(places[key(board, False)]) > 1]
    asked = []
    for number in range(240):
        pool = [boards, passant, legal, castling, often][number % 5]
        fen = written(chance.choice(pool), chance)
        board = chess.Board(fen, chess960=True)
        board_only, mirror = chance.random() < 0.25, chance.random() < 0.25
        # A king that could be taken: no position of a game.
        if not board_only and board.was_into_check():
            continue
        hits = answers(places, board, board_only, mirror)
        asked.append({"fen": fen, "board_only": board_only, "mirror": mirror, "hits": hits})
    json.dump(asked, sys.stdout)


if sys.argv[1] == "make":
    make()
else:
    ask(sys.argv[2])
