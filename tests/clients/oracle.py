"""Slow, obvious opening explorer over a PGN file, by python-chess: expected answers of /masters, /lichess, /player.

python oracle.py FILE.pgn --port 9400 [--break NAME]   serves them (a stand-in to try berserk_check.py on;
--break makes it wrong in one way, to see that the check notices).
A library for exact comparison: Oracle(path).masters(play=[...]) etc.
Rules: see docs/serve.md. One game counts once a position, with the last move it plays from there.
"""
import argparse, io, json, re, sys, urllib.parse
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import chess, chess.pgn

B62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
GROUPS = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500]


def group(r): return max(g for g in GROUPS if g <= r) if r >= 0 else 0


def key(board): return board.epd(en_passant="legal")


def uci960(board, move):
    if board.is_castling(move):
        rooks = board.clean_castling_rights() & chess.BB_RANKS[chess.square_rank(move.from_square)]
        side = [s for s in chess.SquareSet(rooks) if (s > move.from_square) == (move.to_square > move.from_square)]
        return chess.square_name(move.from_square) + chess.square_name(side[0])
    return move.uci()


HALF = [0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
        240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800]  # FIDE Handbook B.02: dp for 50..100 %
DP = [-x for x in HALF[:0:-1]] + HALF


def performance(mean, score, games):
    p = 100 * score / games
    i = int(p)
    d = DP[i] if i == 100 else DP[i] * (1 - (p - i)) + DP[i + 1] * (p - i)
    x = mean + d
    return int(abs(x) + .5) * (1 if x >= 0 else -1)


assert len(DP) == 101 and performance(1500, 1, 1) == 2300 and performance(0, 5, 100) == -470


def speed(tc):
    if tc == "-": return "correspondence"
    m = re.fullmatch(r"(\d+)(?:\+(\d+))?", tc or "")
    if not m: return "classical"
    e = int(m[1]) + 40 * int(m[2] or 0)
    for n, lim in (("ultraBullet", 30), ("bullet", 180), ("blitz", 480), ("rapid", 1500)):
        if e < lim: return n
    return "classical"


class Game:
    def __init__(self, n, g):
        h = g.headers
        i = lambda t: int(h[t]) if h.get(t, "").isdigit() else 0
        self.n, self.white, self.black = n, h.get("White", "?"), h.get("Black", "?")
        self.we, self.be, self.result = i("WhiteElo"), i("BlackElo"), h.get("Result", "*")
        d = (h.get("Date") or h.get("UTCDate") or "????.??.??").split(".")
        self.year = int(d[0]) if d[0].isdigit() else 0
        self.month = int(d[1]) if len(d) > 1 and d[1].isdigit() and 1 <= int(d[1]) <= 12 else 0
        self.speed = speed(h.get("TimeControl", ""))
        self.mode = "casual" if h.get("Event", "").lower().startswith("casual") else "rated"
        self.id = ""
        x = n
        while len(self.id) < 8: self.id, x = B62[x % 62] + self.id, x // 62

    def row(self, full):
        r = {"id": self.id, "winner": {"1-0": "white", "0-1": "black"}.get(self.result)}
        if full: r |= {"speed": self.speed, "mode": self.mode}
        return r | {"black": {"name": self.black, "rating": self.be}, "white": {"name": self.white, "rating": self.we},
                    "year": self.year, "month": f"{self.year:04}-{self.month:02}" if self.year and self.month else None}


