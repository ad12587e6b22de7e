// Sends every value of a Godot client back: PacketPeerStream.put_var over TCP, PacketPeerUDP.put_var.
//
//	node examples/server.mjs godot4 7000
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { RecordStream, decode, encode, put_var } from 'gdvar';

const [dialect = 'godot4', port = '0'] = process.argv.slice(2);
// exact: the answer has the same bytes as the request.
const reading = { dialect, objects: 'inert', numbers: 'exact' };
const writing = { target: dialect, numbers: 'exact' };

const tcp = createServer(async (socket) => {
	try {
		for await (const value of RecordStream.from(socket, reading)) {
			if (!socket.write(put_var(value, writing))) await once(socket, 'drain');
		}
		socket.end();
	} catch (error) {
		console.error(error.message);
		socket.destroy();
	}
});

const udp = createSocket('udp4', (bytes, { port, address }) => {
	try {
		udp.send(encode(decode(bytes, reading), writing), port, address);
	} catch (error) {
		console.error(error.message);
	}
});

tcp.listen(Number(port), '127.0.0.1', () => {
	udp.bind(Number(port), '127.0.0.1', () => {
		console.log(`tcp=${tcp.address().port} udp=${udp.address().port}`);
	});
});
