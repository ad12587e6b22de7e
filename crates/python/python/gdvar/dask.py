"""Saves as a Dask dataframe: `gdvar.dask.read("s3://bucket/saves", {"gold": "player.gold"}).gold.sum().compute()`."""

from __future__ import annotations

from typing import Any, Dict, Sequence, Union

from . import _scale

__all__ = ["read"]


def read(paths: Union[str, Sequence[str]], columns: Dict[str, str], *, share: int = _scale.SHARE, **options: Any) -> Any:
    """A ``dask.dataframe.DataFrame``: a row for each record of the files, a partition for every ``share`` bytes of files.

    ``paths`` are files, folders or patterns. Columns have Arrow's types, as `pandas.ArrowDtype`. Types come from a sample unless
    ``types`` sets them. ``on_error`` is ``row`` (the column ``error`` says why a value is missing), ``drop`` or ``fail``; other
    options are as for `gdvar.columns`. Needs dask[dataframe], and gdvar and pyarrow on the workers.
    """
    import dask.dataframe
    import pandas

    files = _scale.found(paths)
    schema, fixed = _scale.fixed(_scale.contents(_scale.sample(files)), columns, options)

    def one(names: _scale.Names) -> Any:
        rows = _scale.table(_scale.contents(names), columns, threads=1, **fixed)
        return rows.to_pandas(types_mapper=pandas.ArrowDtype)

    meta = schema.empty_table().to_pandas(types_mapper=pandas.ArrowDtype)
    return dask.dataframe.from_map(one, _scale.shares(files, share), meta=meta)
