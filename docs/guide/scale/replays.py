"""From a corpus of replays to tensors: python replays.py FOLDER OUT.npz

A replay is a file of records: a Dictionary, frames [tick, position, inputs, target], and chat in between. The tensors are windows of 16
frames: position and target in, the inputs of the last frame out. `torch.from_numpy` takes them as they are. Needs gdvar, numpy, pyarrow.
"""

import sys
from pathlib import Path

import gdvar
import numpy
import pyarrow

COLUMNS = {"file": "@file", "tick": "[0]", "at": "[1]", "inputs": "[2]", "target": "[3]"}
TYPES = {"tick": "int64", "at": "float32[2]", "inputs": "binary", "target": "int64"}
WINDOW = 16


def tensors(folder: str) -> tuple:
    files = sorted(Path(folder).glob("*.rec"))
    records = pyarrow.table(gdvar.columns(files, COLUMNS, types=TYPES))
    # Chat and the first record have no tick.
    frames = records.filter(records["tick"].is_valid()).combine_chunks()
    column = {name: frames[name].chunk(0) for name in COLUMNS}
    count = len(frames)
    # The numbers lie one after the other: an array of any shape looks at them where they are.
    at = column["at"].flatten().to_numpy().reshape(count, 2)
    inputs = numpy.frombuffer(column["inputs"].buffers()[2], numpy.uint8, 3 * count).reshape(count, 3)
    target = column["target"].to_numpy().astype(numpy.float32)
    seen = numpy.concatenate([at, target[:, None]], axis=1)
    windows = numpy.lib.stride_tricks.sliding_window_view(seen, WINDOW, axis=0).transpose(0, 2, 1)
    # A window lies within one match: its first and its last frame are WINDOW - 1 ticks apart, and of one file.
    file = column["file"].dictionary_encode().indices.to_numpy()
    inside = file[WINDOW - 1 :] == file[: count - WINDOW + 1]
    return windows[inside], inputs[WINDOW - 1 :][inside], at, inputs


if __name__ == "__main__":
    windows, answers, _, _ = tensors(sys.argv[1])
    numpy.savez(sys.argv[2], windows=windows, answers=answers)
    print(f"{windows.shape} {windows.dtype} in, {answers.shape} {answers.dtype} out")
