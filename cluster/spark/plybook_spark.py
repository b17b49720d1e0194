"""The SQL functions of plybook for Spark, for tables that `plybook export --format parquet` wrote.

    import plybook_spark
    plybook_spark.register(spark)
    spark.sql("SELECT fen(moves, 20) AS position, count(*) FROM games GROUP BY ALL ORDER BY 2 DESC LIMIT 10")

or as functions of columns: `games.select(plybook_spark.fen("moves", lit(20)))`. Every executor needs the package plybook of
`bindings/python`, and this file (`spark.sparkContext.addPyFile`). What games begin from and which variant they are can be
given behind: `fen(moves, 20, fen, variant)`, of the columns `fen` and `variant`.
"""

import pandas as pd
from pyspark.sql.functions import pandas_udf

import plybook

_RETURNS = {
    "fen": "string",
    "san": "string",
    "uci": "string",
    "movetext": "string",
    "move_bits": "double",
    "board": "string",
    "plies": "long",
    "result": "string",
    "reaches": "long",
    "eco_name": "string",
    "material": "string",
    "position_key": "long",
    "same_player": "long",
}


def _function(name, returns):
    dtype = {"long": "Int64", "double": "Float64"}.get(returns, "object")

    def call(*columns: pd.Series) -> pd.Series:
        return pd.Series(plybook.call(name, *columns), dtype=dtype)

    call.__name__ = name
    return pandas_udf(call, returns)


functions = {name: _function(name, returns) for name, returns in _RETURNS.items()}
globals().update(functions)


def register(spark):
    """Registers the functions in a session, under their own names."""
    for name, function in functions.items():
        spark.udf.register(name, function)
