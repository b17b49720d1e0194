"""Compares games as python-chess reads them: each line is a JSON list of a name, a source and what was written.

Games that python-chess reads with errors are counted and passed over. Prints one JSON object; what differs is
told on standard error."""

import io
import json
import logging
import sys
from collections import Counter

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


same, unread, different, positions = Counter(), Counter(), [], 0
for line in open(sys.argv[1], encoding="utf-8"):
    name, source, written = json.loads(line)
    source, written = read(source), read(written)
    if source is None or source.errors:
        unread[name] += 1
        continue
    a, b = described(source), described(written) if written and not written.errors else []
    positions += len(a)
    if a == b:
        same[name] += 1
    else:
        different.append(name)
        first = next((pair for pair in zip(a, b) if pair[0] != pair[1]), (len(a), len(b)))
        print(name, source.headers.get("Event"), *first, sep="\n  ", file=sys.stderr)
print(json.dumps({"same": same, "unread": unread, "different": different, "positions": positions}))
