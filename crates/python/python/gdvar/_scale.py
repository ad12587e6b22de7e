"""Divides many files into the shares of a table, for `gdvar.spark`, `gdvar.ray` and `gdvar.dask`. Needs pyarrow."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, Sequence, Tuple, Union

from ._errors import Error
from ._gdvar import columns as read_columns

Names = Tuple[str, ...]

# One core reads a share of this size in about a second.
SHARE = 256 << 20


def found(paths: Union[str, Sequence[str]]) -> List[Tuple[str, int]]:
    """Returns all files with their sizes, sorted within each path. A path is a file, a folder or a pattern like ``saves/*.sav``.

    The names are absolute, because a worker runs in another folder, where a relative name might be missing or another file.
    fsspec lists addresses such as ``s3://bucket/saves``, with the package that it uses for them.
    """
    files: List[Tuple[str, int]] = []
    for path in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
        before, path = len(files), os.fspath(path)
        if not path:
            raise Error("the path is empty: name a file, a folder or a pattern", "NotFound")
        if "://" in path:
            import fsspec

            system, inner = fsspec.core.url_to_fs(path)
            one = system.glob(inner, detail=True) if any(c in inner for c in "*?[") else system.find(inner, detail=True)
            all_ = [(system.unstrip_protocol(name), info["size"]) for name, info in one.items() if info["type"] == "file"]
        else:
            import glob

            path = os.path.abspath(path)
            tops = glob.glob(path) if glob.has_magic(path) and not os.path.exists(path) else [path]
            names = [name for top in tops for name in ([top] if os.path.isfile(top) else walked(top))]
            all_ = [(name, os.path.getsize(name)) for name in names]
        files.extend(sorted(all_))
        if len(files) == before:
            raise Error(f"{path}: no file is there", "NotFound")
    return files


def walked(top: str) -> Iterator[str]:
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (os.path.join(folder, name) for name in names if not name.startswith("."))


def shares(files: List[Tuple[str, int]], size: int = SHARE) -> List[Names]:
    """Groups files into shares of about ``size`` bytes. A file counts as at least 4 KiB, because opening it takes time."""
    groups: List[List[str]] = [[]]
    room = size
    for name, own in files:
        if groups[-1] and room < own:
            groups.append([])
            room = size
        groups[-1].append(name)
        room -= max(own, 4096)
    return [tuple(group) for group in groups if group]


def contents(names: Names) -> Any:
    """Returns the source for `gdvar.columns`: local paths, or a dict of names and contents for files elsewhere.

    `gdvar.columns` raises OSError if none of the paths exists. So a job fails if its workers do not have the driver's disk.
    """
    if not any("://" in name for name in names):
        return list(names)
    import fsspec

    system, _ = fsspec.core.url_to_fs(names[0])
    inner = {system._strip_protocol(name): name for name in names}
    return {inner[own]: data for own, data in system.cat(list(inner)).items()}


def table(source: Any, columns: Dict[str, str], on_error: str = "row", **options: Any) -> Any:
    """Returns a pyarrow table. ``on_error`` is ``row``, ``drop`` or ``fail``; source and other options are as for `gdvar.columns`."""
    import pyarrow
    import pyarrow.compute as compute

    if on_error not in ("row", "drop", "fail"):
        raise Error(f"on_error is {on_error!r}; it is 'row', 'drop' or 'fail'", "BadOption")
    rows = pyarrow.table(read_columns(source, columns, **options))
    error = rows.column(options.get("error", "error"))
    if on_error == "fail" and error.null_count < len(error):
        raise Error(f"{len(error) - error.null_count} rows have an error, the first: {error.drop_null()[0]}", "Damaged")
    return rows if on_error == "row" else rows.filter(compute.is_null(error))


def fixed(source: Any, columns: Dict[str, str], options: Dict[str, Any]) -> Tuple[Any, Dict[str, Any]]:
    """Returns the pyarrow schema, and the options with types taken from a sample, so that they are equal for all shares.

    All rows of the sample are read. A row outside it that needs another type, such as a float in a column of ints, has an ``error``.
    """
    import pyarrow

    sample = read_columns(source, columns, **{key: value for key, value in options.items() if key != "on_error"})
    types = {name: sample.types[name] for name, path in columns.items() if not path.startswith("@")}
    for name, type_ in types.items():
        if type_ == "null":
            raise Error(f"column {name}: the sample has no such value; give its type: types={{{name!r}: 'int64'}}", "NoType")
    return pyarrow.schema(sample), {**options, "types": types}


def sample(files: List[Tuple[str, int]], most: int = 100) -> Names:
    """Returns at most ``most`` files, spread evenly over the list."""
    step = -(-len(files) // most)
    return tuple(name for name, _ in files[:: max(1, step)])
