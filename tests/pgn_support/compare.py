"""Compares games as python-chess reads them: each line is a JSON list of a name, a source and what was written.

Games that python-chess reads with errors are counted and passed over. Ends with 1 if any game differs."""

import io
import json
import logging
import sys

import chess.pgn

logging.disable(logging.CRITICAL)


def words(comments):
    comments = [comments] if isinstance(comments, str) else comments
    return " ".join(" ".join(comments).split())


def described(node):
    """A game as a flat list: nothing in it depends on how deep it is."""
    flat, stack = [], [(0, node)]
    while stack:
        depth, node = stack.pop()
        move = node.move.uci() if node.move else None
        starting = words(getattr(node, "starting_comment", ""))
        flat.append((depth, move, starting, words(node.comment), sorted(node.nags)))
        stack.extend((depth + 1, child) for child in reversed(node.variations))
    return flat


def read(text):
    """The game; None where python-chess itself fails."""
    try:
        return chess.pgn.read_game(io.StringIO(text))
    except (IndexError, AssertionError, ValueError):
        return None


same = passed_over = nodes = 0
for line in open(sys.argv[1], encoding="utf-8"):
    name, source, written = json.loads(line)
    source, written = read(source), read(written)
    if source is None or source.errors:
        passed_over += 1
        continue
    a, b = described(source), described(written) if written and not written.errors else []
    nodes += len(a)
    same += a == b
    if a != b:
        different = next((pair for pair in zip(a, b) if pair[0] != pair[1]), (len(a), len(b)))
        print(name, source.headers.get("Event"), *different, sep="\n  ", file=sys.stderr)
print(f"{same} the same ({nodes} positions), {passed_over} passed over")
sys.exit(0 if same + passed_over == sum(1 for _ in open(sys.argv[1])) else 1)
