// One of the other packages at work, in a worker: it may hang or use up memory on bytes that an engine wrote.
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

const require = createRequire(`${workerData.folder}/`);

const PEERS = {
	'@gd-com/utils': ({ getVar, putVar, TYPE }) => {
		// Its names of types where they are not Godot's.
		const names = {
			Nil: 'NULL', Int: 'INTEGER', Quaternion: 'QUAT', Transform3D: 'TRANSFORM', PackedByteArray: 'RAW_ARRAY',
			TypedArray: 'ARRAY', TypedDictionary: 'DICTIONARY',
		};
		return {
			read: (bytes) => getVar(bytes).value,
			write: (value, kind) => putVar(value, TYPE[names[kind] ?? kind.toUpperCase()]),
		};
	},
	'godot-binary-serialization': ({ PacketPeer }) => ({ read: PacketPeer.get_var, write: PacketPeer.put_var }),
};

/** A value of the peer in a form that all have: numbers of a class or an array of bytes in their order, pairs, text of paths. */
function plain(value) {
	if (value === undefined) return { nothing: true };
	if (value === null || typeof value !== 'object') return value;
	if (typeof value.path === 'string') return value.path;
	if (value.constructor?.name === 'Long') return BigInt(value.toString());
	if (Buffer.isBuffer(value)) return { numbers: [...value] };
	if (Array.isArray(value)) return value.map(plain);
	if (value.constructor !== Object) return { numbers: numbers(value) };
	return { pairs: Object.entries(value).map(([key, item]) => [key, plain(item)]) };
}

function numbers(value) {
	return Object.values(value).flatMap((part) => (typeof part === 'object' && part !== null ? numbers(part) : [part]));
}

console.warn = () => {};
// Memory that nobody has cleared, which a package may leave in its padding, is the same in every run.
Buffer.allocUnsafe = (size) => Buffer.alloc(size, 0xa5);
const peer = PEERS[workerData.name](require(workerData.name));
parentPort.on('message', ({ bytes, kind }) => {
	const answer = {};
	try {
		const value = peer.read(Buffer.from(bytes));
		answer.value = plain(value);
		answer.written = new Uint8Array(peer.write(value, kind));
	} catch (error) {
		answer.error = String(error.message ?? error);
	}
	parentPort.postMessage(answer);
});
