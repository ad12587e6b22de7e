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
	#isLittle;
	/** The bytes from the next record on. In the first piece they begin at `#at`. */
	#pieces = [];
	#at = 0;
	#buffered = 0;
	/** The number of bytes from the next record on that are needed to go on. */
	#need = 4;
	/** The place of the next record in the stream, and its index. */
	#position = 0;
	#record = 0;

	constructor(options = {}) {
		checkOptions('RecordStream', options, [...DECODE, 'bigEndian', 'maxLength']);
		this.#options = options;
		this.#maxLength = options.maxLength ?? 16 << 20;
		this.#isLittle = !options.bigEndian;
	}

	/** Takes a piece. */
	push(piece) {
		// A copy, because its sender may use the memory again before the record is complete.
		const bytes = copyOf(piece);
		this.#pieces.push(bytes);
		this.#buffered += bytes.length;
	}

	/** True if `take` has a record to return, or to refuse because of its length. */
	get isReady() {
		if (this.#buffered >= this.#need) {
			this.#join();
			const length = this.#length();
			this.#need = length > this.#maxLength ? 4 : 4 + length;
			if (this.#buffered >= this.#need) return true;
		}
		// A copy, so that the records before it can be freed.
		if (this.#at > 0) this.#pieces[0] = this.#pieces[0].slice(this.#at);
		this.#at = 0;
		return false;
	}

	/** Makes one piece of all. */
	#join() {
		if (this.#pieces.length === 1) return;
		const all = new Uint8Array(this.#buffered);
		let end = 0;
		for (const piece of this.#pieces) {
			const rest = end === 0 ? piece.subarray(this.#at) : piece;
			all.set(rest, end);
			end += rest.length;
		}
		this.#pieces = [all];
		this.#at = 0;
	}

	/** Returns the length of the next record. */
	#length() {
		const [{ buffer, byteOffset }] = this.#pieces;
		return new DataView(buffer, byteOffset + this.#at).getUint32(0, this.#isLittle);
	}

	/** Returns the value of the next record, which must be ready. */
	take() {
		const length = this.#length();
		const where = { record: this.#record, offset: this.#position };
		if (length > this.#maxLength) {
			const message = `a record of ${length} bytes, and no more than ${this.#maxLength} are allowed`;
			throw new GdvarError({ code: 'TooLong', message, ...where });
		}
		const start = this.#at + 4;
		const more = ({ offset }) => ({ ...where, offset: offset === undefined ? undefined : this.#position + 4 + offset });
		const value = decodeWith(this.#pieces[0].subarray(start, start + length), this.#options, more);
		this.#at += 4 + length;
		this.#buffered -= 4 + length;
		this.#position += 4 + length;
		this.#record++;
		this.#need = 4;
		return value;
	}

	/** Must be called after the last piece. Throws if a record is not complete. */
	end() {
		if (this.#buffered === 0) return;
		throw new GdvarError({ code: 'Truncated', message: 'the last record is cut', record: this.#record, offset: this.#position });
	}
}

/** Reads values of `put_var` from bytes as they arrive from a socket, in pieces of any size. */
export class RecordStream {
	#cutter;
	/** The controllers of both ends. */
	#in;
	#out;
	/** True if the reader waits for a value. */
	#isWanted = false;
	/** The piece that is being written, whether it is still to be taken, and what settles its write. */
	#write;

	constructor(options) {
		this.#cutter = new Cutter(options);
		// An error discards what a stream has queued. So a value is enqueued only for a reader that waits for it, and an
		// error comes after the last value. A TransformStream would queue all values of a piece.
		this.readable = new ReadableStream(
			{
				start: (controller) => void (this.#out = controller),
				pull: () => {
					this.#isWanted = true;
					this.#give();
				},
				cancel: (reason) => {
					this.#in.error(reason);
					this.#write?.reject(reason);
				},
			},
			{ highWaterMark: 0 },
		);
		this.writable = new WritableStream({
			start: (controller) => void (this.#in = controller),
			// Begins when a value is wanted and ends when all records of the piece are taken, so that a slow reader holds its
			// sender back.
			write: (piece) =>
				new Promise((resolve, reject) => {
					this.#write = { piece, isNew: true, resolve, reject };
					this.#give();
				}),
			close: () => {
				this.#orFail(() => this.#cutter.end());
				this.#out.close();
			},
			abort: (reason) => this.#out.error(reason),
		});
	}

	/** Gives the reader a value if it waits for one. */
	#give() {
		if (!this.#isWanted || this.#write === undefined) return;
		const { piece, isNew, resolve, reject } = this.#write;
		try {
			this.#orFail(() => {
				if (isNew) this.#cutter.push(piece);
				this.#write.isNew = false;
				if (this.#cutter.isReady) {
					const value = this.#cutter.take();
					this.#isWanted = false;
					this.#out.enqueue(value);
				}
				if (this.#cutter.isReady) return;
				this.#write = undefined;
				resolve();
			});
		} catch (error) {
			reject(error);
		}
	}

	/** Returns what `work` returns. An error is also the reader's. */
	#orFail(work) {
		try {
			return work();
		} catch (error) {
			this.#out.error(error);
			throw error;
		}
	}

	/** Iterates over the values in an async iterable of pieces, such as a socket of Node. */
	static async *from(pieces, options) {
		const cutter = new Cutter(options);
		// A socket of Node stays open for the answers when its client has sent everything.
		const source = typeof pieces.iterator === 'function' ? pieces.iterator({ destroyOnReturn: false }) : pieces;
		for await (const piece of source) {
			cutter.push(piece);
			while (cutter.isReady) yield cutter.take();
		}
		cutter.end();
	}
}
