"""Reads tables with DuckDB, pyarrow and pandas, and compares them with lists of the archive and with python-chess.

python columns.py FOLDER   exit status 1 if something differs, which is printed. The folder has games.jsonl, stored.jsonl,
games.pgn (the games of chess), stored, san, uci, list16, positions and packed, each as .parquet and as .arrow, and the
folder shards, of which the files are those of stored.parquet without its tags.
"""
import json, os, sys
import chess, chess.pgn, duckdb, numpy, pandas, pyarrow as pa, pyarrow.parquet as pq

os.chdir(sys.argv[1])
faults = []


def same(what, found, expected):
    if found != expected:
        faults.append(f"{what}: {found!r}, not {expected!r}")


def lines(name):
    with open(name, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def table(name):
    return pq.read_table(name + ".parquet")


listed, stored = lines("games.jsonl"), lines("stored.jsonl")
tables = {name: table(name) for name in ["stored", "san", "uci", "list16", "positions", "packed"]}
for name, of in tables.items():
    with pa.memory_map(name + ".arrow") as file:
        mapped = pa.ipc.open_file(file).read_all()
    same(f"schema of {name}.arrow", mapped.schema.remove_metadata(), of.schema.remove_metadata())
    same(f"rows of {name}.arrow", mapped.equals(of), True)
    same(f"columns of {name}.arrow by pandas", list(pandas.read_feather(name + ".arrow").columns), of.column_names)
same("rows of shards", duckdb.sql("SELECT * FROM 'shards/games-*.parquet' ORDER BY id").to_arrow_table().to_pylist(),
     tables["stored"].drop_columns("tags").to_pylist())
same("numbers of shards", [len(pq.read_table(f"shards/games-0000{n}-of-00003.parquet")) - len(listed) // 3 in (0, 1)
                           for n in (1, 2, 3)], [True] * 3)

# Files in folders by year and volume: all games, each once; whoever asks for a year reads its folder alone.
divided = "read_parquet('divided/**/*.parquet', hive_partitioning = true)"
same("games in folders", duckdb.sql(f"SELECT id, year, eco_volume FROM {divided} ORDER BY id").fetchall(),
     [(row["id"], row["year"], row["eco"] and row["eco"][0]) for row in tables["stored"].to_pylist()])
year = max(filter(None, tables["stored"].column("year").to_pylist()))
same("files of a year", [name for name, in duckdb.sql(f"SELECT DISTINCT filename FROM {divided[:-1]}, filename = true) WHERE year = {year}").fetchall()
                         if f"/year={year}/" not in name], [])

# Keys of positions, and a Bloom filter that knows them.
keys = pq.ParquetFile("keys.parquet")
place = keys.schema_arrow.names.index("key")
some = keys.read(columns=["key"]).column("key").to_pylist()[::97]
metadata = keys.metadata.row_group(0).column(place)
same("statistics of keys", metadata.is_stats_set, True)
probed = duckdb.sql(f"SELECT count(*) FROM parquet_bloom_probe('keys.parquet', 'key', {some[0]}) WHERE NOT bloom_filter_excludes").fetchall()[0]
same("groups that may have a key", probed[0] > 0, True)
excluded = [duckdb.sql(f"SELECT bool_and(bloom_filter_excludes) FROM parquet_bloom_probe('keys.parquet', 'key', {number})").fetchall()[0][0]
            for number in range(1, 51)]
same("groups that cannot have a key are known", sum(excluded) > 40, True)

# Packed positions, many at a time.
same("type of positions", tables["packed"].schema.field("position").type, pa.binary(33))
for fen, packed in zip(tables["positions"].column("fen").to_pylist(), tables["packed"].column("position").to_pylist()):
    if packed is None:
        continue
    bits = numpy.unpackbits(numpy.frombuffer(packed, numpy.uint8))
    numbers = bits[1:257].reshape(64, 4) @ [8, 4, 2, 1]
    rank = "".join(" " * int(c) if c.isdigit() else c for c in "".join(reversed([row + "/" for row in fen.split()[0].split("/")])).replace("/", ""))
    found = [" PNBRQKpnbrqk"[n] if n < 13 else ("PKR" if at < 32 else "pkr")[n - 13] for at, n in enumerate(numbers)]
    same(f"packed {fen}", ("".join(found), "wb"[bits[0]]), (rank, fen.split()[1]))
TYPES = {"id": pa.int64(), "year": pa.int64(), "white_elo": pa.int64(), "black_elo": pa.int64(), "plies": pa.int64()}
for name in ["stored", "san", "uci", "list16"]:
    schema = tables[name].schema
    for field in schema:
        if field.name != "moves":
            same(f"type of {field.name}", field.type, TYPES.get(field.name, pa.string()))
same("type of moves", [tables[name].schema.field("moves").type for name in ["stored", "san", "uci"]],
     [pa.binary(), pa.string(), pa.string()])
same("type of moves", tables["list16"].schema.field("moves").type.value_type, pa.uint16())

# Every column, by each of three readers. Only the title of a list, which is made of other columns, is in no table.
names = [name for name in listed[0] if name != "title"]
listed = [{name: row[name] for name in names} for row in listed]
query = f"SELECT {', '.join(names)} FROM 'stored.parquet'"
by_duckdb = [dict(zip(names, row)) for row in duckdb.sql(query).fetchall()]
frame = pandas.read_parquet("stored.parquet")
by_pandas = frame[names].astype(object).where(frame[names].notna(), None).to_dict("records")
for reader, rows in [("duckdb", by_duckdb), ("pyarrow", tables["stored"].select(names).to_pylist()), ("pandas", by_pandas)]:
    same(f"rows of {reader}", len(rows), len(listed))
    for row, expected in zip(rows, listed):
        same(f"{reader}, game {expected['id']}", row, expected)

# The moves.
columns = {name: tables[name].column("moves").to_pylist() for name in ["stored", "san", "uci", "list16"]}
for row, moves, of in zip(stored, columns["stored"], listed):
    same(f"bytes of {row['id']}", moves and moves.hex().upper(), row["moves"] if of["variant"] != "Xelto" else None)
places = [place for place, row in enumerate(listed) if row["variant"] != "Xelto"]
fens = tables["stored"].column("fen").to_pylist()
positions, at = tables["positions"].to_pylist(), 0
compared = 0
with open("games.pgn", encoding="utf-8") as file:
    for place in places:
        game, of = chess.pgn.read_game(file), listed[place]["id"]
        board, nodes = game.board(), [game]
        same(f"fen of {of}", fens[place], game.headers.get("FEN"))
        is_chess = type(board) is chess.Board
        if not is_chess:
            same(f"list of {of}", columns["list16"][place], None)
        san, uci, codes = [], [], []
        for node in game.mainline():
            if not node.move:
                break
            nodes.append(node)
            move = node.move
            san.append(board.san(move))
            uci.append(board.uci(move))
            to = move.to_square
            if is_chess and board.is_castling(move):
                rooks = board.clean_castling_rights() & (chess.BB_RANK_1 if board.turn else chess.BB_RANK_8)
                to = chess.msb(rooks) if board.is_kingside_castling(move) else chess.lsb(rooks)
            codes.append((move.promotion - 1 if move.promotion else 0) << 12 | move.from_square << 6 | to)
            board.push(move)
        same(f"san of {of}", columns["san"][place], " ".join(san))
        same(f"uci of {of}", columns["uci"][place], " ".join(uci))
        if is_chess:
            same(f"list of {of}", columns["list16"][place], codes)
        board = game.board()
        for ply, node in enumerate(nodes):
            row, at = positions[at], at + 1
            fen, score, clock = board.fen(en_passant="fen"), node.eval(), node.clock()
            same(f"place of {of}", (row["game_id"], row["ply"], row["result"]), (of, ply, listed[place]["result"]))
            if is_chess:
                same(f"fen of {of}, {ply}", row["fen"], fen)
                same(f"code of {of}, {ply}", row["move_code"], codes[ply] if ply < len(codes) else None)
            same(f"move of {of}, {ply}", row["move"], uci[ply] if ply < len(uci) else None)
            same(f"clock of {of}, {ply}", row["clock"], clock)
            same(f"mate of {of}, {ply}", row["mate"], score and score.white().mate())
            cp = score and score.white().score()
            if (cp is None) != (row["eval"] is None) or cp is not None and abs(cp - row["eval"]) > 1:
                faults.append(f"eval of {of}, {ply}: {row['eval']}, not {cp}")
            compared += 1
            if ply < len(uci):
                board.push(node.next().move)
same("positions", at, len(positions))
print(f"{len(listed)} games, {compared} positions, {len(faults)} faults", *faults[:20], sep="\n")
sys.exit(bool(faults) or compared == 0)
