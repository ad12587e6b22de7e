"""Saves as a Ray dataset: `gdvar.ray.read("s3://bucket/saves", {"gold": "player.gold"}).sum("gold")`."""

from __future__ import annotations

from typing import Any, Dict, Sequence, Union

from . import _scale

__all__ = ["read"]


def read(paths: Union[str, Sequence[str]], columns: Dict[str, str], *, share: int = _scale.SHARE, **options: Any) -> Any:
    """A ``ray.data.Dataset``: a row for each record of the files, a block for every ``share`` bytes of files.

    ``paths`` are files, folders or patterns. Types come from a sample unless ``types`` sets them. ``on_error`` is ``row`` (the column
    ``error`` says why a value is missing), ``drop`` or ``fail``; other options are as for `gdvar.columns`. Needs ray, and gdvar and
    pyarrow on the workers.
    """
    import ray.data

    files = _scale.found(paths)
    _, fixed = _scale.fixed(_scale.contents(_scale.sample(files)), columns, options)
    parts = _scale.shares(files, share)

    def one(batch: Any) -> Any:
        return _scale.table(_scale.contents(parts[batch["id"][0].as_py()]), columns, threads=1, **fixed)

    return ray.data.range(len(parts), override_num_blocks=len(parts)).map_batches(one, batch_size=1, batch_format="pyarrow")
