"""Sends every value of a Godot client back: ``PacketPeerStream.put_var`` over TCP, ``PacketPeerUDP.put_var``.

python examples/echo_server.py godot4 7000
"""

import asyncio
import sys

import gdvar

dialect = sys.argv[1] if len(sys.argv) > 1 else "godot4"
port = int(sys.argv[2]) if len(sys.argv) > 2 else 0
# exact: the answer has the same bytes as the request.
how = {"dialect": dialect, "objects": "inert", "exact": True}


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        async for value in gdvar.stream.values(reader, **how):
            gdvar.stream.put(writer, value, target=dialect)
            await writer.drain()
    except (gdvar.Error, ConnectionError) as error:
        print(error, file=sys.stderr)
    writer.close()


class Datagrams(asyncio.DatagramProtocol):
    def connection_made(self, transport: asyncio.DatagramTransport) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, peer: tuple) -> None:
        try:
            self.transport.sendto(gdvar.dumps(gdvar.loads(data, **how), target=dialect), peer)
        except gdvar.Error as error:
            print(error, file=sys.stderr)


async def main() -> None:
    server = await asyncio.start_server(serve, "127.0.0.1", port)
    udp, _ = await asyncio.get_running_loop().create_datagram_endpoint(Datagrams, ("127.0.0.1", port))
    print(f"tcp={server.sockets[0].getsockname()[1]} udp={udp.get_extra_info('sockname')[1]}", flush=True)
    await server.serve_forever()


asyncio.run(main())
