#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Check the bundled game collection.  Needs python-chess (chess==1.11.2).

Every move must be legal and written in canonical SAN, the export format must
be kept, and each famous game must agree with what is known of it: result,
number of moves, last move, whether it ends in mate, and one key move.
"""

import io
import os
import re
import sys

import chess
import chess.pgn

HERE = os.path.dirname(os.path.abspath(__file__))
ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
RESULTS = {"1-0", "0-1", "1/2-1/2"}

# White, Black, year, result, full moves, last move, ends in mate, a key move;
# in the order of the file.
FAMOUS = [
    ('Anderssen, Adolf', 'Kieseritzky, Lionel', '1851',
     '1-0', 23, 'Be7#', True, 'Bd6'),
    ('Anderssen, Adolf', 'Dufresne, Jean', '1852',
     '1-0', 24, 'Bxe7#', True, 'Qxd7+'),
    ('Morphy, Paul', 'Duke of Brunswick and Count Isouard', '1858',
     '1-0', 17, 'Rd8#', True, 'Qb8+'),
    ('Steinitz, Wilhelm', 'Bardeleben, Curt von', '1895',
     '1-0', 25, 'Rxh7+', False, 'Rxe7+'),
    ('Lasker, Emanuel', 'Bauer, Johann Hermann', '1889',
     '1-0', 38, 'Qxd3', False, 'Bxg7'),
    ('Rotlewi, Georg', 'Rubinstein, Akiba', '1907',
     '0-1', 25, 'Rh3', False, 'Rxc3'),
    ('Capablanca, José Raúl', 'Marshall, Frank James', '1918',
     '1-0', 36, 'Bxf7+', False, 'Nxf2'),
    ('Réti, Richard', 'Alekhine, Alexander', '1925',
     '0-1', 40, 'Nd4', False, 'Re3'),
    ('Botvinnik, Mikhail', 'Capablanca, José Raúl', '1938',
     '1-0', 41, 'Kh5', False, 'Ba3'),
    ('Byrne, Donald', 'Fischer, Robert James', '1956',
     '0-1', 41, 'Rc2#', True, 'Be6'),
    ('Spassky, Boris', 'Bronstein, David', '1960',
     '1-0', 23, 'Qe4+', False, 'Nd6'),
    ('Fischer, Robert James', 'Spassky, Boris', '1972',
     '1-0', 41, 'Qf4', False, 'Rxf6'),
    ('Karpov, Anatoly', 'Kasparov, Garry', '1985',
     '0-1', 40, 'Re1+', False, 'Nd3'),
    ('Kasparov, Garry', 'Topalov, Veselin', '1999',
     '1-0', 44, 'Qa7', False, 'Rxd4'),
    ('Short, Nigel', 'Timman, Jan', '1991',
     '1-0', 34, 'Kg5', False, 'Kf4'),
    ('Deep Blue', 'Kasparov, Garry', '1997',
     '1-0', 19, 'c4', False, 'Nxe6'),
    ('Lasker, Edward', 'Thomas, George Alan', '1912',
     '1-0', 18, 'Kd2#', True, 'Qxh7+'),
    ('Légal, Sire de', 'Saint Brie', '1750',
     '1-0', 7, 'Nd5#', True, 'Nxe5'),
    ('Réti, Richard', 'Tartakower, Savielly', '1910',
     '1-0', 11, 'Bd8#', True, 'Qd8+'),
    ('Greco, Gioachino', 'NN', '1620',
     '1-0', 8, 'Bg6#', True, 'gxh7+'),
    ('Greco, Gioachino', 'NN', '1620',
     '1-0', 20, 'Qf7#', True, 'Bg6'),
    ('Levitsky, Stefan', 'Marshall, Frank James', '1912',
     '0-1', 23, 'Qg3', False, 'Rxh3'),
    ('Glucksberg', 'Najdorf, Miguel', '1929',
     '0-1', 22, 'h5#', True, 'Bg1'),
    ('Torre, Carlos', 'Lasker, Emanuel', '1925',
     '1-0', 43, 'g3', False, 'Bf6'),
    ('Sämisch, Friedrich', 'Nimzowitsch, Aron', '1923',
     '0-1', 25, 'h6', False, 'fxe4'),
    ('Aronian, Levon', 'Anand, Viswanathan', '2013',
     '0-1', 23, 'Be3', False, 'Nde5'),
    ('Byrne, Robert Eugene', 'Fischer, Robert James', '1963',
     '0-1', 21, 'Qd7', False, 'Nxf2'),
    ('Larsen, Bent', 'Spassky, Boris', '1970',
     '0-1', 17, 'gxf1=Q+', False, 'Rh1'),
    ('Bird, Henry Edward', 'Morphy, Paul', '1858',
     '0-1', 29, 'Qb1+', False, 'Qa3'),
    ('Paulsen, Louis', 'Morphy, Paul', '1857',
     '0-1', 28, 'Be3', False, 'Qxf3'),
    ('Zukertort, Johannes Hermann', 'Blackburne, Joseph Henry', '1883',
     '1-0', 33, 'Qxe7', False, 'Qb4'),
    ('Alekhine, Alexander', 'Nimzowitsch, Aron', '1930',
     '1-0', 30, 'h4', False, 'Qc1'),
    ('Fischer, Robert James', 'Benko, Pal', '1963',
     '1-0', 21, 'Ne2', False, 'Rf6'),
    ('Botvinnik, Mikhail', 'Tal, Mikhail', '1960',
     '0-1', 47, 'Rd7+', False, 'Nf4'),
    ('Polugaevsky, Lev', 'Nezhmetdinov, Rashid', '1958',
     '0-1', 33, 'Nc6+', False, 'Rxf4'),
    ('Ivanchuk, Vassily', 'Yusupov, Artur', '1991',
     '0-1', 39, 'Qg3', False, 'Nxh4'),
    ('Topalov, Veselin', 'Shirov, Alexei', '1998',
     '0-1', 53, 'Kb3', False, 'Bh3'),
    ('Nimzowitsch, Aron', 'Tarrasch, Siegbert', '1914',
     '0-1', 32, 'Bb5#', True, 'Bxh2+'),
    ('Capablanca, José Raúl', 'Tartakower, Savielly', '1924',
     '1-0', 52, 'd6', False, 'Kg3'),
    ('Bernstein, Ossip', 'Capablanca, José Raúl', '1914',
     '0-1', 29, 'Qb2', False, 'c3'),
    ('Adams, Edwin Ziegler', 'Torre, Carlos', '1920',
     '1-0', 23, 'Qxb7', False, 'Qg4'),
    ('Spielmann, Rudolf', 'Flamberg, Alexander', '1914',
     '1-0', 15, 'Bxc5', False, 'Nxd5'),
    ('Rosanes, Jakob', 'Anderssen, Adolf', '1862',
     '0-1', 19, 'Be3+', False, 'Qxb3'),
    ('Alekhine, Alexander', 'Vasic', '1931',
     '1-0', 11, 'Bg6#', True, 'Qxe6+'),
    ('Réti, Richard', 'Dunkelblum, Arthur', '1914',
     '1-0', 8, 'Qc5', False, 'Qxd4'),
    ('Teed, Frank Melville', 'Delmar, Eugene', '1896',
     '1-0', 8, 'Bg6#', True, 'Qxh5+'),
    ('Steinitz, Wilhelm', 'Chigorin, Mikhail', '1892',
     '1-0', 28, 'Qxd4+', False, 'Rxh7+'),
    ('Lasker, Emanuel', 'Capablanca, José Raúl', '1914',
     '1-0', 42, 'Nc5', False, 'Ne6'),
    ('Tal, Mikhail', 'Smyslov, Vasily', '1959',
     '1-0', 26, 'Bd4', False, 'Qg5'),
    ('Petrosian, Tigran', 'Spassky, Boris', '1966',
     '1-0', 30, 'Qh8+', False, 'Ne3'),
    ('Kasparov, Garry', 'Portisch, Lajos', '1983',
     '1-0', 35, 'Qb3+', False, 'Bxg7'),
    ('Carlsen, Magnus', 'Karjakin, Sergey', '2016',
     '1-0', 50, 'Qh6+', False, 'Rc8+'),
    ('Wei, Yi', 'Bruzon Batista, Lazaro', '2015',
     '1-0', 36, 'Be1', False, 'Rxf7'),
    ('Hamppe, Carl', 'Meitner, Philipp', '1872',
     '1/2-1/2', 18, 'Bb7+', False, 'Qxa4+'),
    ('Alekhine, Alexander', 'Lasker, Emanuel', '1914',
     '1/2-1/2', 16, 'Qg6', False, 'Bxh6'),
    ('Capablanca, José Raúl', 'Steiner, Herman', '1933',
     '1-0', 25, 'Qb4#', True, 'Rxf6'),
    ('Alekhine, Alexander', 'Lasker, Emanuel', '1934',
     '1-0', 26, 'Qxg6', False, 'Nf5'),
    ('McDonnell, Alexander', 'La Bourdonnais, Louis Charles de', '1834',
     '0-1', 37, 'e2', False, 'Qxd1'),
    ('Morphy, Paul', 'Anderssen, Adolf', '1858',
     '1-0', 17, 'Ke2', False, 'Qf3+'),
    ('Lilienthal, Andor', 'Capablanca, José Raúl', '1935',
     '1-0', 26, 'Rxe4+', False, 'exf6'),
    ('Nimzowitsch, Aron', 'Alapin, Semyon', '????',
     '1-0', 18, 'Re8#', True, 'Qd8+'),
    ('Réti, Richard', 'Bogoljubov, Efim', '1924',
     '1-0', 25, 'Be8', False, 'Bf7+'),
]

errors = []


def fail(where, what):
    errors.append(f"{where}: {what}")


def read(name):
    with open(os.path.join(HERE, name), "rb") as f:
        raw = f.read()
    if b"\r" in raw or b"\t" in raw or raw.startswith(b"\xef\xbb\xbf"):
        fail(name, "carriage return, tab or byte order mark")
    text = raw.decode("utf-8")
    if not text.endswith("\n") or text.endswith("\n\n") or "\n\n\n" in text:
        fail(name, "blank lines are not as they should be")
    for n, line in enumerate(text.split("\n"), 1):
        if len(line) > 79 or line != line.rstrip():
            fail(name, f"line {n} is too long or ends in a space")
    blocks = text.rstrip("\n").split("\n\n")
    if len(blocks) % 2:
        fail(name, "tags and moves do not come in pairs")
    return text, list(zip(blocks[::2], blocks[1::2]))


def tags_of(where, block):
    tags = {}
    for line in block.split("\n"):
        m = re.fullmatch(r'\[([A-Za-z0-9]+) "([^"\\]*)"\]', line)
        if not m or m[1] in tags:
            fail(where, f"bad or repeated tag: {line}")
            continue
        tags[m[1]] = m[2]
    names = list(tags)
    if names[:7] != ROSTER:
        fail(where, "the seven tag roster is not first and in order")
    if names[7:] != sorted(names[7:]):
        fail(where, "the other tags are not in alphabetical order")
    if not re.fullmatch(r"(\d{4}|\?{4})\.(\d\d|\?\?)\.(\d\d|\?\?)", tags["Date"]):
        fail(where, f"date {tags['Date']}")
    if not re.fullmatch(r"\d+|\?", tags["Round"]):
        fail(where, f"round {tags['Round']}")
    if "ECO" in tags and not re.fullmatch(r"[A-E]\d\d", tags["ECO"]):
        fail(where, f"ECO {tags['ECO']}")
    if tags["Result"] not in RESULTS:
        fail(where, f"result {tags['Result']}")
    return tags


def play(where, tags, moves):
    """Play bare moves; give the last board and the list of moves."""
    board = chess.Board(tags.get("FEN", chess.STARTING_FEN),
                        chess960=tags.get("Variant") == "Chess960")
    if ("FEN" in tags) != (tags.get("SetUp") == "1"):
        fail(where, "FEN and SetUp do not agree")
    if not board.is_valid():
        fail(where, "the first position is not valid")
    tokens = moves.split()
    if tokens[-1] != tags["Result"]:
        fail(where, "the result tag and the end of the moves differ")
    sans = []
    number_due = True
    for tok in tokens[:-1]:
        if number_due and board.turn == chess.WHITE:
            if tok != f"{board.fullmove_number}.":
                fail(where, f"expected move number {board.fullmove_number}, found {tok}")
                break
            number_due = False
            continue
        try:
            move = board.parse_san(tok)
        except ValueError as e:
            fail(where, f"move {board.fullmove_number}: {e}")
            break
        if board.san(move) != tok:
            fail(where, f"{tok} should be written {board.san(move)}")
        board.push(move)
        sans.append(tok)
        number_due = True
    if board.is_checkmate():
        won = "0-1" if board.turn == chess.WHITE else "1-0"
        if tags["Result"] != won:
            fail(where, "mate, but the result says otherwise")
    return board, sans


def parse_all(name, text):
    """A second reading, with the PGN reader of python-chess."""
    stream = io.StringIO(text)
    games = []
    while (game := chess.pgn.read_game(stream)) is not None:
        for e in game.errors:
            fail(name, f"reader: {e}")
        games.append(game)
    return games


def check_famous():
    text, pairs = read("famous.pgn")
    if not 55 <= len(pairs) <= 65 or len(pairs) != len(FAMOUS):
        fail("famous.pgn", f"{len(pairs)} games, {len(FAMOUS)} in the table")
    seen = {}
    for (tag_block, moves), want in zip(pairs, FAMOUS):
        where = f"famous.pgn, {want[0]} - {want[1]} {want[2]}"
        tags = tags_of(where, tag_block)
        board, sans = play(where, tags, moves)
        got = (tags["White"], tags["Black"], tags["Date"][:4], tags["Result"],
               (len(sans) + 1) // 2, sans[-1], board.is_checkmate())
        if got != want[:7]:
            fail(where, f"found {got}, expected {want[:7]}")
        if want[7] not in sans:
            fail(where, f"the key move {want[7]} is missing")
        key = tuple(sans)
        if key in seen:
            fail(where, f"same moves as {seen[key]}")
        seen[key] = where
    if len(parse_all("famous.pgn", text)) != len(pairs):
        fail("famous.pgn", "the two readings differ in number of games")
    return len(pairs), seen


def check_chess960():
    text, pairs = read("chess960.pgn")
    (tag_block, moves), = pairs
    tags = tags_of("chess960.pgn", tag_block)
    board, sans = play("chess960.pgn", tags, moves)
    start = chess.Board(tags["FEN"], chess960=True)
    number = start.chess960_pos()
    if tags.get("Variant") != "Chess960" or number in (None, 518):
        fail("chess960.pgn", "not a Chess960 start array")
    if "composed" not in tags["Event"]:
        fail("chess960.pgn", "the event does not say that the game is composed")
    if "O-O" not in sans[0::2] or "O-O-O" not in sans[1::2]:
        fail("chess960.pgn", "both sides should castle, in different ways")
    parse_all("chess960.pgn", text)


def check_setup():
    text, pairs = read("setup.pgn")
    (tag_block, moves), = pairs
    tags = tags_of("setup.pgn", tag_block)
    board, sans = play("setup.pgn", tags, moves)
    if (len(sans), sans[-1], tags["Result"]) != (13, "Kb3", "1-0") or "c8=R" not in sans:
        fail("setup.pgn", "not the known solution")
    # Black cannot stop both threats: whatever he plays, White mates or takes
    # the rook at once.
    for move in list(board.legal_moves):
        board.push(move)
        if not any(mates(board, m) or takes_rook(board, m) for m in board.legal_moves):
            fail("setup.pgn", f"the last move does not win against {move}")
        board.pop()
    # And a queen would only draw.
    board = chess.Board(tags["FEN"])
    for san in sans[:10] + ["c8=Q", "Rc4+", "Qxc4"]:
        board.push_san(san)
    if not board.is_stalemate():
        fail("setup.pgn", "the queen should be stalemate")
    parse_all("setup.pgn", text)


def mates(board, move):
    board.push(move)
    mate = board.is_checkmate()
    board.pop()
    return mate


def takes_rook(board, move):
    return board.piece_type_at(move.to_square) == chess.ROOK


def check_annotated(seen):
    text, pairs = read("annotated.pgn")
    (tag_block, moves), = pairs
    where = "annotated.pgn"
    tags = tags_of(where, tag_block)
    games = parse_all(where, text)
    if len(games) != 1:
        fail(where, "one game expected")
    game = games[0]
    # Every move in it, in all variations, in canonical SAN: take out the
    # comments and compare with what the reader made of the moves.
    bare = re.sub(r"\{[^}]*\}", " ", moves)
    bare = re.sub(r"\$\d+|\d+\.+|[()]", " ", bare)
    tokens = [re.sub(r"[!?]+$", "", t) for t in bare.split()]
    nodes, depth = [], 0
    stack = [(game, 0)]
    while stack:
        node, d = stack.pop()
        depth = max(depth, d)
        for i, child in enumerate(node.variations):
            nodes.append(child.san())
            stack.append((child, d + (i > 0)))
    if sorted(tokens[:-1]) != sorted(nodes) or tokens[-1] != tags["Result"]:
        fail(where, "the moves are not all in canonical SAN")
    if depth < 2:
        fail(where, "variations should be nested two deep")
    line = list(game.mainline())
    sans = [n.san() for n in line]
    if (len(sans), sans[-1], line[-1].board().is_checkmate()) != (27, "Ba6#", True):
        fail(where, "not 14 moves ending in mate by Ba6")
    if "Qxc6+" not in sans or tags["Result"] != "1-0":
        fail(where, "key move or result")
    if tuple(sans) in seen:
        fail(where, "the same game is in famous.pgn")
    before = line[-3].board()
    if before.legal_moves.count() != 1:
        fail(where, "13...bxc6 should be the only legal move")
    for want in ("[%clk ", "[%eval ", "[%csl ", "[%cal "):
        if want not in moves:
            fail(where, f"no {want}] comment")
    if not game.comment or not line[-1].comment or not re.search(r"\$\d", moves) \
            or not re.search(r"[a-h][1-8][!?]", moves):
        fail(where, "a kind of comment or mark is missing")


count, seen = check_famous()
check_chess960()
check_setup()
check_annotated(seen)
for e in errors:
    print("FAIL", e)
if errors:
    sys.exit(1)
mated = sum(1 for row in FAMOUS if row[6])
print(f"all good: famous.pgn {count} games ({mated} end in mate); "
      "chess960.pgn, setup.pgn and annotated.pgn one game each")
