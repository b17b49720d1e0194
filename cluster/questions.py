"""Ten queries about games, in SQL that all engines support.

`games` is the view of an archive, or the table of its Parquet files. Each answer has an order that is the same everywhere.
"""

SICILIAN = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
POINTS = "sum(CASE result WHEN '1-0' THEN 2 WHEN '1/2-1/2' THEN 1 ELSE 0 END)"

QUESTIONS = {
    "games by volume of openings":
        "SELECT substr(eco, 1, 1) AS volume, count(*) AS number FROM games GROUP BY 1 ORDER BY 1 NULLS FIRST",
    "plies of all games":
        "SELECT sum(plies(moves)) AS plies, min(plies(moves)) AS least, max(plies(moves)) AS most FROM games",
    "positions after ply 20":
        "SELECT count(DISTINCT fen(moves, 20)) AS positions FROM games",
    "board after ply 8":
        "SELECT fen(moves, 8) AS position, count(*) AS number FROM games GROUP BY 1 "
        "ORDER BY 2 DESC, 1 NULLS FIRST LIMIT 20",
    "games that reach the Sicilian":
        f"SELECT count(*) AS number, sum(reaches(moves, '{SICILIAN}')) AS plies FROM games "
        f"WHERE reaches(moves, '{SICILIAN}') IS NOT NULL",
    "second moves of White":
        "SELECT san(moves, 3) AS move, count(*) AS number FROM games GROUP BY 1 ORDER BY 2 DESC, 1 NULLS FIRST",
    "score by rating":
        f"SELECT white_elo - white_elo % 100 AS band, count(*) AS number, {POINTS} AS points FROM games "
        "WHERE white_elo IS NOT NULL GROUP BY 1 ORDER BY 1",
    "material after ply 60":
        "SELECT material(fen(moves, 60)) AS material, count(*) AS number FROM games "
        "WHERE fen(moves, 60) IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20",
    "names of openings":
        "SELECT eco_name(moves) AS opening, count(*) AS number FROM games GROUP BY 1 "
        "ORDER BY 2 DESC, 1 NULLS FIRST LIMIT 20",
    "keys and players":
        "SELECT count(DISTINCT position_key(fen(moves, 6))) AS keys, sum(same_player(white, 'a*')) AS players FROM games",
}


def plain(rows):
    """Normalizes rows for comparison: integral numbers become integers, whatever type an engine returns."""
    def one(value):
        return int(value) if value is not None and not isinstance(value, str) and value == int(value) else value
    return [tuple(one(value) for value in row) for row in rows]
