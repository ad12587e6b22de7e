// Values that stay in the bytes until they are asked for.

import { decodeAt } from './decode.js';
import { GdvarError, KINDS, asBytes, core, maxDepth, readBits, utf8 } from './wasm.js';

const forgotten = new FinalizationRegistry((buffer) => core.call.release(buffer));

/** Bytes in a buffer of gdvar.wasm, and how they are read. */
class Document {
	constructor(bytes, options) {
		bytes = asBytes(bytes);
		this.bits = readBits(options);
		this.depth = maxDepth(options);
		this.buffer = core.buffer(bytes);
		this.length = bytes.length;
		forgotten.register(this, this.buffer, this);
	}

	free() {
		if (this.buffer < 0) return;
		forgotten.unregister(this);
		core.call.release(this.buffer);
		// No buffer has this number, so that later questions find nothing.
		this.buffer = -1;
	}

	/** Asks about a part of the bytes. */
	ask(name, start, length, ...more) {
		return core.ask(core.call[name](this.buffer, start, length, this.bits, this.depth, ...more));
	}
}

/** The type of the value that the answer is about, and the number of its children. */
const kindOf = () => ({ type: KINDS[core.word(3)], length: core.word(4) });

/** A value in bytes. Nothing is decoded but what is asked for. */
export class Value {
	#document;
	#start;
	#length;
	#at;
	#level;
	#kind;

	/** Made by `open`, not by you: a value at a place of a part of a document, of which the words of the answer tell. */
	constructor(document, start, length, at, level) {
		this.#document = document;
		this.#start = start;
		this.#length = length;
		this.#at = at;
		this.#level = level;
	}

	#ask(name, ...more) {
		return this.#document.ask(name, this.#start, this.#length, this.#at, this.#level, ...more);
	}

	#describe() {
		this.#ask('describe');
		this.#kind = kindOf();
		return this.#kind;
	}

	/** The name of its type. */
	get type() {
		return (this.#kind ?? this.#describe()).type;
	}

	/** The number of its elements, pairs or properties. */
	get length() {
		return (this.#kind ?? this.#describe()).length;
	}

	/** Its first byte, counted from the start of the bytes. */
	get offset() {
		return this.#start + this.#at;
	}

	/** The value at a path below this one, such as `party[0].hp`; undefined if there is none. */
	get(path) {
		const size = core.text(path);
		this.#ask('get', size);
		switch (core.word(0)) {
			case 0:
				return undefined;
			case 1: {
				const value = new Value(this.#document, this.#start, this.#length, core.word(1), core.word(2));
				value.#kind = kindOf();
				return value;
			}
			default: {
				// A component of a vector, an element of a packed array: a value of its own.
				const document = Object.create(Document.prototype);
				document.bits = this.#document.bits & 0xff;
				document.depth = 0;
				document.length = core.word(9);
				document.buffer = core.call.keep();
				forgotten.register(document, document.buffer, document);
				return new Value(document, 0, document.length, 0, 0);
			}
		}
	}

	/** Its children: elements of an Array, `[key, value]` of a Dictionary, `[name, value]` of an object. */
	*[Symbol.iterator]() {
		this.#ask('children');
		const damaged = core.word(0) === 1;
		const places = core.outNumbers();
		const child = (at) => new Value(this.#document, this.#start, this.#length, at, this.#level + 1);
		switch (this.type) {
			case 'Dictionary':
				for (let n = 0; n < places.length; n += 2) yield [child(places[n]), child(places[n + 1])];
				break;
			case 'Object':
				for (let n = 0; n < places.length; n += 2) yield [this.#name(places[n]), child(places[n + 1])];
				break;
			default:
				for (const at of places) yield child(at);
		}
		// The bytes say what is wrong.
		if (damaged) this.#document.ask('validate', this.#start, this.#length);
	}

	#name(at) {
		const start = core.bufferAt(this.#document.buffer) + this.#start + at;
		const { u8 } = core.views;
		const length = u8[start - 4] | (u8[start - 3] << 8) | (u8[start - 2] << 16);
		return utf8(u8.subarray(start, start + length));
	}

	/** The value as JavaScript has it. */
	toJS(options) {
		const { buffer, bits, depth } = this.#document;
		return decodeAt(buffer, this.#start + this.#at, this.#length - this.#at, bits, depth, options);
	}

	/** Gives the memory of the bytes back at once, not when it is noticed that nobody needs them. All values of the same bytes end with it. */
	free() {
		this.#document.free();
	}

	/** A copy of its bytes. */
	bytes() {
		this.#ask('end');
		const end = core.word(0);
		const start = core.bufferAt(this.#document.buffer) + this.#start;
		return core.views.u8.slice(start + this.#at, start + end);
	}
}

if (Symbol.dispose) {
	Value.prototype[Symbol.dispose] = Value.prototype.free;
}

/** The value that bytes begin with, not decoded. */
export function open(bytes, options) {
	const document = new Document(bytes, options);
	const value = new Value(document, 0, document.length, 0, 0);
	void value.type;
	return value;
}

/** The values at places in bytes, not decoded: of each place the first two of four numbers count, its start and its length. */
export function opens(bytes, places, options) {
	const document = new Document(bytes, options);
	return Array.from({ length: places.length / 4 }, (_, n) => new Value(document, places[4 * n], places[4 * n + 1], 0, 0));
}

/** Why bytes are no whole record. */
function cut(bytes, options) {
	const magic = String.fromCharCode(...bytes.subarray(0, 4));
	if (magic === 'GCPF' || magic === 'GDEC') {
		return `this is no record but the start of a ${magic === 'GCPF' ? 'compressed' : 'encrypted'} file: contents(file) of gdvar/forms unpacks it`;
	}
	if (bytes.length < 4) return `a record begins with four bytes of length, and ${bytes.length} are left`;
	const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, !options?.bigEndian);
	return `a record of ${length} bytes is cut, or it is no record: ${bytes.length - 4} are left; one value alone is read with decode() or open(), and what there is of the record with records(bytes, { cut: true })`;
}

/**
 * The values of a file of `store_var`, each after its length; not decoded. `cut`: the last one is given as far as it goes, where it
 * would be an error that the file ends before it does.
 */
export function* records(bytes, options) {
	const document = new Document(bytes, options);
	core.ask(core.call.list_records(document.buffer, 0, document.length, options?.bigEndian ? 1 : 0));
	const whole = core.word(0);
	const places = core.outNumbers();
	for (let n = 0; n < places.length; n += 2) yield new Value(document, places[n], places[n + 1], 0, 0);
	if (whole + 4 < document.length && options?.cut) yield new Value(document, whole + 4, document.length - whole - 4, 0, 0);
	else if (whole < document.length) {
		throw new GdvarError({ code: 'Truncated', message: cut(asBytes(bytes).subarray(whole), options), offset: whole });
	}
}
