#!/usr/bin/env bash
# Expected: the operation tcri of EPD, whose two operands are an address and a name, is read with both. The standard
#   allows any number of operands.
# Seen: python-chess returns only the first one, and the second as another operation without operands, its quotation
#   marks included; there is no error (chess 1.11.2; November 2026).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check chess==1.11.2
venv/bin/python -W ignore - <<'PYTHON'
import chess

line = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - tcri "black@example.org" "Black"; bm e4;'
_, operations = chess.Board.from_epd(line)
print(f"python-chess {chess.__version__}: {operations}")
del operations["bm"]
assert operations == {"tcri": "black@example.org", '"Black"': None}, "the behaviour has changed"
PYTHON
