// The part of the package that does not need gdvar-forms.wasm.

import { decode, decodeWith } from './decode.js';
import { encode, encodeWith } from './encode.js';
import { DECODE, GdvarError, READ, WRITE, asBytes, checkOptions, copyOf, core, maxDepth, readBits } from './wasm.js';
import { Value, recordsWith, sameEngine } from './value.js';

export * from './types.js';
export { GdvarError } from './wasm.js';
export { decode } from './decode.js';
export { encode } from './encode.js';
export { keyOf } from './key.js';
export { Value, open, records } from './value.js';

/**
 * Reads the whole value without building it. Returns its size in bytes, or throws what is wrong.
 */
export function validate(bytes, options) {
	checkOptions('validate', options, READ);
	const bits = readBits(options);
	const length = core.scratch(asBytes(bytes));
	try {
		return core.ask(core.call.validate(0, 0, length, bits, maxDepth(options))).word(0);
	} finally {
		core.settle();
	}
}

/** Like `var_to_bytes`. */
export const var_to_bytes = encode;

/** Like `bytes_to_var`. */
export const bytes_to_var = decode;

/**
 * Like `put_var` and `store_var`: returns the value after its length. A `Value` keeps its bytes.
 */
export function put_var(value, options) {
	checkOptions('put_var', options, [...WRITE, 'bigEndian']);
	return recordOf(value, options);
}

function recordOf(value, options) {
	const isValue = value instanceof Value;
	if (isValue && options?.target !== undefined) sameEngine(value, options.target);
	const bytes = isValue ? value.bytes() : encodeWith(value, options);
	const record = new Uint8Array(4 + bytes.length);
	new DataView(record.buffer).setUint32(0, bytes.length, !options?.bigEndian);
	record.set(bytes, 4);
	return record;
}

export const store_var = put_var;

/** Like `get_var`: returns the first value after its length. */
export function get_var(bytes, options) {
	checkOptions('get_var', options, [...DECODE, 'bigEndian']);
	for (const value of recordsWith(bytes, options)) {
		try {
			return value.read(options);
		} finally {
			value.free();
		}
	}
	throw new GdvarError({ code: 'Truncated', message: 'there is no whole record', offset: 0 });
}

/** Writes values as a file of `store_var`. */
export function writeRecords(values, options) {
	checkOptions('writeRecords', options, [...WRITE, 'bigEndian']);
	const all = Array.from(values, (value) => recordOf(value, options));
	const file = new Uint8Array(all.reduce((sum, one) => sum + one.length, 0));
	let at = 0;
	for (const one of all) {
		file.set(one, at);
		at += one.length;
	}
	return file;
}

/** Cuts bytes that arrive in pieces of any size into records, and decodes them. */
class Cutter {
	#options;
	#maxLength;
	#bigEndian;
	#pieces = [];
	#buffered = 0;
	#position = 0;
	/** The number of bytes that complete the next record. */
	#need = 4;

	constructor(options = {}) {
		checkOptions('RecordStream', options, [...DECODE, 'bigEndian', 'maxLength']);
		this.#options = options;
		this.#maxLength = options.maxLength ?? 16 << 20;
		this.#bigEndian = options.bigEndian ?? false;
	}

	/** Yields the values that a piece completes. */
	*push(piece) {
		// A copy, because its sender may use the memory again before the record is complete.
		const bytes = copyOf(piece);
		this.#pieces.push(bytes);
		this.#buffered += bytes.length;
		if (this.#buffered < this.#need) return;
		let rest = this.#pieces[0];
		if (this.#pieces.length > 1) {
			rest = new Uint8Array(this.#buffered);
			let at = 0;
			for (const piece of this.#pieces) {
				rest.set(piece, at);
				at += piece.length;
			}
		}
		let at = 0;
		this.#need = 4;
		while (rest.length - at >= 4) {
			const view = new DataView(rest.buffer, rest.byteOffset + at);
			const length = view.getUint32(0, !this.#bigEndian);
			if (length > this.#maxLength) {
				const message = `a record of ${length} bytes, and no more than ${this.#maxLength} are allowed`;
				throw new GdvarError({ code: 'TooLong', message, offset: this.#position + at });
			}
			this.#need = 4 + length;
			if (rest.length - at < this.#need) break;
			yield decodeWith(rest.subarray(at + 4, at + this.#need), this.#options);
			at += this.#need;
			this.#need = 4;
		}
		this.#position += at;
		// A copy, so that the records before it can be freed.
		this.#pieces = at < rest.length ? [rest.slice(at)] : [];
		this.#buffered = rest.length - at;
	}

	/** Must be called after the last piece. Throws if a record is not complete. */
	end() {
		if (this.#buffered > 0) throw new GdvarError({ code: 'Truncated', message: 'the last record is cut', offset: this.#position });
	}
}

/** Reads values of `put_var` from bytes as they arrive from a socket, in pieces of any size. */
export class RecordStream extends TransformStream {
	constructor(options) {
		const cutter = new Cutter(options);
		super({
			transform(piece, controller) {
				for (const value of cutter.push(piece)) controller.enqueue(value);
			},
			flush() {
				cutter.end();
			},
		});
	}

	/** Iterates over the values in an async iterable of pieces, such as a socket of Node. */
	static async *from(pieces, options) {
		const cutter = new Cutter(options);
		// A socket of Node stays open for the answers when its client has sent everything.
		const source = typeof pieces.iterator === 'function' ? pieces.iterator({ destroyOnReturn: false }) : pieces;
		for await (const piece of source) yield* cutter.push(piece);
		cutter.end();
	}
}
