"""Asks `plybook find` for materials, patterns and sequences of games, and compares with what python-chess sees on every board.

python conditions.py PROGRAM ARCHIVE FILE.pgn SEED   exit status 1 if an answer differs, which is printed.
The games of the file are those of the archive, in the order of their ids. Patterns are matched as regular expressions on boards
as text. What is asked for is made up from positions of the games.
"""
import random, re, subprocess, sys
import chess.pgn

PROGRAM, ARCHIVE, FILE, SEED = sys.argv[1:]
PIECES = "QRBNP"


def seen(board):
    """The board as eight ranks of letters and points, and whether White is to move."""
    return "/".join(str(board).replace(" ", "").split("\n")), board.turn


def read_games():
    games = []
    with open(FILE, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            board = game.board()
            positions = [seen(board)]
            for move in game.mainline_moves():
                board.push(move)
                positions.append(seen(board))
            games.append(positions)
            results.append(game.headers["Result"])
    return games


def expression(pattern):
    """A pattern as a regular expression, and the side to move."""
    board, _, turn = pattern.partition(" ")
    ranks = []
    for rank in board.split("/"):
        text = ""
        for sign in re.findall(r"\[[^]]*\]|.", rank):
            if sign == "*":
                text += "[^/]*"
            elif sign == "?":
                text += "[^/]"
            elif sign.isdigit():
                text += r"\.{%s}" % sign
            elif sign.startswith("[^"):
                text += "[^/" + re.escape(sign[2:-1]) + "]"
            elif sign.startswith("["):
                text += "[" + re.escape(sign[1:-1]) + "]"
            else:
                text += re.escape(sign)
        ranks.append("(?=[^/]{8}(?:/|$))" + text)
    return re.compile("/".join(ranks) + "$"), {"": None, "w": True, "b": False}[turn]


def places(pattern):
    """A pattern at every place to which its squares can be moved sideways, as it is and mirrored."""
    board, space, turn = pattern.partition(" ")
    for order in (1, -1):
        ranks = [re.findall(r"\[[^]]*\]|.", rank)[::order] for rank in board.split("/")]
        for files in range(-7, 8):
            moved = []
            for rank in ranks:
                if rank[0] != "*":
                    said = {file + files: sign for file, sign in enumerate(rank) if sign != "?"}
                    rank = [said.pop(file, "?") for file in range(8)]
                    if said:
                        break
                moved.append("".join(rank))
            else:
                yield "/".join(moved) + space + turn


def fits(wanted, position):
    regex, turn = wanted
    return turn in (None, position[1]) and regex.match(position[0]) is not None


def counts(position):
    return tuple(position[0].count(piece) for piece in PIECES + PIECES.lower())


def ranges(side):
    found = dict.fromkeys(PIECES, (0, 0))
    for piece, least, most in re.findall(r"([QRBNP])(?:\{(\d+),(\d+)\})?", side):
        least, most = (int(least), int(most)) if least else (1, 1)
        found[piece] = (found[piece][0] + least, found[piece][1] + most)
    return [found[piece] for piece in PIECES]


def ways(material):
    """The ranges for White's and Black's pieces: in one way, or in two."""
    one, other = material.split(" ")
    sides = ranges(one.split(":")[-1]), ranges(other)
    both = [sides[0] + sides[1], sides[1] + sides[0]]
    return {"w": both[:1], "b": both[1:]}.get(one[0] if ":" in one else "", both)


def ways_of_result(material, word, result):
    """Those in which the first side has won, or has lost."""
    one, other = material.split(" ")
    first = {("won", "1-0"): "w", ("won", "0-1"): "b", ("lost", "1-0"): "b", ("lost", "0-1"): "w"}.get((word, result))
    if first is None or ":" in one and one[0] != first:
        return []
    return ways(first + ":" + one.split(":")[-1] + " " + other)


def has(way, found):
    return all(least <= count <= most for (least, most), count in zip(way, found))


def first_run(known, positions, game):
    """The ply at which a material stands in one of some ways for so many positions running."""
    running = [0] * len(known)
    for ply, found in enumerate(game):
        running = [run + 1 if has(way, found) else 0 for run, way in zip(running, known)]
        if max(running, default=0) >= positions:
            return ply + 1 - positions
    return None


def some_material(found):
    def side(found):
        text = "K"
        for piece, count in zip(PIECES, found):
            if chance.random() < 0.6:
                text += piece * count
            else:
                text += "%s{%d,%d}" % (piece, max(0, count - chance.randrange(2)), count + chance.randrange(3))
        return text

    colour = chance.choice(["", "", "", "w:", "b:"])
    return colour + side(found[:5]) + " " + side(found[5:])


def some_pattern(position, kept):
    board = [list(rank) for rank in position[0].split("/")]
    signs = [["?"] * 8 for _ in range(8)]
    for _ in range(kept):
        rank, file = chance.randrange(8), chance.randrange(8)
        there = board[rank][file]
        other = chance.choice([piece for piece in "PpNnBbRr" if piece != there])
        plain = "1" if there == "." else there
        signs[rank][file] = chance.choice([plain, plain, plain, "[%s%s]" % (there, other), "[^%s]" % other])
    ranks = ["".join(rank) for rank in signs]
    rank = chance.randrange(8)
    pieces = [piece for piece in board[rank] if piece != "."]
    if pieces:
        ranks[rank] = "*%s*" % chance.choice(pieces)
    turn = chance.choice(["", "", "", "", " w" if position[1] else " b"])
    return "/".join(ranks) + turn


def found_by_program(arguments):
    run = subprocess.run(
        [PROGRAM, "find", "-a", ARCHIVE, "--format", "lines", *arguments], capture_output=True, text=True
    )
    assert run.returncode < 2, run.stderr
    return run.stdout.split()


def some_place():
    game = chance.choice(games)
    return game, chance.randrange(len(game))


def questions():
    """Arguments of the program, and what it should print."""
    for number in range(40):
        game, ply = some_place()
        material = some_material(counts(game[max(ply, min(40, len(game) - 1))]))
        positions = 1 if number % 3 else 5
        plies = [first_run(ways(material), positions, game) for game in materials]
        more = ["--min-plies", str(positions - 1)] if positions > 1 else []
        yield ["--material", material, *more], plies
    for number in range(20):
        game, ply = some_place()
        material = some_material(counts(game[max(ply, min(40, len(game) - 1))]))
        word = ["won", "lost"][number % 2]
        plies = [first_run(ways_of_result(material, word, result), 1, game) for game, result in zip(materials, results)]
        yield ["--material", material, "--result", word], plies
    for number in range(40):
        game, ply = some_place()
        pattern = some_pattern(game[ply], 4 + number % 6)
        wanted = expression(pattern)
        plies = [next((ply for ply, position in enumerate(game) if fits(wanted, position)), None) for game in games]
        yield ["--pattern", pattern], plies
    for number in range(20):
        game, ply = some_place()
        pattern = some_pattern(game[ply], 2 + number % 3)
        wanted = [expression(placed) for placed in places(pattern)]
        does_fit = lambda position: any(fits(one, position) for one in wanted)
        plies = [next((ply for ply, position in enumerate(game) if does_fit(position)), None) for game in games]
        yield ["--pattern", pattern, "--any-file"], plies
    for _ in range(20):
        game, ply = some_place()
        within = chance.choice([2, 6, 20, 500])
        later = min(len(game) - 1, ply + chance.randrange(1, 8))
        patterns = [some_pattern(game[at], 5) for at in (ply, later)]
        first, then = map(expression, patterns)
        plies = []
        for game in games:
            before = [fits(first, position) for position in game]
            after = [ply for ply, position in enumerate(game) if fits(then, position)]
            ends = (ply for ply in after if any(before[max(0, ply - within) : ply]))
            end = next(ends, None)
            # Of several beginnings the last before the first end is given.
            begins = [] if end is None else [ply for ply in range(max(0, end - within), end) if before[ply]]
            plies.append(begins[-1] if begins else None)
        yield ["--pattern", patterns[0], "--then", patterns[1], "--within", str(within)], plies


chance = random.Random(int(SEED))
results = []
games = read_games()
materials = [[counts(position) for position in game] for game in games]
asked = different = hits = 0
for arguments, plies in questions():
    expected = ["%d:%d" % (number, ply) for number, ply in enumerate(plies, 1) if ply is not None]
    found = found_by_program(arguments)
    asked, hits = asked + 1, hits + len(expected)
    if found != expected:
        different += 1
        more, less = sorted(set(found) - set(expected))[:3], sorted(set(expected) - set(found))[:3]
        print(arguments, "finds too much:", more, "and too little:", less)
print(len(games), "games;", asked, "questions,", different, "answered otherwise;", hits, "games found")
sys.exit(different > 0 or hits < len(games))
