"""The worked examples of docs/guide/scale.md on generated data, held against what was hidden in it: python examples.py GDVAR FOLDER PACKETS

The session with DuckDB is taken out of the guide and must print what stands there.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import logs
import saves

GUIDE = Path(__file__).parents[2] / "docs" / "guide"
sys.path.insert(0, str(GUIDE / "scale"))


def same(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise SystemExit(f"{what}: {found!s:.1000}, not {expected!s:.1000}")
    print(f"{what}: as it was made", flush=True)


def session(gdvar: str, folder: Path) -> None:
    """The command and the block behind it, in a folder that has `season`."""
    text = (GUIDE / "scale.md").read_text()
    command, block = re.search(r"```sh\ngdvar (table [^\n]*)\n```\n\n```python\n(.*?)```", text, re.DOTALL).groups()
    gdvar = os.path.abspath(gdvar)
    os.chdir(folder)
    subprocess.run([gdvar, *shlex.split(command)], check=True)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(block, {})
    expected = re.findall(r"^print\(.*\)  # (.*)$", block, re.MULTILINE)
    same("the session with DuckDB", printed.getvalue().splitlines(), expected)


def main() -> None:
    import economy
    import packets
    import replays

    folder, count = Path(sys.argv[2]).resolve(), int(sys.argv[3])
    truth = saves.write(folder / "season", 5000, 11)
    found = economy.balance(str(folder / "season"))
    same("economy.py: gold, damaged saves", (found["gold"], found["damaged"]), (truth["gold"], len(truth["damaged"])))
    same("economy.py: players who make gold", (len(found["rich"]), truth["rich"] > 3), (truth["rich"], True))
    same("economy.py: saves of all weeks", sum(week[1] for week in found["weeks"]), 5000 - len(truth["damaged"]))

    truth = logs.packets(folder / "packets.log", count)
    all_, jumps = packets.jumps(str(folder / "packets.log"))
    same("packets.py: packets and jumps", (all_, [[player, tick] for player, tick, _ in jumps]), (count, truth["jumps"]))
    assert truth["jumps"]

    truth = logs.replays(folder / "replays", 200)
    windows, answers, at, inputs = replays.tensors(str(folder / "replays"))
    same("replays.py: shapes", (windows.shape, answers.shape), ((truth["windows"], 16, 3), (truth["windows"], 3)))
    same("replays.py: inputs", (len(at), inputs.sum(axis=0, dtype=int).tolist()), (truth["frames"], truth["inputs"]))
    same("replays.py: positions", abs(float(at[:, 0].sum(dtype=float)) - truth["x"]) < 1e-6 * truth["frames"], True)
    session(sys.argv[1], folder)


if __name__ == "__main__":
    main()
