// The part of the package that needs no gdvar-forms.wasm.

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

/** Reads everything and makes nothing of it: how many bytes the value takes. Throws what is wrong. */
export function validate(bytes, options) {
	const bits = readBits(options);
	const length = core.scratch(asBytes(bytes));
	try {
		return core.ask(core.call.validate(0, 0, length, bits, maxDepth(options))).word(0);
	} finally {
		core.settle();
	}
}

/** As `var_to_bytes`. */
export const var_to_bytes = encode;

/** As `bytes_to_var`. */
export const bytes_to_var = decode;

/** As `put_var` and `store_var`: the value behind its length. A `Value` keeps its bytes. */
export function put_var(value, options) {
	const bytes = value instanceof Value ? value.bytes() : encode(value, options);
	const record = new Uint8Array(4 + bytes.length);
	new DataView(record.buffer).setUint32(0, bytes.length, !options?.bigEndian);
	record.set(bytes, 4);
	return record;
}

export const store_var = put_var;

/** As `get_var`: the first value behind its length. */
export function get_var(bytes, options) {
	for (const value of records(bytes, options)) return value.toJS(options);
	throw new GdvarError({ code: 'Truncated', message: 'there is no whole record', offset: 0 });
}

/** A file of `store_var` out of values. */
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

/** Values of `put_var` out of bytes as they arrive from a socket, in pieces of any size. */
export class RecordStream extends TransformStream {
	constructor(options = {}) {
		const { maxLength = 16 << 20, bigEndian = false } = options;
		let pieces = [];
		let held = 0;
		let position = 0;
		/** So many bytes make the next record whole. */
		let need = 4;
		super({
			transform(chunk, controller) {
				const bytes = asBytes(chunk);
				pieces.push(bytes);
				held += bytes.length;
				if (held < need) return;
				let rest = pieces[0];
				if (pieces.length > 1) {
					rest = new Uint8Array(held);
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
				// A copy: the piece belongs to whoever sent it.
				pieces = at < rest.length ? [rest.slice(at)] : [];
				held = rest.length - at;
			},
			flush() {
				if (held > 0) throw new GdvarError({ code: 'Truncated', message: 'the last record is cut', offset: position });
			},
		});
	}
}
