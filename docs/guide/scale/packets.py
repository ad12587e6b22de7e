"""The search for players that move faster than the game lets them: python packets.py LOG

LOG holds messages [player, tick, position, action], each behind its length, as PacketPeerStream sends them. Needs gdvar and duckdb.
"""

import sys

import duckdb
import gdvar


def jumps(log: str, metres_a_tick: float = 20.0) -> tuple:
    columns = {"player": "[0]", "tick": "[1]", "x": "[2].x", "y": "[2].y", "action": "[3]"}
    packets = gdvar.columns(log, columns)
    moves = duckdb.from_arrow(packets)  # noqa: F841 (DuckDB finds it by its name)
    found = duckdb.sql(f"""
        SELECT player, tick, sqrt((x - px) ** 2 + (y - py) ** 2) / (tick - ptick) AS speed FROM (
            SELECT *, lag(x) OVER one AS px, lag(y) OVER one AS py, lag(tick) OVER one AS ptick FROM moves
            WHERE error IS NULL WINDOW one AS (PARTITION BY player ORDER BY tick))
        WHERE speed > {metres_a_tick} ORDER BY tick, player""").fetchall()
    return len(packets), found


if __name__ == "__main__":
    packets, found = jumps(sys.argv[1])
    print(f"{packets} packets, {len(found)} jumps")
    for player, tick, speed in found[:5]:
        print(f"player {player} at tick {tick}: {speed:.0f} m in a tick")
