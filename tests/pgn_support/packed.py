# Run behind the reader that docs/columns.md shows: reads packed.jsonl, and compares it with the FEN of fens.jsonl.
import json

compared = 0
for packed, of in zip(open("packed.jsonl"), open("fens.jsonl"), strict=True):
    packed, of = json.loads(packed), json.loads(of)
    assert (packed["game_id"], packed["ply"]) == (of["game_id"], of["ply"])
    if packed["position"] is None:
        continue
    pieces, turn, castling, en_passant = read(bytes.fromhex(packed["position"]))
    board, side, rights, passed = of["fen"].split()[:4]
    rows = ["".join(pieces[8 * rank : 8 * rank + 8]) for rank in range(7, -1, -1)]
    for empty in range(8, 0, -1):
        rows = [row.replace("." * empty, str(empty)) for row in rows]
    square = lambda number: "abcdefgh"[number % 8] + str(number // 8 + 1)
    assert ("/".join(rows), turn) == (board, side), (packed, of)
    assert [square(number) for number in en_passant] == [passed] * (passed != "-"), (packed, of)
    rooks = [square(number)[1] for number in castling]
    assert sorted(rooks) == sorted("1" if right.isupper() else "8" for right in rights if right != "-"), (packed, of)
    compared += 1
assert compared > 1000, compared
