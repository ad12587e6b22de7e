"""Many files as shares of a table: what `gdvar.spark`, `gdvar.ray` and `gdvar.dask` have in common. Needs pyarrow."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, Sequence, Tuple, Union

from ._errors import Error
from ._gdvar import columns as read_columns

Names = Tuple[str, ...]

# A share that is read in about a second by one core.
SHARE = 256 << 20


def found(paths: Union[str, Sequence[str]]) -> List[Tuple[str, int]]:
    """All files with their sizes, in order: of names, of folders with what is in them, of patterns like ``saves/*.sav``.

    Names are absolute: a worker has a folder of its own, in which a relative name leads nowhere, or to another file.
    ``s3://bucket/saves`` and its like are listed by fsspec, with the package that it has for them.
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
    """The files in groups of about so many bytes; a small file counts as 4 KiB, for it must be opened."""
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
    """The source for `gdvar.columns`: paths as they are, and what lies elsewhere by name.

    `gdvar.columns` raises OSError if none of the paths is there, so a job fails whose workers do not have the driver's disk.
    """
    if not any("://" in name for name in names):
        return list(names)
    import fsspec

    system, _ = fsspec.core.url_to_fs(names[0])
    inner = {system._strip_protocol(name): name for name in names}
    return {inner[own]: data for own, data in system.cat(list(inner)).items()}


def table(source: Any, columns: Dict[str, str], on_error: str = "row", **options: Any) -> Any:
    """A table of pyarrow's. ``on_error`` is ``row``, ``drop`` or ``fail``; source and other options as `gdvar.columns`."""
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
    """The schema of pyarrow's, and the options with the types that are found in a sample: equal for all shares.

    All rows of the sample count. What a row outside of it needs, a float in a column of ints, is told in its ``error``.
    """
    import pyarrow

    sample = read_columns(source, columns, **{key: value for key, value in options.items() if key != "on_error"})
    types = {name: sample.types[name] for name, path in columns.items() if not path.startswith("@")}
    for name, type_ in types.items():
        if type_ == "null":
            raise Error(f"column {name}: the sample has no such value; give its type: types={{{name!r}: 'int64'}}", "NoType")
    return pyarrow.schema(sample), {**options, "types": types}


def sample(files: List[Tuple[str, int]], most: int = 100) -> Names:
    """Some files, from all over the list."""
    step = -(-len(files) // most)
    return tuple(name for name, _ in files[:: max(1, step)])