class Oracle:
    def __init__(self, path, limit=10**9):
        self.games, self.at, self.pgn = [], defaultdict(list), {}
        with open(path, encoding="utf-8", errors="replace") as f:
            while len(self.games) < limit and (g := chess.pgn.read_game(f)):
                b = g.board()
                if type(b) is not chess.Board or g.errors: continue
                e = Game(len(self.games) + 1, g)
                self.games.append(e)
                self.pgn[e.id] = g.accept(chess.pgn.StringExporter(columns=None, comments=False, variations=False))
                if e.result not in ("1-0", "0-1", "1/2-1/2"): continue
                last = {}
                for m in g.mainline_moves():
                    last[key(b)] = (uci960(b, m), b.san(m), b.turn)
                    b.push(m)
                for k, v in last.items(): self.at[k].append((e, v))

    def position(self, fen=None, play=()):
        b = chess.Board(fen.replace("_", " "), chess960=True) if fen else chess.Board(chess960=True)
        lax = (chess.STATUS_BAD_CASTLING_RIGHTS | chess.STATUS_INVALID_EP_SQUARE | chess.STATUS_TOO_MANY_WHITE_PAWNS | chess.STATUS_TOO_MANY_BLACK_PAWNS
               | chess.STATUS_TOO_MANY_WHITE_PIECES | chess.STATUS_TOO_MANY_BLACK_PIECES)
        if b.status() & ~lax: raise ValueError("illegal position")
        for u in play:
            m = b.parse_uci(u)
            b.push(m)
        b.chess960 = False
        return b

    def query(self, keep, fen=None, play=(), moves=12, top=15, recent=None, player=None, full=False, history=False):
        b = self.position(fen, play)
        rows = [r for r in self.at[key(b)] if keep(r[0])]
        wdl = lambda rs: {n: sum(e.result == x for e, _ in rs) for n, x in (("white", "1-0"), ("draws", "1/2-1/2"), ("black", "0-1"))}
        by = defaultdict(list)
        for r in rows: by[r[1][0]].append(r)
        out = []
        for u, rs in sorted(by.items(), key=lambda x: (-len(x[1]), x[0])):
            m = {"uci": u, "san": rs[0][1][1]}
            side = rs[0][1][2] if player is None else (not player)
            rated = [x for x in ((e.we if side else e.be) for e, _ in rs) if x]
            if rated: m["averageRating" if player is None else "averageOpponentRating"] = int(sum(rated) / len(rated) + .5)
            if player is not None and rated:
                score = sum({"1-0": 1, "1/2-1/2": .5}.get(e.result, 0) if player else {"0-1": 1, "1/2-1/2": .5}.get(e.result, 0) for e, _ in rs)
                m["performance"] = performance(sum(rated) / len(rated), score, len(rs))
            out.append(m | wdl(rs) | {"game": rs[0][0].row(full) if len(rs) == 1 else None, "opening": None})
        ans = wdl(rows) | {"moves": out[:moves]}
        byr = sorted(rows, key=lambda r: (-(r[0].we + r[0].be), r[0].n))
        byd = sorted(rows, key=lambda r: (-r[0].year, -r[0].month, -r[0].n))
        tg = byr[:top] if top is not None else []
        if recent is not None:
            ans["recentGames"] = [{"uci": v[0]} | e.row(full) for e, v in [r for r in byd if r not in tg][:recent]]
        if top is not None: ans["topGames"] = [{"uci": v[0]} | e.row(full) for e, v in tg]
        ans["opening"] = None
        if history:
            hs = defaultdict(list)
            for r in rows:
                if r[0].month: hs[f"{r[0].year:04}-{r[0].month:02}"].append(r)
            ans["history"] = [{"month": m} | wdl(hs[m]) for m in sorted(hs)]
        return ans

    def masters(self, since=0, until=9999, topGames=15, **k):
        return self.query(lambda e: since <= e.year <= until, top=min(topGames, 15), **k)

    def lichess(self, speeds=None, ratings=None, since=(0, 0), until=(9999, 99), topGames=4, recentGames=4, **k):
        def keep(e):
            if speeds is not None and e.speed not in speeds: return False
            if ratings is not None and group((e.we + e.be) // 2) not in ratings: return False
            return since <= (e.year, e.month) <= until
        return self.query(keep, top=min(topGames, 4), recent=min(recentGames, 8), full=True, **k)

    def player(self, player, color, speeds=None, modes=None, since=(0, 0), until=(9999, 99), moves=10**9, recentGames=8, **k):
        w = color == "white"
        def keep(e):
            return ((e.white if w else e.black).lower() == player.lower() and (speeds is None or e.speed in speeds)
                    and (modes is None or e.mode in modes) and since <= (e.year, e.month) <= until)
        a = self.query(keep, top=None, recent=min(recentGames, 8), moves=moves, player=w, full=True, **k)
        return a | {"queuePosition": 0}


def serve(oracle, port, broken):
    class H(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *a): pass
        def send(self, code, kind, body):
            body = body.encode() if isinstance(body, str) else body
            self.send_response(code); self.send_header("Content-Type", kind); self.send_header("Content-Length", str(len(body)))
            self.end_headers(); self.wfile.write(body)
        def do_GET(self):
            u = urllib.parse.urlsplit(self.path)
            q = {k: v[-1] for k, v in urllib.parse.parse_qs(u.query, keep_blank_values=True).items()}
            if m := re.fullmatch(r"/masters?/pgn/(\w+)", u.path):
                if len(m[1]) != 8: return self.send(400, "text/plain", "bad id")
                p = oracle.pgn.get(m[1])
                return self.send(200, "application/x-chess-pgn; charset=utf-8", p + "\n") if p else self.send(404, "text/plain", "")
            try:
                k = {"fen": q.get("fen"), "play": [x for x in q.get("play", "").split(",") if x]}
                for n in ("moves", "topGames", "recentGames"):
                    if n in q:
                        if not q[n].isdigit(): raise ValueError(n)
                        k[n] = int(q[n])
                ym = lambda s: tuple(map(int, re.fullmatch(r"(\d{1,4})[-/](\d{1,2})", s).groups()))
                for n in ("speeds", "modes"):
                    if n in q: k[n] = set(q[n].split(","))
                if k.get("speeds", set()) - {"ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"}: raise ValueError("speed")
                if "ratings" in q: k["ratings"] = {group(int(r)) for r in q["ratings"].split(",")}
                if u.path in ("/masters", "/master"):
                    k.pop("recentGames", 0); k.pop("speeds", 0); k.pop("ratings", 0); k.pop("modes", 0)
                    for n in ("since", "until"):
                        if n in q: k[n] = int(q[n])
                    a = oracle.masters(**k)
                elif u.path == "/lichess":
                    k.pop("modes", 0)
                    for n in ("since", "until"):
                        if n in q: k[n] = ym(q[n])
                    a = oracle.lichess(history=q.get("history", "no").lower() in ("true", "1", "on", "yes"), **k)
                elif u.path in ("/player", "/personal"):
                    k.pop("topGames", 0); k.pop("ratings", 0)
                    for n in ("since", "until"):
                        if n in q: k[n] = ym(q[n])
                    if q["color"] not in ("white", "black"): raise ValueError("color")
                    a = oracle.player(q["player"], q["color"], **k)
                else: return self.send(404, "text/plain", "no such page")
            except Exception as e:
                return self.send(400, "text/plain", f"bad request: {e}")
            if broken == "sums" and a["moves"]: a["moves"][0]["white"] += 1
            if broken == "order": a["moves"].reverse()
            if broken == "castling":
                for m in a["moves"]: m["uci"] = {"e1h1": "e1g1", "e8h8": "e8g8"}.get(m["uci"], m["uci"])
            if broken == "types":
                for g in a.get("topGames", []): g["white"]["rating"] = None
            if broken == "winner":
                for g in a.get("topGames", []): g["winner"] = g["winner"] or "draw"
            if broken == "rating" and a["moves"]: a["moves"][0]["averageRating"] = 1
            if u.path in ("/player", "/personal"):
                line = json.dumps(a) + "\n"
                return self.send(200, "application/x-ndjson", line * (2 if broken == "lines" else 1))
            self.send(200, "application/json", json.dumps(a))
    ThreadingHTTPServer(("127.0.0.1", port), H).serve_forever()


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("pgn"); p.add_argument("--port", type=int, default=9400); p.add_argument("--break", dest="broken")
    a = p.parse_args()
    o = Oracle(a.pgn)
    print(len(o.games), "games,", len(o.at), "positions", flush=True)
    serve(o, a.port, a.broken)
