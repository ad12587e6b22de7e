// Bytes that live on in gdvar.wasm. No garbage collector sees its memory, and the callbacks of a FinalizationRegistry
// never run inside a synchronous loop. So the bytes that are there have a bound: those not used for longest move to
// an array of JavaScript, which is collected like any other, and move back when they are used again.

import { core } from './wasm.js';

/** The bytes that may stay in WebAssembly. Those in use stay, however many they are. */
const BOUND = 1 << 27;
/** What a buffer costs besides its bytes. */
const COST = 1 << 10;

/** The held bytes in WebAssembly, used last at the end. They do not keep their owners alive. */
const inside = new Set();
let size = 0;
let latest;

/** Lets `using` call the method `free` of a class, in programs that have `Symbol.dispose` when this package is loaded. */
export function disposable({ prototype }) {
	if (Symbol.dispose) prototype[Symbol.dispose] = prototype.free;
}

const forgotten = new FinalizationRegistry((held) => held.free());

export class Held {
	/** The number of the buffer, or -1 if there is none. */
	#number = -1;
	/** The bytes while they are outside. Undefined after `free`. */
	#bytes;
	#cost;

	/** Holds a copy of bytes until `owner` is forgotten. */
	constructor(owner, bytes) {
		this.#cost = bytes.length + COST;
		this.#enter(owner, bytes);
	}

	#enter(owner, bytes) {
		for (const other of inside) {
			if (size + this.#cost <= BOUND) break;
			other.#leave(true);
		}
		this.#number = core.buffer(bytes);
		this.#bytes = undefined;
		inside.add(this);
		size += this.#cost;
		latest = this;
		forgotten.register(owner, this, this);
	}

	/** From then on only the owner keeps this alive: a registry would keep the bytes until its callback runs. */
	#leave(keep) {
		if (keep) {
			const start = core.bufferAt(this.#number);
			this.#bytes = core.views.u8.slice(start, start + this.#cost - COST);
		}
		forgotten.unregister(this);
		core.call.release(this.#number);
		this.#number = -1;
		inside.delete(this);
		size -= this.#cost;
		if (latest === this) latest = undefined;
	}

	/** Returns the number of the buffer with the bytes; -1, which no buffer has, after `free`. */
	number(owner) {
		if (latest === this) return this.#number;
		if (this.#bytes !== undefined) this.#enter(owner, this.#bytes);
		else if (this.#number >= 0) {
			inside.delete(this);
			inside.add(this);
			latest = this;
		}
		return this.#number;
	}

	free() {
		this.#bytes = undefined;
		if (this.#number >= 0) this.#leave(false);
	}
}
