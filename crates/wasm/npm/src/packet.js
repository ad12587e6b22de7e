// The part of the package that needs gdvar-packet.wasm: multiplayer packets and conversations.

import { decode } from './decode.js';
import { asBytes, moduleOf, readBits } from './wasm.js';

let packets;

/** Must be called once, with an instance of gdvar-packet.wasm. */
export function setupPacket(instance) {
	packets = moduleOf(instance);
}

const ENGINES = { godot4: 4, godot3: 3 };
// In the sequence of src/packet.rs.
const CARRIERS = ['enet', 'websocket', 'values', 'records', 'debugger'];
/**
 * Values in a packet may have the engine's full depth, and are inside the lists and objects of the report.
 */
const MAX_DEPTH = 1024 + 8;

function engineNumber(engine) {
	if (!Object.hasOwn(ENGINES, engine)) throw new TypeError(`engine is 'godot4' or 'godot3', not ${engine}`);
	return ENGINES[engine];
}

const forgotten = new FinalizationRegistry((number) => packets.call.end_session(number));

/** A conversation between a server and its clients, over one carrier. */
export class Session {
	#number;
	#reading;

	constructor(engine = 'godot4', carrier = 'enet') {
		const number = CARRIERS.indexOf(carrier);
		if (number < 0) throw new TypeError(`carrier is one of ${CARRIERS.join(', ')}, not ${carrier}`);
		// Objects are read as data and never instantiated.
		this.#reading = { dialect: engine, maxDepth: MAX_DEPTH, objects: 'inert' };
		this.#number = packets.call.begin_session(engineNumber(engine), number);
		forgotten.register(this, this.#number, this);
	}

	/**
	 * Returns everything in a datagram, or in a piece of a stream. Damaged bytes are an item with `error`, not
	 * an exception.
	 */
	hear(data, direction, { link = 0 } = {}) {
		if (direction !== 'to_server' && direction !== 'to_client') {
			throw new TypeError(`direction is 'to_server' or 'to_client', not ${direction}`);
		}
		if (link !== link >>> 0) throw new TypeError(`link is a whole number of 32 bits, not ${link}`);
		const length = packets.scratch(asBytes(data));
		packets.ask(packets.call.hear(this.#number, length, direction === 'to_server' ? 1 : 0, link));
		return decode(packets.outBytes(), this.#reading);
	}

	/** Frees its memory now, without waiting for the garbage collector. */
	free() {
		if (this.#number < 0) return;
		forgotten.unregister(this);
		packets.call.end_session(this.#number);
		// No session has this number.
		this.#number = -1;
	}
}

if (Symbol.dispose) {
	Session.prototype[Symbol.dispose] = Session.prototype.free;
}

/** Reads single packets, for a program that already separates them. */
export const Packet = Object.freeze({
	/** Decodes one packet. */
	decode(bytes, { engine = 'godot4', objects } = {}) {
		const number = engineNumber(engine);
		const reading = { dialect: engine, objects };
		const bits = readBits(reading);
		const length = packets.scratch(asBytes(bytes));
		packets.ask(packets.call.parse(length, number, bits));
		return decode(packets.outBytes(), { ...reading, maxDepth: MAX_DEPTH });
	},
});
