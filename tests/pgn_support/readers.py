"""Checks what docs/columns.md says about the types that readers guess, and what helps.

python readers.py FOLDER   exit status 1 if something differs, which is printed. The folder has rounds.csv and rounds.jsonl,
games of the rounds 1.1 and 1.10, and the folders csv and parquet with the same games by year, one of them without a year.
"""
import os, sys
import datafusion, duckdb, pandas, polars, pyarrow as pa, pyarrow.csv, pyarrow.dataset as dataset

os.chdir(sys.argv[1])
faults = []


def same(what, found, expected):
    if found != expected:
        faults.append(f"{what}: {found!r}, not {expected!r}")


def fails(what, read):
    try:
        faults.append(f"{what}: {read()!r}, not an error")
    except Exception:
        pass


def as_datafusion(**options):
    return datafusion.SessionContext().read_csv("rounds.csv", **options).to_pydict()["round"]


text = pa.csv.ConvertOptions(column_types={"round": pa.string()})
guessed = {
    "pandas": pandas.read_csv("rounds.csv")["round"],
    "pandas, JSON": pandas.read_json("rounds.jsonl", lines=True)["round"],
    "Polars": polars.read_csv("rounds.csv")["round"],
    "DuckDB": duckdb.sql("SELECT round FROM 'rounds.csv'").to_df()["round"],
    "pyarrow": pa.csv.read_csv("rounds.csv")["round"].to_pylist(),
    "DataFusion": as_datafusion(),
}
schema = pa.schema([(name, pa.string()) for name in pandas.read_csv("rounds.csv").columns])
declared = {
    "pandas": pandas.read_csv("rounds.csv", dtype={"round": str})["round"],
    "pandas, JSON": pandas.read_json("rounds.jsonl", lines=True, dtype=False)["round"],
    "Polars": polars.read_csv("rounds.csv", schema_overrides={"round": polars.String})["round"],
    "DuckDB": duckdb.sql("SELECT round FROM read_csv('rounds.csv', types = {'round': 'VARCHAR'})").to_df()["round"],
    "pyarrow": pa.csv.read_csv("rounds.csv", convert_options=text)["round"].to_pylist(),
    "DataFusion": as_datafusion(schema=schema),
}
for reader in guessed:
    same(f"rounds that {reader} guesses", list(guessed[reader]), [1.1, 1.1])
    same(f"rounds declared to {reader}", list(declared[reader]), ["1.1", "1.10"])

# The year is in the names of the directories, and missing for one game.
years = [1984, None]
hive = dataset.dataset("parquet", partitioning="hive").to_table()
same("years by pyarrow", hive.sort_by("id")["year"].to_pylist(), years)
same("years by Polars", polars.read_parquet("parquet/").sort("id")["year"].to_list(), years)
same("years by DuckDB", duckdb.sql("SELECT year FROM 'parquet/*/*.parquet' ORDER BY id").fetchall(), [(1984,), (None,)])
same("years by DuckDB, CSV", duckdb.sql("SELECT year FROM 'csv/*/*.csv' ORDER BY id").fetchall(), [(1984,), (None,)])
same("columns by Polars, CSV", "year" in polars.read_csv("csv/*/*.csv").columns, False)
fails("years by pandas", lambda: pandas.read_parquet("parquet"))
keys = [("year", pa.string())]
named = datafusion.SessionContext().read_parquet("parquet", table_partition_cols=keys).sort(datafusion.col("id").sort())
same("years by DataFusion", named.to_pydict()["year"], ["1984", "__HIVE_DEFAULT_PARTITION__"])
print(*faults, sep="\n")
sys.exit(bool(faults))
