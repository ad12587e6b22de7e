// The part of the package that does not need gdvar-forms.wasm.

import { decode } from './decode.js';
import { encode } from './encode.js';
import { asBytes, core, maxDepth, readBits, GdvarError } from './wasm.js';
import { Value, records } from './value.js';

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
	const bytes = value instanceof Value ? value.bytes() : encode(value, options);
	const record = new Uint8Array(4 + bytes.length);
	new DataView(record.buffer).setUint32(0, bytes.length, !options?.bigEndian);
	record.set(bytes, 4);
	return record;
}

export const store_var = put_var;

/** Like `get_var`: returns the first value after its length. */
export function get_var(bytes, options) {
	for (const value of records(bytes, options)) return value.toJS(options);
	throw new GdvarError({ code: 'Truncated', message: 'there is no whole record', offset: 0 });
}

/** Writes values as a file of `store_var`. */
export function writeRecords(values, options) {
	const all = Array.from(values, (value) => put_var(value, options));
	const file = new Uint8Array(all.reduce((sum, one) => sum + one.length, 0));
	let at = 0;
	for (const one of all) {
		file.set(one, at);
		at += one.length;
	}
	return file;
}

/** Reads values of `put_var` from bytes as they arrive from a socket, in pieces of any size. */
export class RecordStream extends TransformStream {
	constructor(options = {}) {
		const { maxLength = 16 << 20, bigEndian = false } = options;
		let pieces = [];
		let buffered = 0;
		let position = 0;
		/** The number of bytes that complete the next record. */
		let need = 4;
		super({
			transform(chunk, controller) {
				const bytes = asBytes(chunk);
				pieces.push(bytes);
				buffered += bytes.length;
				if (buffered < need) return;
				let rest = pieces[0];
				if (pieces.length > 1) {
					rest = new Uint8Array(buffered);
					let at = 0;
					for (const piece of pieces) {
						rest.set(piece, at);
						at += piece.length;
					}
				}
				let at = 0;
				need = 4;
				while (rest.length - at >= 4) {
					const view = new DataView(rest.buffer, rest.byteOffset + at);
					const length = view.getUint32(0, !bigEndian);
					if (length > maxLength) {
						const message = `a record of ${length} bytes, and no more than ${maxLength} are allowed`;
						throw new GdvarError({ code: 'TooLong', message, offset: position + at });
					}
					need = 4 + length;
					if (rest.length - at < need) break;
					controller.enqueue(decode(rest.subarray(at + 4, at + need), options));
					at += need;
					need = 4;
				}
				position += at;
				// Copies the rest, because the piece belongs to its sender.
				pieces = at < rest.length ? [rest.slice(at)] : [];
				buffered = rest.length - at;
			},
			flush() {
				if (buffered > 0) throw new GdvarError({ code: 'Truncated', message: 'the last record is cut', offset: position });
			},
		});
	}
}
