"""Packets of a game with Godot's multiplayer, as seen between server and client.

>>> session = gdvar.packet.Session("godot4", "enet")
>>> for item in session.hear(datagram, "to_server"):
...     print(item.command, item.node, item.args)

The session joins fragments, recognises packets that are sent again, and resolves ids to node paths. Pass it every datagram, or every
piece of a TCP stream, in the sequence of arrival.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Union

from ._gdvar import _Session

if TYPE_CHECKING:
    from ._gdvar import Buffer


class Item(NamedTuple):
    """One packet, or one event of the carrier, such as a connection."""

    #: The client's number, as passed to :meth:`Session.hear`.
    link: int
    to_server: bool
    #: The peer id of the sender: 1 for the server; ``None`` if its connection began before the session did.
    source: Optional[int]
    #: The peer id of the receiver, if it is known. 0 means everybody, and ``-n`` everybody except ``n``.
    target: Optional[int]
    #: ``True`` if the server relays it from client to client.
    relayed: bool
    #: ``True`` if the same ENet command was received before.
    resent: bool
    #: ``CALL``, ``RAW``, ``SYNC``, ``PUT_VAR``, ``DEBUGGER``, ``CONNECT``, …; ``DAMAGED`` if it cannot be read.
    command: str
    #: The path of the node of a call, if it is known.
    node: Optional[str]
    #: The method of a call or the property that is set: its name, or in Godot 4 its number. For the debugger, the message's name.
    method: Union[str, int, None]
    #: The arguments of a call, the value of ``put_var``, the data of a debugger's message.
    args: Optional[List[Any]]
    #: The packet's bytes. For ``RAW`` the bytes that the game sent, for ``DAMAGED`` the bytes that cannot be read.
    data: bytes
    #: Why the packet, or the rest of its arguments, cannot be read.
    error: Optional[str]


class Session:
    """A conversation between a server and its clients, over one carrier: ``enet``, ``websocket``, ``values`` (``PacketPeerUDP.put_var``),
    ``records`` (``put_var`` over TCP) or ``debugger`` (``--remote-debug``)."""

    def __init__(self, engine: str = "godot4", carrier: str = "enet") -> None:
        self._session = _Session(engine, carrier)

    def hear(self, data: Buffer, direction: str, *, link: int = 0) -> List[Item]:
        """Returns everything that is in a datagram, or in a piece of a stream.

        ``direction`` is ``to_server`` or ``to_client``; in the debugger's stream the editor is the server. ``link`` is a number
        that identifies the client. Damaged bytes are an item with an ``error``, never an exception.
        """
        if direction not in ("to_server", "to_client"):
            raise ValueError(f'direction is "to_server" or "to_client", not {direction!r}')
        return [Item(*parts) for parts in self._session.hear(bytes(memoryview(data)), direction == "to_server", link)]
