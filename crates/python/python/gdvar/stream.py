"""Values over asyncio streams, each after its length, as ``StreamPeer.put_var`` and ``PacketPeerStream`` send them.

A server that sends every value back:

>>> async def serve(reader, writer):
...     async for value in gdvar.stream.values(reader):
...         gdvar.stream.put(writer, value)
...         await writer.drain()
"""

from __future__ import annotations

import asyncio
from typing import Any, AsyncIterator, Optional

from ._errors import DecodeError
from ._gdvar import dumps, loads

#: The longest value, in bytes, that a ``PacketPeer`` of the engines encodes by default.
MAX_LEN = 8 << 20


async def get_bytes(reader: asyncio.StreamReader, *, max_len: int = MAX_LEN) -> Optional[bytes]:
    """Returns the bytes of the next value, or ``None`` if the stream ended after the last one."""
    try:
        prefix = await reader.readexactly(4)
    except asyncio.IncompleteReadError as ended:
        if not ended.partial:
            return None
        raise DecodeError("the stream ended in the middle of a length", "Truncated") from None
    length = int.from_bytes(prefix, "little")
    if length > max_len:
        raise DecodeError(f"a value of {length} bytes is more than the {max_len} that are let in", "TooLong", 0)
    try:
        return await reader.readexactly(length)
    except asyncio.IncompleteReadError as ended:
        missing = length - len(ended.partial)
        raise DecodeError(f"the stream ended {missing} bytes too early", "Truncated") from None


async def get(reader: asyncio.StreamReader, *, max_len: int = MAX_LEN, **options: Any) -> Any:
    """Returns the next value. Raises ``EOFError`` if the stream ended. Options as for :func:`gdvar.loads`."""
    data = await get_bytes(reader, max_len=max_len)
    if data is None:
        raise EOFError("the stream ended")
    return loads(data, **options)


async def values(
    reader: asyncio.StreamReader, *, max_len: int = MAX_LEN, **options: Any
) -> AsyncIterator[Any]:
    """Iterates over the values until the stream ends."""
    while (data := await get_bytes(reader, max_len=max_len)) is not None:
        yield loads(data, **options)


def put(writer: asyncio.StreamWriter, value: Any, *, target: str = "godot4") -> None:
    """Sends a value. ``await writer.drain()`` waits until it was sent."""
    data = dumps(value, target=target)
    writer.write(len(data).to_bytes(4, "little") + data)
