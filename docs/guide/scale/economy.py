"""The balance of an economy over a season of saves: python economy.py FOLDER

Saves of two engines lie in FOLDER, some of them damaged. Needs gdvar, duckdb and pyarrow.
"""

import sys
from pathlib import Path

import duckdb
import gdvar
import pyarrow

COLUMNS = {"file": "@file", "player": "player.name", "saved_at": "saved_at", "gold": "gold", "levels": "party[*].level"}


def balance(folder: str) -> dict:
    files = sorted(Path(folder).rglob("*.sav"))
    season = duckdb.from_arrow(pyarrow.table(gdvar.columns(files, COLUMNS)))  # noqa: F841 (DuckDB finds it by its name)
    whole = "SELECT *, list_max(levels) AS level FROM season WHERE error IS NULL"
    rich = f"""
        WITH whole AS ({whole}), usual AS (
            SELECT level // 10 AS band, median(gold) AS gold, mad(gold) AS spread FROM whole GROUP BY band)
        SELECT player, whole.gold, level FROM whole JOIN usual ON level // 10 = band
        WHERE whole.gold > usual.gold + 20 * spread ORDER BY whole.gold DESC"""
    weeks = f"SELECT saved_at // 604800 AS week, count(*) AS saves, median(gold) FROM ({whole}) GROUP BY week ORDER BY week"
    return {
        "weeks": duckdb.sql(weeks).fetchall(),
        "rich": duckdb.sql(rich).fetchall(),
        "gold": duckdb.sql(f"SELECT sum(gold) FROM ({whole})").fetchall()[0][0],
        "damaged": duckdb.sql("SELECT count(DISTINCT file) FROM season WHERE error IS NOT NULL").fetchall()[0][0],
    }


if __name__ == "__main__":
    found = balance(sys.argv[1])
    for week, saves, gold in found["weeks"]:
        print(f"week {week}: {saves} saves, {gold:.0f} gold in the middle")
    print(f"{len(found['rich'])} players have far more gold than others of their level: {found['rich'][:3]}")
    print(f"{found['damaged']} damaged saves were left out; `SELECT file, error` names them")
