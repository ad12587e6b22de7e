// Values that stay in their bytes until you ask for them.

import { decodeAt, decodeWith, stringBytes } from './decode.js';
import { Held, disposable } from './held.js';
import { GdvarError, KINDS, READ, asBytes, checkOptions, copyOf, core, dialectNumber, maxDepth, readBits, targetBits } from './wasm.js';

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

}

/** The part of a document in which one value and its children are: all of it, or a record. */
class Part {
	/**
	 * `record` is the index of the record, if there are several. `base` is the offset in the user's input at which the
	 * part starts.
	 */
	constructor(document, start, length, record, base = start) {
		this.document = document;
		this.start = start;
		this.length = length;
		this.record = record;
		this.base = base;
	}

	/** Calls a function about the part. */
	ask(name, ...more) {
		const { buffer, bits, depth } = this.document;
		return core.ask(core.call[name](buffer, this.start, this.length, bits, depth, ...more), this.more(0));
	}

	/** What is said instead of an error, if it is known why the part is empty. */
	reason;

	/** Returns what an error about the bytes from `at` on does not know: where they are in the input. */
	more(at) {
		if (this.reason !== undefined) return () => ({ message: this.reason, record: this.record, offset: this.base, path: undefined });
		return ({ offset }) => ({ record: this.record, offset: offset === undefined ? undefined : this.base + at + offset });
	}

	/** Returns the value at the start of the part. */
	value() {
		return new Value(this, 0, 0);
	}
}

/** The type of the value that the answer describes, and the number of its children. */
const kindOf = () => ({ type: KINDS[core.word(3)], length: core.word(4) });

/** A value in its bytes. Only what you ask for is decoded. */
export class Value {
	#part;
	#at;
	#level;
	#kind;

	/** Created by `open`, not by you: the value at an offset inside a part of a document. */
	constructor(part, at, level) {
		this.#part = part;
		this.#at = at;
		this.#level = level;
	}

	#ask(name, ...more) {
		return this.#part.ask(name, this.#at, this.#level, ...more);
	}

	#describe() {
		this.#ask('describe');
		this.#kind = kindOf();
		return this.#kind;
	}

	/** The engine as whose value it is read. */
	get dialect() {
		return this.#part.document.dialect;
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
		return this.#part.start + this.#at;
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
				const value = new Value(this.#part, core.word(1), core.word(2));
				value.#kind = kindOf();
				return value;
			}
			default: {
				// A component of a vector or an element of a packed array gets its own document.
				const document = new Document(core.outBytes(), this.dialect, this.#part.document.bits & 0xff, 0);
				return new Part(document, 0, document.length).value();
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
		const child = (at) => new Value(this.#part, at, this.#level + 1);
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
		if (damaged) this.#part.ask('validate');
	}

	#name(at) {
		const start = core.bufferAt(this.#part.document.buffer) + this.#part.start + at;
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
		const { document, start, length } = this.#part;
		const { buffer, bits, depth } = document;
		return decodeAt(buffer, start + this.#at, length - this.#at, bits, depth, options, this.#part.more(this.#at));
	}

	/**
	 * Frees the memory of the bytes now, without waiting for the garbage collector. All values of the same bytes
	 * become invalid.
	 */
	free() {
		this.#part.document.free();
	}

	/** Returns a copy of its bytes. */
	bytes() {
		this.#ask('end');
		const end = core.word(0);
		const start = core.bufferAt(this.#part.document.buffer) + this.#part.start;
		return core.views.u8.slice(start + this.#at, start + end);
	}
}

disposable(Value);

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
		const value = new Part(document, 0, document.length).value();
		void value.type;
		return value;
	});
}

/**
 * Opens the values at places in bytes, without decoding them: `{ values, free }`. Each place is four numbers: its start,
 * its length, one more, and its record. `isInput`: offsets in these bytes are offsets in the input.
 */
export function opens(bytes, places, { isInput, hasRecords }, options) {
	const document = Document.of(bytes, options);
	const values = Array.from({ length: places.length / 4 }, (_, n) => {
		const [start, length, , record] = places.subarray(4 * n);
		return new Part(document, start, length, hasRecords ? record : undefined, isInput ? start : 0).value();
	});
	return { values, free: () => document.free() };
}

/** Explains why the last `left` bytes, which begin with the bytes of `head`, are not a complete record. */
function cut(head, left, options) {
	const magic = String.fromCharCode(...head);
	if (magic === 'GCPF' || magic === 'GDEC') {
		return `this is not a record but the start of ${magic === 'GCPF' ? 'a compressed' : 'an encrypted'} file: contents(file) of gdvar/forms unpacks it`;
	}
	if (left < 4) return `a record begins with four bytes of length, and ${left} are left`;
	const length = new DataView(head.buffer, head.byteOffset).getUint32(0, !options?.bigEndian);
	if (options?.cut) return `of a record of ${length} bytes, none is left`;
	return `a record of ${length} bytes is cut, or it is not a record: ${left - 4} are left; one value alone is read with decode() or open(), any file with openFile() of gdvar/forms, and what there is of the record with records(bytes, { cut: true })`;
}

/**
 * Iterates over the values of a file of `store_var`, each after its length, without decoding them. `cut`: a
 * truncated last record is returned as far as it goes, and a use of what is not there throws; without it, it is an error.
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
	const left = document.length - whole;
	const head = copyOf(asBytes(bytes).subarray(whole, whole + 4));
	const count = places.length / 2;
	const isOne = count + (left > 0 ? 1 : 0) === 1;
	for (let n = 0; n < count; n++) yield new Part(document, places[2 * n], places[2 * n + 1], isOne ? undefined : n).value();
	if (left === 0) return;
	const record = isOne ? undefined : count;
	if (!options?.cut) throw new GdvarError({ code: 'Truncated', message: cut(head, left, options), record, offset: whole });
	if (left > 4) return yield new Part(document, whole + 4, left - 4, record).value();
	const part = new Part(document, document.length, 0, record, whole);
	part.reason = cut(head, left, options);
	yield part.value();
}
