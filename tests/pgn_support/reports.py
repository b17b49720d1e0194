"""Asks `plybook report` for players, for all games and for events, and compares with what a count of the PGN by python-chess says.

python reports.py PROGRAM ARCHIVE FILE.pgn OPENINGS PLAYERS   exit status 1 if an answer differs, which is printed.
The games of the file are those of the archive. OPENINGS is the folder of the tables of openings.
"""
import collections, fractions, glob, json, math, subprocess, sys
import chess, chess.pgn

PROGRAM, ARCHIVE, FILE, OPENINGS, PLAYERS = sys.argv[1:]
# FIDE Handbook B.02, 8.1.1: what 50, 51 ... 100 percent are above the mean rating of the opponents.
ABOVE = """0 7 14 21 29 36 43 50 57 65 72 80 87 95 102 110 117 125 133 141 149 158 166 175 184 193 202 211 220 230 240 251 262
273 284 296 309 322 336 351 366 383 401 422 444 470 501 538 589 677 800"""
ABOVE = [int(number) for number in ABOVE.split()]
FIELDS = ["games", "wins", "draws", "losses", "other", "percent", "mean_opponent", "performance"]


def read_openings():
    names = {}
    for path in glob.glob(OPENINGS + "/*.tsv"):
        with open(path, encoding="utf-8") as file:
            for line in list(file)[1:]:
                eco, name, moves = line.rstrip("\n").split("\t")[:3]
                board = chess.Board()
                for word in moves.split():
                    if not word.endswith("."):
                        board.push_san(word)
                names[board.epd(en_passant="legal")] = (eco, name)
    return names


def number(text):
    return int(text) if text.isdigit() and int(text) > 0 else None


