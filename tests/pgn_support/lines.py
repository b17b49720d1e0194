"""Asks `plybook repertoire` and `plybook prepare`, and compares with what a count of the PGN by python-chess says.

python lines.py PROGRAM ARCHIVE FILE.pgn LINES.pgn PLAYERS   exit status 1 if an answer differs, which is printed.
The games of FILE are those of the archive, in its order. PLAYERS are so many of those with most games.
"""
import collections, json, subprocess, sys
import chess, chess.pgn

PROGRAM, ARCHIVE, FILE, LINES, PLAYERS = sys.argv[1:]
WHITE, DRAW, BLACK = "1-0", "1/2-1/2", "0-1"
different = compared = 0


def same(what, expected, told):
    global different, compared
    compared += 1
    if expected != told:
        different += 1
        print(what, "should be", expected, "and is", told)


def ask(*arguments):
    command = [PROGRAM, *arguments, "-a", ARCHIVE]
    return subprocess.run(command, capture_output=True, text=True).stdout


def key(board):
    return board.epd(en_passant="legal")


def read(path):
    games = []
    with open(path, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            games.append(game)
    return games


class Played:
    """A game: its positions, and what was played in each."""

    def __init__(self, game):
        board = game.board()
        self.names = (game.headers.get("White"), game.headers.get("Black"))
        self.result = game.headers.get("Result")
        self.keys, self.sans = [key(board)], []
        for move in game.mainline_moves():
            self.sans.append(board.san_and_push(move))
            self.keys.append(key(board))


# --- repertoire


def lines_of(games):
    """The moves of every line by its position, and the side to move there."""
    book, todo = {}, [(game, game.board()) for game in games]
    while todo:
        node, board = todo.pop()
        moves = book.setdefault(key(board), (board.turn, []))[1]
        for child in node.variations:
            san = board.san(child.move)
            if san not in moves:
                moves.append(san)
            after = board.copy(stack=False)
            after.push(child.move)
            todo.append((child, after))
    return book


def departure(game, book, owner):
    """By whom a game leaves the lines, with which move; and where."""
    last = max((ply for ply, at in enumerate(game.keys) if at in book), default=None)
    if last is None:
        return "never in it", None, None
    at, (turn, moves) = game.keys[last], book[game.keys[last]]
    if last == len(game.sans):
        return "ended", None, at
    by = "end of line" if not moves else "own" if turn == owner else "opponent"
    return by, game.sans[last], at


def check_repertoire(colour):
    owner = colour == "white"
    book = lines_of(read(LINES))
    rows = ask("repertoire", LINES, "--as", colour, "--by-game", "--format", "jsonl").splitlines()
    same("%s: games" % colour, len(GAMES), len(rows))
    sums, totals = collections.defaultdict(collections.Counter), collections.Counter()
    names = {"reply": "opponent", "own": "own", "end": "end of line", "finished": "ended", None: "never in it"}
    for number, (game, row) in enumerate(zip(GAMES, map(json.loads, rows)), 1):
        by, san, at = departure(game, book, owner)
        totals[by] += 1
        sums[by, at, san][game.result] += 1
        told = row["move"] and row["move"].split(" ")[-1]
        same("%s: game %d" % (colour, number), (by, san), (names[row["kind"]], told))
    answer = json.loads(ask("repertoire", LINES, "--as", colour, "--format", "json"))
    same("%s: positions" % colour, len(book), answer["positions"])
    told = {
        "opponent": answer["reply"],
        "own": answer["own"],
        "end of line": answer["end"],
        "ended": answer["finished"],
        "never in it": answer["outside"],
    }
    same("%s: totals" % colour, {name: totals[name] for name in told}, told)
    seen = set()
    for row in answer["departures"]:
        board = chess.Board(row["fen"])
        which = (names[row["kind"]], key(board), row["move"].split(" ")[-1])
        results = sums.get(which, {})
        seen.add(which)
        expected = [sum(results.values()), results.get(WHITE, 0), results.get(DRAW, 0), results.get(BLACK, 0)]
        same("%s: %s" % (colour, which), expected, [row[name] for name in ("games", "white", "draws", "black")])
        same("%s: %s: lines" % (colour, which), sorted(book[which[1]][1]), sorted(row["book"]))
    left = {which for which in sums if which[0] in ("opponent", "own", "end of line")}
    same("%s: departures" % colour, left, seen)


# --- prepare


def check_prepare(name, colour):
    own = 1 if colour == "white" else 0
    games = [game for game in GAMES if game.names[own] == name]
    options = ["--tree", "7", "--min-games", "2", "--min-share", "0", "--format", "json"]
    told = json.loads(ask("prepare", "--against", '"%s"' % name, "--as", colour, *options))
    start = key(chess.Board())
    lines = [(game, after_last_visit(game, start)) for game in games if start in game.keys]
    same("%s as %s" % (name, colour), len(lines), told["games"])
    walk(told["lines"], chess.Board(), games, lines, (name, colour), own)


def after_last_visit(game, position):
    """The moves after the last visit to a position from which the game moved on; none if it never did."""
    visits = [ply for ply, at in enumerate(game.keys) if at == position]
    return game.sans[max((ply for ply in visits if ply < len(game.sans)), default=visits[-1]):]


def having(games, position):
    return [game for game in games if position in game.keys]


def playing(games, position, san):
    """Games that play a move in a position, whichever time they have it."""
    return [g for g in games if any(at == position and played == san for at, played in zip(g.keys, g.sans))]


def walk(told, board, games, lines, what, own, depth=0):
    """`lines` are the games that played the moves before, each with its moves after its last visit to the start."""
    here = key(board)
    all_here = having(GAMES, here)
    by_move = collections.Counter(sans[depth] for _, sans in lines if len(sans) > depth)
    expected = {san: count for san, count in by_move.items() if count >= 2}
    same("%s %s" % (what, here), expected, {line["san"]: line["games"] for line in told})
    for line in told:
        name, san = "%s %s %s" % (what, here, line["san"]), line["san"]
        these = [(game, sans) for game, sans in lines if sans[depth:depth + 1] == [san]]
        results = collections.Counter(game.result for game, _ in these)
        same(name + " results", [results[r] for r in (WHITE, DRAW, BLACK)], [line[n] for n in ("white", "draws", "black")])
        same(name + " in all", [len(all_here), len(playing(all_here, here, san))], [line["all_here"], line["all_games"]])
        after = board.copy(stack=False)
        after.push_san(san)
        reached = len(having(games, key(after)))
        same(name + " after", len(having(GAMES, key(after))), line["all_after"])
        same(name + " reached", [reached, reached - len(these)], [line["reached"], line["by_transposition"]])
        same(name + " side", (board.turn == chess.BLACK) == (own == 1), line["by_player"])
        if line["lines"]:
            walk(line["lines"], after, games, these, what, own, depth + 1)


GAMES = [Played(game) for game in read(FILE)]
for colour in ("white", "black"):
    check_repertoire(colour)
    own = 1 if colour == "white" else 0
    names = collections.Counter(game.names[own] for game in GAMES)
    for name, _ in names.most_common(int(PLAYERS)):
        check_prepare(name, colour)
print("%d comparisons, %d differences" % (compared, different))
sys.exit(different > 0 or compared < 1000)
