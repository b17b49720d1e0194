"""Plants near duplicates of the games of a collection, to measure how many of them `plybook duplicates` finds.

    plant.py GAMES.pgn COUNT SEED PLANTED.pgn TRUTH.csv

A line of TRUTH.csv has the number of a planted game in PLANTED.pgn, the number of its original in GAMES.pgn, and what
was changed. Needs python-chess.
"""

import csv
import io
import random
import re
import sys

import chess
import chess.pgn

KINDS = ["names", "shorter", "ending", "transposed", "date", "result"]

# Spellings in the manner of other languages; one pair is one language's habit.
SOUNDS = [("sch", "sh"), ("tch", "ch"), ("kh", "h"), ("ch", "tsch"), ("sh", "sch"), ("v", "w"), ("w", "v"),
          ("ov", "off"), ("y", "j"), ("y", "i"), ("j", "y"), ("x", "ks"), ("ks", "x"), ("c", "k"), ("k", "c"),
          ("z", "s"), ("ii", "y"), ("ue", "ü"), ("ae", "ä"), ("oe", "ö"), ("ss", "s"), ("s", "ss"), ("zh", "j"),
          ("ei", "ey"), ("ai", "ay"), ("iu", "yu"), ("ts", "c"), ("ph", "f"), ("f", "ph")]


def misspelled(word, rng):
    """A word with one letter dropped, doubled, replaced or swapped with the next."""
    if len(word) < 4:
        return word
    at = rng.randrange(1, len(word) - 1)
    return rng.choice([word[:at] + word[at + 1:], word[:at] + word[at] + word[at:],
                       word[:at] + rng.choice("aeiounrst") + word[at + 1:],
                       word[:at] + word[at + 1] + word[at] + word[at + 2:]])


def transliterated(name, rng):
    """A name with one or two sounds spelled differently."""
    lower = name.lower()
    usable = [pair for pair in SOUNDS if pair[0] in lower[1:]]
    for old, new in rng.sample(usable, min(len(usable), rng.choice([1, 1, 2]))):
        name = name[0] + re.sub(old, new, name[1:], count=1)
    return name


def renamed(name, rng):
    family, _, given = (part.strip() for part in name.partition(","))
    ways = [f"{misspelled(family, rng)}, {given}", f"{transliterated(family, rng)}, {given}", family.upper() + ", " + given]
    if given:
        initial = given[0]
        ways += [f"{given} {family}", f"{family}, {initial}", f"{family},{initial}.", family, f"{initial}. {family}",
                 f"{family} {given}", f"{transliterated(family, rng)}, {initial}"]
    ways = [way.strip(", ") for way in ways]
    return rng.choice([way for way in ways if way != name] or [name])


def redated(date, rng):
    year, month, day = date.split(".")
    ways = []
    if year.isdigit():
        ways += [f"{int(year) + shift}.{month}.{day}" for shift in (-1, 1)]
    if month.isdigit() and day.isdigit():
        ways += [f"{year}.??.??", f"{year}.{month}.??"]
        if int(day) <= 12 and day != month:
            ways += [f"{year}.{day}.{month}"] * 2
    ways = [way for way in ways if not way.endswith("02.29")]
    return rng.choice(ways) if ways else None


def reach(moves):
    board = chess.Board()
    for move in moves:
        board.push(move)
    return board


def with_ending(moves, rng):
    """The last one to six plies replaced by other legal ones."""
    if len(moves) < 4:
        return None
    count = rng.randint(1, min(6, len(moves) // 3 + 1))
    board, new = reach(moves[:-count]), moves[:-count]
    for old in moves[-count:]:
        legal = [move for move in board.legal_moves if move != old]
        if not legal:
            break
        new.append(rng.choice(legal))
        board.push(new[-1])
    return new if len(new) > len(moves) - count else None


def transposed(moves, rng):
    """Two neighbouring plies of a side, or two pairs of moves, swapped, with the same position after them."""
    for at in rng.sample(range(max(len(moves) - 3, 0)), min(len(moves) - 3, 60) if len(moves) > 3 else 0):
        a, b, c, d = moves[at:at + 4]
        swapped = rng.choice([[c, b, a, d], [c, d, a, b]])
        if a == c or swapped == [a, b, c, d]:
            continue
        board, before = reach(moves[:at]), reach(moves[:at + 4])
        if all(move in board.legal_moves and board.push(move) is None for move in swapped) \
                and board.board_fen() == before.board_fen() and board.castling_rights == before.castling_rights:
            return moves[:at] + swapped + moves[at + 4:]
    return None


def shorter(moves, rng):
    if len(moves) < 6:
        return None
    cut = rng.randint(1, min(20, len(moves) - 5)) if rng.random() < 0.7 else int(len(moves) * rng.uniform(0.05, 0.7))
    return moves[:-cut] if cut else None


def change(kind, tags, moves, rng):
    """Changes a game in one way; returns its moves, or None if this is impossible."""
    if kind == "names":
        for side in rng.choice([["White"], ["Black"], ["White", "Black"], ["White", "Black"]]):
            tags[side] = renamed(tags[side], rng)
    elif kind == "date":
        tags["Date"] = redated(tags["Date"], rng)
        moves = moves if tags["Date"] else None
    elif kind == "result":
        tags["Result"] = rng.choice([r for r in ["1-0", "0-1", "1/2-1/2", "*"] if r != tags["Result"]])
    else:
        moves = {"shorter": shorter, "ending": with_ending, "transposed": transposed}[kind](moves, rng)
    return moves


def planted(text, first, rng):
    """A near duplicate of a game and its changes, or None if the game does not allow the first one."""
    game = chess.pgn.read_game(io.StringIO(text))
    if game.errors or "FEN" in game.headers or "Variant" in game.headers:
        return None
    tags, moves = dict(game.headers), list(game.mainline_moves())
    more = rng.choices([0, 1, 2], [50, 35, 15])[0]
    kinds = [first] + rng.sample([kind for kind in KINDS if kind != first], more)
    done = []
    for kind in sorted(kinds, key=KINDS.index):
        before = dict(tags)
        changed = change(kind, tags, moves, rng)
        if changed is None or (changed == moves and tags == before):
            tags = before
            if kind == first:
                return None
            continue
        moves = changed
        done.append(kind)
    board, words = chess.Board(), []
    for move in moves:
        words.append((f"{board.fullmove_number}. " if board.turn else "") + board.san(move))
        board.push(move)
    header = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return f"{header}\n{' '.join(words)} {tags['Result']}\n\n", done


def main():
    source, count, seed, target, truth = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5]
    rng = random.Random(seed)
    with open(source, encoding="utf-8", errors="replace") as file:
        games = ["[Event " + part for part in file.read().split("[Event ")[1:]]
    numbers = list(range(len(games)))
    rng.shuffle(numbers)
    made = 0
    with open(target, "w", encoding="utf-8") as out, open(truth, "w", newline="", encoding="utf-8") as list_file:
        rows = csv.writer(list_file)
        rows.writerow(["planted", "original", "changes"])
        for number in numbers:
            if made == count:
                break
            result = planted(games[number], KINDS[made % len(KINDS)], rng)
            if result is None:
                continue
            made += 1
            out.write(result[0])
            rows.writerow([made, number + 1, " ".join(result[1])])


main()