def read_games():
    games = []
    with open(FILE, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            tags, board, opening, sans = game.headers, game.board(), None, []
            opening = NAMES.get(board.epd(en_passant="legal"))
            for ply, move in enumerate(game.mainline_moves()):
                if ply < 4:
                    sans.append(board.san(move))
                board.push(move)
                opening = NAMES.get(board.epd(en_passant="legal"), opening)
            year = tags.get("Date", "????")[:4]
            games.append(
                {
                    "names": (tags.get("White"), tags.get("Black")),
                    "elo": (number(tags.get("WhiteElo", "")), number(tags.get("BlackElo", ""))),
                    "result": tags.get("Result", "*"),
                    "year": number(year),
                    "event": (tags.get("Event"), tags.get("Site")),
                    "opening": opening,
                    "sans": sans,
                    "plies": game.end().ply() - game.ply(),
                    "left": board.piece_map().values(),
                }
            )
    return games


def rounded(fraction):
    return math.floor(fraction + fractions.Fraction(1, 2))


def above(percent):
    """What a score is worth, linear between whole percents."""
    if percent < 50:
        return -above(100 - percent)
    low = int(percent)
    high = min(low + 1, 100)
    return ABOVE[low - 50] + (ABOVE[high - 50] - ABOVE[low - 50]) * (percent - low)


def score(games):
    """Of pairs of a game and a side, 0 or 1."""
    won = {"1-0": 0, "0-1": 1}
    points, rated, ratings = [], [], []
    for game, side in games:
        rating, result = game["elo"][1 - side], game["result"]
        point = None
        if result in won:
            point = 2 if won[result] == side else 0
        elif result == "1/2-1/2":
            point = 1
        points.append(point)
        if rating is not None:
            ratings.append(rating)
            if point is not None:
                rated.append((point, rating))
    ended = [point for point in points if point is not None]
    percent = fractions.Fraction(100 * sum(ended), 2 * len(ended)) if ended else None
    performance = None
    if rated:
        share = fractions.Fraction(100 * sum(point for point, _ in rated), 2 * len(rated))
        mean = fractions.Fraction(sum(rating for _, rating in rated), len(rated))
        performance = rounded(mean + above(share))
    return {
        "games": len(points),
        "wins": points.count(2),
        "draws": points.count(1),
        "losses": points.count(0),
        "other": points.count(None),
        "percent": percent,
        "mean_opponent": rounded(fractions.Fraction(sum(ratings), len(ratings))) if ratings else None,
        "performance": performance,
    }


def ask(*arguments):
    command = [PROGRAM, "report", "-a", ARCHIVE, "--format", "json", "--lines", "100000", *arguments]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def same(what, expected, told):
    """Compares; percentages to a millionth."""
    global different, compared
    compared += 1
    is_number = isinstance(expected, fractions.Fraction) and told is not None
    if abs(float(expected) - told) > 1e-6 if is_number else expected != told:
        different += 1
        print(what, "should be", expected, "and is", told)


def same_score(what, games, told):
    for field, expected in score(games).items():
        same("%s: %s" % (what, field), expected, told[field])


def same_parts(what, games, key, rows, told_key):
    parts = collections.defaultdict(list)
    for game, side in games:
        parts[key(game, side)].append((game, side))
    same(what, sorted(map(repr, parts)), sorted(repr(told_key(row)) for row in rows))
    for row in rows:
        same_score("%s %s" % (what, told_key(row)), parts.get(told_key(row), []), row)


def family(opening):
    return opening[1].split(":")[0] if opening else None


def check_player(name):
    told = ask("--player", '"%s"' % name.replace('"', ""))
    games = [(game, side) for game in GAMES for side in (0, 1) if game["names"][side] == name]
    same(name, [{"name": name, "games": len(games)}], told["names"])
    same_score(name, games, told["total"])
    band = lambda game, side: None if game["elo"][1 - side] is None else game["elo"][1 - side] // 100 * 100
    same_parts(name, games, band, told["opponents"], lambda row: row["from"])
    same_parts(name, games, lambda game, _: game["year"], told["years"], lambda row: row["year"])
    for side, colour in enumerate(["white", "black"]):
        own = [(game, at) for game, at in games if at == side]
        what = "%s as %s" % (name, colour)
        same_score(what, own, told[colour])
        openings = told["openings_as_" + colour]
        exact = lambda row: None if row["eco"] is None else (row["eco"], row["opening"])
        same_parts(what, own, lambda game, _: game["opening"], openings["most_played"], exact)
        same_parts(what, own, lambda game, _: family(game["opening"]), openings["families"], lambda row: row["family"])
        check_lines(what, own, told["lines_as_" + colour], side)


def check_lines(what, games, told, side):
    begun = [(game, at) for game, at in games if game["sans"]]
    least = max(1, -(-4 * len(begun) // 100))

    def word(game, ply):
        if ply >= len(game["sans"]):
            return ""
        is_other = side == 1 and game["sans"][0] not in ("e4", "d4")
        if is_other:
            return [None, game["sans"][1] if len(game["sans"]) > 1 else "", "", ""][ply]
        return game["sans"][ply]

    def check(games, lines, ply):
        parts = collections.defaultdict(list)
        for game, at in games:
            if ply < 4 and word(game, ply) != "":
                parts[word(game, ply)].append((game, at))
        often = {san for san, part in parts.items() if len(part) >= least}
        same("%s, ply %d" % (what, ply), sorted(map(str, often)), sorted(str(line["san"]) for line in lines))
        for line in lines:
            same_score("%s, ply %d %s" % (what, ply, line["san"]), parts[line["san"]], line)
            check(parts[line["san"]], line["lines"], ply + 1)

    check(begun, told, 0)


def results(games):
    found = [game["result"] for game in games]
    return [len(found), found.count("1-0"), found.count("1/2-1/2"), found.count("0-1"), found.count("*")]


def told_results(row):
    return [row[name] for name in ("games", "white", "draws", "black", "other")]


def ending(game):
    """The pieces of each side besides kings and pawns, those worth more first."""
    sides = []
    for colour in (True, False):
        letters = [piece.symbol().upper() for piece in game["left"] if piece.color == colour]
        letters = sorted((letter for letter in letters if letter not in "KP"), key="QRBN".index)
        sides.append((sum({"Q": 9, "R": 5, "B": 3, "N": 3}[letter] for letter in letters), letters))
    if max(len(letters) for _, letters in sides) > 2:
        return None
    sides.sort(key=lambda side: (side[0], [side[1].count(letter) for letter in "QRBN"]), reverse=True)
    return " ".join("K" + "".join(letters) for _, letters in sides)


def check_overview():
    told = ask()
    same("all games", results(GAMES), told_results(told["results"]))

    def difference(game):
        if None in game["elo"]:
            return (None, None)
        low = min(max((game["elo"][0] - game["elo"][1]) // 100 * 100, -500), 400)
        return (low if low > -500 else None, low + 99 if low < 400 else None)

    def length(game):
        moves = (game["plies"] + 1) // 2
        low = (moves - 1) // 10 * 10 + 1 if moves else 0
        return (101, None) if low > 100 else (low, low + 9 if moves else 0)

    both = lambda row: (row["from"], row["to"])
    for what, key, rows, told_key in [
        ("difference", difference, told["rating_differences"], both),
        ("length", length, told["lengths"]["bands"], both),
        ("opening", lambda game: game["opening"], told["openings"], lambda row: row["eco"] and (row["eco"], row["opening"])),
        ("family", lambda game: family(game["opening"]), told["families"], lambda row: row["family"]),
        ("ending", ending, told["endings"], lambda row: row["ending"]),
    ]:
        parts = collections.defaultdict(list)
        for game in GAMES:
            parts[key(game)].append(game)
        same(what, sorted(map(repr, parts)), sorted(repr(told_key(row)) for row in rows))
        for row in rows:
            same("%s %s" % (what, told_key(row)), results(parts[told_key(row)]), told_results(row))
    for period in told["periods"]:
        games = [game for game in GAMES if game["year"] is not None and period["from"] is not None]
        games = [game for game in games if period["from"] <= game["year"] <= period["to"]]
        games = games or [game for game in GAMES if game["year"] is None]
        same("years from %s" % period["from"], results(games), told_results(period))
        counts = collections.Counter(family(game["opening"]) for game in games if game["opening"])
        best = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:3]
        same("openings of %s" % period["from"], best, [(of["family"], of["games"]) for of in period["families"]])


def check_events(most):
    events = collections.defaultdict(list)
    for game in GAMES:
        events[game["event"] + (game["year"],)].append(game)
    chosen = [(key, games) for key, games in events.items() if 10 <= len(games) and "?" not in key[0] and key[2]]
    chosen.sort(key=lambda item: (-len(item[1]), item[0]))
    checked = 0
    for (event, site, year), games in chosen:
        names = {name for game in games for name in game["names"]}
        if checked == most or len(names) > 100 or any('"' in text for text in (event, site)):
            continue
        checked += 1
        told = ask("--event", '"%s"' % event, "--site", '"%s"' % site, "--date", str(year))["events"]
        same("%s: tables" % event, [(event, site, year)], [(of["event"], of["site"], of["year"]) for of in told])
        check_event(event, names, games, told[0])
    same("events compared", most, checked)


def check_event(event, names, games, told):
    points, own = collections.Counter(), collections.defaultdict(list)
    worth = {"1-0": (1, 0), "0-1": (0, 1), "1/2-1/2": (0.5, 0.5), "*": (None, None)}
    for game in games:
        for side in (0, 1):
            own[game["names"][side]].append((game["names"][1 - side], worth[game["result"]][side]))
            points[game["names"][side]] += worth[game["result"]][side] or 0
    beaten = {name: sum((point or 0) * points[other] for other, point in own[name]) for name in names}
    players = told["players"]
    same(event, sorted(names), sorted(player["player"] for player in players))
    order = [(-points[player["player"]], -beaten[player["player"]], player["player"]) for player in players]
    same("%s: order" % event, sorted(order), order)
    for number, player in enumerate(players):
        name = player["player"]
        what = "%s: %s" % (event, name)
        same(what, (points[name], beaten[name]), (player["points"], player["sonneborn_berger"]))
        better = sum((points[other], beaten[other]) > (points[name], beaten[name]) for other in names)
        same(what + " place", better + 1, player["place"])
        cells = collections.defaultdict(list)
        for other, point in own[name]:
            cells[other].append({1: "1", 0: "0", 0.5: "½", None: "*"}[point])
        told_cells = {players[of["opponent"]]["player"]: sorted(of["results"]) for of in player["against"]}
        same(what + " against", {other: sorted(signs) for other, signs in cells.items()}, told_cells)


NAMES = read_openings()
GAMES = read_games()
different = compared = 0
counts = collections.Counter(name for game in GAMES for name in game["names"])
# What python-chess calls "?" may be a tag that is missing.
players = [name for name, _ in counts.most_common() if name != "?"][: int(PLAYERS)]
for name in players:
    check_player(name)
check_overview()
check_events(5)
print(len(GAMES), "games,", len(players), "players;", compared, "numbers compared,", different, "differ")
sys.exit(different > 0)
