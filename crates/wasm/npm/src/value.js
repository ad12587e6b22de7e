// Values that stay in their bytes until you ask for them.

import { decodeAt, decodeWith, stringBytes } from './decode.js';
import { Held } from './held.js';
import { GdvarError, KINDS, READ, asBytes, checkOptions, core, dialectNumber, maxDepth, readBits, targetBits } from './wasm.js';

/** Bytes, and how they are read. */
class Document {
	#held;

	constructor(bytes, dialect, bits, depth) {
		this.dialect = dialect;
		this.bits = bits;
		this.depth = depth;
		this.length = bytes.length;
		this.#held = new Held(this, bytes);
	}

	static of(bytes, options) {
		return new Document(asBytes(bytes), options?.dialect ?? 'godot4', readBits(options), maxDepth(options));
	}

	/** The number of the buffer of gdvar.wasm that has the bytes. Throws after `free`. */
	get buffer() {
		const number = this.#held.number(this);
		if (number < 0) throw new TypeError('the bytes of this Value were freed, by free() or at the end of its `using`: open them again');
		return number;
	}

	free() {
		this.#held.free();
	}

	/** Returns what `work` returns, and frees the bytes if that is an error. */
	orFree(work) {
		try {
			return work();
		} catch (error) {
			this.free();
			throw error;
		}
	}

	/** Calls a function about a part of the bytes. */
	ask(name, start, length, ...more) {
		return core.ask(core.call[name](this.buffer, start, length, this.bits, this.depth, ...more));
	}
}

/** The type of the value that the answer describes, and the number of its children. */
const kindOf = () => ({ type: KINDS[core.word(3)], length: core.word(4) });

/** A value in its bytes. Only what you ask for is decoded. */
export class Value {
	#document;
	#start;
	#length;
	#at;
	#level;
	#kind;

	/** Created by `open`, not by you: the value at an offset inside a part of a document. */
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

	/** The engine as whose value it is read. */
	get dialect() {
		return this.#document.dialect;
	}

	/** The name of its type. */
	get type() {
		return (this.#kind ?? this.#describe()).type;
	}

	/** The number of its elements, pairs or properties. */
	get length() {
		return (this.#kind ?? this.#describe()).length;
	}

	/** Its offset from the start of the bytes. */
	get offset() {
		return this.#start + this.#at;
	}

	/**
	 * Returns the value at a path below this one, such as `party[0].hp`, or undefined if there is none.
	 */
	get(path) {
		const size = core.text(path, 'a path');
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
				// A component of a vector or an element of a packed array gets its own document.
				const document = new Document(core.outBytes(), this.dialect, this.#document.bits & 0xff, 0);
				return new Value(document, 0, document.length, 0, 0);
			}
		}
	}

	/**
	 * Iterates over its children: the elements of an Array, `[key, value]` of a Dictionary, `[name, value]` of
	 * an object.
	 */
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
		// Validation throws what is wrong.
		if (damaged) this.#document.ask('validate', this.#start, this.#length);
	}

	#name(at) {
		const start = core.bufferAt(this.#document.buffer) + this.#start + at;
		const { u8 } = core.views;
		const length = u8[start - 4] | (u8[start - 3] << 8) | (u8[start - 2] << 16);
		return decodeWith(stringBytes(u8.subarray(start - 4, start + length)), { dialect: this.dialect });
	}

	/** Returns the value as JavaScript's values. */
	toJS(options) {
		checkOptions('toJS', options, ['numbers', 'maps', 'schema']);
		return this.read(options);
	}

	/** `toJS` with options that are checked. */
	read(options) {
		const { buffer, bits, depth } = this.#document;
		return decodeAt(buffer, this.#start + this.#at, this.#length - this.#at, bits, depth, options);
	}

	/**
	 * Frees the memory of the bytes now, without waiting for the garbage collector. All values of the same bytes
	 * become invalid.
	 */
	free() {
		this.#document.free();
	}

	/** Returns a copy of its bytes. */
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

/** Throws if a Value would be used as a value of another engine, for which its bytes mean something else. */
export function sameEngine(value, target) {
	if ((dialectNumber(value.dialect) & 255) === (targetBits(target) & 255)) return;
	const name = typeof target === 'string' ? target : (target.dialect ?? 'godot4');
	throw new TypeError(
		`this Value is read as ${value.dialect}, and its bytes mean something else in ${name}: pass value.toJS(), or convert it with convert() of gdvar/forms`,
	);
}

/** Opens the value at the start of bytes, without decoding it. */
export function open(bytes, options) {
	checkOptions('open', options, READ);
	const document = Document.of(bytes, options);
	return document.orFree(() => {
		const value = new Value(document, 0, document.length, 0, 0);
		void value.type;
		return value;
	});
}

/**
 * Opens the values at places in bytes, without decoding them. Each place is four numbers, of which the first
 * two are its start and its length.
 */
export function opens(bytes, places, options) {
	const document = Document.of(bytes, options);
	return Array.from({ length: places.length / 4 }, (_, n) => new Value(document, places[4 * n], places[4 * n + 1], 0, 0));
}

/** Explains why bytes are not a complete record. */
function cut(bytes, options) {
	const magic = String.fromCharCode(...bytes.subarray(0, 4));
	if (magic === 'GCPF' || magic === 'GDEC') {
		return `this is not a record but the start of ${magic === 'GCPF' ? 'a compressed' : 'an encrypted'} file: contents(file) of gdvar/forms unpacks it`;
	}
	if (bytes.length < 4) return `a record begins with four bytes of length, and ${bytes.length} are left`;
	const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, !options?.bigEndian);
	return `a record of ${length} bytes is cut, or it is not a record: ${bytes.length - 4} are left; one value alone is read with decode() or open(), any file with openFile() of gdvar/forms, and what there is of the record with records(bytes, { cut: true })`;
}

/**
 * Iterates over the values of a file of `store_var`, each after its length, without decoding them. `cut`: a
 * truncated last record is returned as far as it goes; without it, it is an error.
 */
export function records(bytes, options) {
	checkOptions('records', options, [...READ, 'bigEndian', 'cut']);
	return recordsWith(bytes, options);
}

/** `records` with options that are checked. */
export function* recordsWith(bytes, options) {
	const document = Document.of(bytes, options);
	document.orFree(() => core.ask(core.call.list_records(document.buffer, 0, document.length, options?.bigEndian ? 1 : 0)));
	const whole = core.word(0);
	const places = core.outNumbers();
	for (let n = 0; n < places.length; n += 2) yield new Value(document, places[n], places[n + 1], 0, 0);
	if (options?.cut) {
		// Of a record that is cut in its length, there is nothing.
		if (whole + 4 < document.length) yield new Value(document, whole + 4, document.length - whole - 4, 0, 0);
	} else if (whole < document.length) {
		throw new GdvarError({ code: 'Truncated', message: cut(asBytes(bytes).subarray(whole), options), offset: whole });
	}
}
