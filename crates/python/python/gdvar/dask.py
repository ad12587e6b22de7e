"""Saves as a dataframe of Dask's: `gdvar.dask.read("s3://bucket/saves", {"gold": "player.gold"}).gold.sum().compute()`."""

from __future__ import annotations

from typing import Any, Dict, Sequence, Union

from . import _scale

__all__ = ["read"]


def read(paths: Union[str, Sequence[str]], columns: Dict[str, str], *, share: int = _scale.SHARE, **options: Any) -> Any:
    """A ``dask.dataframe.DataFrame``: a row for each record of the files, folders or patterns, a partition for so many bytes of files.

    Columns have the types of Arrow, as `pandas.ArrowDtype`. Types come from a sample unless ``types`` has them. ``on_error`` is
    ``row`` (the column ``error`` says why a value is missing), ``drop`` or ``fail``; other options as `gdvar.columns`. Needs
    dask[dataframe], and on its workers gdvar and pyarrow.
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
