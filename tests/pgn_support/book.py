"""Reads an opening book with python-chess, and compares it with what a count of a PGN gives.

python book.py BOOK FILE.pgn MAX_PLY MIN_GAMES   exit status 1 if they differ, which is printed.
"""
import collections, sys
import chess, chess.pgn, chess.polyglot

BOOK, FILE, MAX_PLY, MIN_GAMES = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
POINTS = {"1-0": (2, 0), "1/2-1/2": (1, 1), "0-1": (0, 2)}


def castling_as_rook(board, move):
    # What python-chess plays in standard chess as e1g1 is e1h1 in a book.
    if board.is_castling(move) and not board.chess960:
        rank = chess.square_rank(move.from_square)
        side = 7 if board.is_kingside_castling(move) else 0
        return chess.Move(move.from_square, chess.square(side, rank))
    return move


games, points, boards = collections.Counter(), collections.Counter(), {}
with open(FILE, encoding="utf-8") as file:
    while (game := chess.pgn.read_game(file)) is not None:
        board = game.board()
        if game.headers["Result"] not in POINTS or type(board) is not chess.Board:
            continue
        white, black = POINTS[game.headers["Result"]]
        last, moves = {}, list(game.mainline_moves())
        for ply in range(min(len(moves) + 1, MAX_PLY)):
            key = chess.polyglot.zobrist_hash(board)
            move = moves[ply] if ply < len(moves) else None
            boards.setdefault(key, board.copy(stack=False))
            if move:
                last[key] = (castling_as_rook(board, move), white if board.turn else black)
                board.push(move)
        for key, (move, scored) in last.items():
            games[key, move] += 1
            points[key, move] += scored

expected = {of: points[of] for of in games if games[of] >= MIN_GAMES and points[of] > 0}
found, faults, legal = {}, [], 0
with chess.polyglot.open_reader(BOOK) as reader:
    entries = list(reader)
    for entry in entries:
        found[entry.key, chess.Move(entry.raw_move >> 6 & 63, entry.raw_move & 63, [None, 2, 3, 4, 5][entry.raw_move >> 12])] = entry.weight
    # Its own search finds the entries, and takes their moves for legal.
    for key in list(boards)[:2000]:
        legal += sum(1 for _ in reader.find_all(boards[key]))
if len(found) != len(entries):
    faults.append(f"{len(entries)} entries, {len(found)} different ones")
in_sight = sum(1 for key, _ in expected if key in set(list(boards)[:2000]))
if legal != in_sight:
    faults.append(f"find_all gives {legal} entries of {in_sight}")
for of in expected.keys() | found.keys():
    if expected.get(of) != found.get(of):
        faults.append(f"{of[0]:016x} {of[1]}: {found.get(of)}, not {expected.get(of)}")
print(f"{len(found)} entries, {len(faults)} differ", *faults[:20], sep="\n")
sys.exit(bool(faults) or not found)
