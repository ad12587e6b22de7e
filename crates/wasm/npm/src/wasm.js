// The connection to gdvar.wasm: buffers, calls, answers, errors.

import { Memory } from './memory.js';

/** An error in bytes, or about a value that cannot be written. */
export class GdvarError extends Error {
	constructor({ code, message, record, offset, path, choices }) {
		const where = [];
		if (record !== undefined) where.push(`in record ${record}`);
		if (offset !== undefined) where.push(`at byte ${offset}`);
		if (path) where.push(`in ${path}`);
		super(where.length > 0 ? `${message} (${where.join(' ')})` : message);
		this.name = 'GdvarError';
		this.code = code;
		if (record !== undefined) this.record = record;
		if (offset !== undefined) this.offset = offset;
		if (path !== undefined) this.path = path;
		if (choices !== undefined) this.choices = choices;
	}
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** If one call uses more memory than this, the memory is freed at once. */
const LARGE = 1 << 24;

/** Decodes bytes as UTF-8. */
export const utf8 = (bytes) => decoder.decode(bytes);

/** Decodes base64, the form in which a module is text. */
export const fromBase64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

/** Returns the bytes of any object that holds bytes. */
export function asBytes(bytes) {
	if (bytes instanceof Uint8Array) return bytes;
	if (ArrayBuffer.isView(bytes)) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (bytes instanceof ArrayBuffer || globalThis.SharedArrayBuffer?.prototype.isPrototypeOf(bytes)) {
		return new Uint8Array(bytes);
	}
	throw new TypeError('bytes are expected: a Uint8Array, another view, or an ArrayBuffer');
}

/** Returns a copy of the bytes of any object that holds bytes. `slice` of a Buffer of Node would share them. */
export const copyOf = (bytes) => new Uint8Array(asBytes(bytes));

export const isWellFormed = String.prototype.isWellFormed
	? (text) => text.isWellFormed()
	: (text) => !/\p{Surrogate}/u.test(text);

/** Returns a text as UTF-8, or throws. `of` says what the text is. */
export function textBytes(text, of = 'a text') {
	if (typeof text !== 'string') {
		throw new TypeError(`${of} is expected as a string, not ${text === null ? 'null' : Array.isArray(text) ? 'an Array' : typeof text}`);
	}
	if (isWellFormed(text)) return encoder.encode(text);
	throw new GdvarError({ code: 'InvalidText', message: `${of} has half of a surrogate pair, which UTF-8 cannot express` });
}

/** Returns the step of a path to a key or element. */
export function stepOf(key) {
	if (typeof key === 'string' && /^[A-Za-z_][A-Za-z_0-9]*$/.test(key)) return `.${key}`;
	return `[${typeof key === 'string' ? JSON.stringify(key) : String(key)}]`;
}

/**
 * Returns the error to throw for a caught error: a stack overflow of JavaScript becomes an error of this
 * package.
 */
export function ofStack(error) {
	// It is a RangeError in V8 and JavaScriptCore and an InternalError in Firefox. Oversized buffers are
	// RangeErrors, too.
	if (!/call stack|recursion/i.test(error?.message) || error instanceof GdvarError) return error;
	return new GdvarError({ code: 'DepthExceeded', message: 'nested deeper than the stack of JavaScript is' });
}

/** An instance of one of this package's modules. Created by `moduleOf`. */
class Module {
	#memory;
	/** The address of the words of the answer, as an index of words. */
	#words;
	/** The minimum length of the scratch buffer. */
	#scratchSize = 0;
	/** The address of the scratch buffer. */
	scratchAt = 0;

	constructor({ exports }) {
		this.call = exports;
		this.#memory = new Memory(exports.memory);
		this.#words = exports.words() >>> 2;
	}

	/** Views of memory, for the answer to the last call. memory.js says how long they are valid. */
	get views() {
		return this.#memory.views;
	}

	#reserve(scratch, length) {
		const number = length > 0xffff_0000 ? -1 : this.call.reserve(scratch, length);
		if (number >= 0) return number;
		throw new GdvarError({ code: 'OutOfMemory', message: `there is no memory for ${length} bytes` });
	}

	/** Returns the address of the bytes of a buffer. Number 0 is the scratch buffer. */
	bufferAt(number) {
		return this.call.buffer_at(number) >>> 0;
	}

	/** Copies bytes into the scratch buffer and returns their length. */
	scratch(bytes) {
		const { length } = bytes;
		if (length > this.#scratchSize) {
			this.#reserve(1, length);
			this.scratchAt = this.bufferAt(0);
			this.#scratchSize = length;
		}
		this.views.u8.set(bytes, this.scratchAt);
		return length;
	}

	/** Copies bytes into a new buffer and returns its number. */
	buffer(bytes) {
		const number = this.#reserve(0, bytes.length);
		const at = this.bufferAt(number);
		this.views.u8.set(bytes, at);
		return number;
	}

	/** Puts a text into the scratch buffer and returns its length in bytes. */
	text(text, of) {
		return this.scratch(textBytes(text, of));
	}

	/** Throws if the answer is an error. `more` returns what else is known of it, from what it says itself. */
	ask(status, more) {
		if (status === 0) return this;
		const failure = JSON.parse(this.outText());
		if (failure.code === 'LengthPrefixed') {
			failure.message =
				'the first word is the length of what follows, as store_var and put_var write it: read it with get_var() or records()';
		}
		throw new GdvarError({ ...failure, ...more?.(failure) });
	}

	/** Returns a word of the answer. */
	word(number) {
		return this.views.u32[this.#words + number];
	}

	/**
	 * Passes a view of the answer's bytes to `read` and returns the result. `read` must copy what it keeps, and
	 * must not call into WebAssembly.
	 */
	out(read) {
		const start = this.word(8);
		const made = read(this.views.u8.subarray(start, start + this.word(9)));
		this.settle();
		return made;
	}

	/** Returns a copy of the bytes of the answer. */
	outBytes() {
		return this.out((bytes) => bytes.slice());
	}

	/** Returns the bytes of the answer as text. */
	outText() {
		return this.out(utf8);
	}

	/** Returns the bytes of the answer as numbers. */
	outNumbers() {
		return new Uint32Array(this.outBytes().buffer);
	}

	/** Ends a call: frees its memory if it was much. The answer is lost then. */
	settle() {
		if (this.#scratchSize + this.word(9) + 8 * this.word(11) <= LARGE) return;
		this.#scratchSize = 0;
		this.call.tidy();
	}
}

/** Prints a float as Rust does, so that paths are the same everywhere. */
function print(number) {
	const size = Math.abs(number);
	if (size === Infinity || (size !== 0 && (size < 1e-4 || size >= 1e16))) {
		return number.toExponential().replace('Infinity', 'inf').replace('+', '');
	}
	return (Object.is(number, -0) ? '-' : '') + number + (Number.isInteger(number) ? '.0' : '');
}

/**
 * Returns the double with the shortest digits of a single. For three powers of two it uses one digit more
 * than Rust.
 */
function typed(single) {
	if (single === 0) return single;
	for (let digits = 1; digits < 9; digits++) {
		const number = Number(single.toPrecision(digits));
		if (Math.fround(number) === single) return number;
	}
	return Number(single.toPrecision(9));
}

/**
 * The functions that a module borrows: floats to text and back (src/ffi/floats.rs), which would be a fifth of
 * gdvar.wasm. `take` must be called with the instance that borrowed them, and returns it.
 */
function lender() {
	let memory;
	const at = (start, length) => memory.views.u8.subarray(start >>> 0, (start >>> 0) + length);
	const js = {
		parse_float: (start, length) => Number(utf8(at(start, length)).replace('inf', 'Infinity')),
		print_float: (number, start) => encoder.encodeInto(print(number), at(start, 32)).written,
		typed_float: typed,
	};
	const take = (instance) => {
		memory = new Memory(instance.exports.memory);
		return instance;
	};
	return { imports: { js }, take };
}

/** Creates an instance of a module synchronously. */
export function instantiate(bytes) {
	const { imports, take } = lender();
	return take(new WebAssembly.Instance(new WebAssembly.Module(bytes), imports));
}

/**
 * Creates an instance of a module asynchronously, for browsers, some of which refuse to compile large modules
 * synchronously.
 */
export async function instantiateLater(bytes) {
	const { imports, take } = lender();
	const { instance } = await WebAssembly.instantiate(bytes, imports);
	return take(instance);
}

const modules = new WeakMap();

/**
 * Returns the Module of an instance. There is only one per instance, because each keeps track of the
 * instance's scratch buffer.
 */
export function moduleOf(instance) {
	let module = modules.get(instance);
	if (module === undefined) {
		module = new Module(instance);
		modules.set(instance, module);
	}
	return module;
}

/** gdvar.wasm. */
export let core;
/** The names of the kinds by their numbers, and the numbers by their names. */
export let KINDS = [];
export const KIND = new Map();

/** Must be called once, with an instance of gdvar.wasm. */
export function setup(instance) {
	core = moduleOf(instance);
	KINDS = core.ask(core.call.kinds()).outText().split('\n');
	KINDS.forEach((name, number) => KIND.set(name, number));
}

const KNOWN = 'godot4, godot3, godot2, godot4-docs, pandemonium3, pandemonium4, pandemonium5';

const DIALECTS = new Map();

/** Returns the number of a dialect, or of a release with its dialect. */
export function dialectNumber(name = 'godot4') {
	let number = DIALECTS.get(name);
	if (number === undefined) {
		number = core.call.dialect(core.text(String(name)));
		if (number < 0) {
			const releases = 'godot4.6, godot3.6, godot3.2, pandemonium5.3';
			throw new TypeError(`there is no dialect ${name}; there are ${KNOWN}, and the releases ${releases}`);
		}
		DIALECTS.set(name, number);
	}
	return number;
}

const FLAG = [true, false];
/** The options, and the values that each takes: a list, or the least and the greatest whole number. */
const OPTIONS = {
	strict: FLAG,
	objects: ['ids', 'inert', 'deny'],
	maxDepth: { least: 0, most: Infinity },
	numbers: ['friendly', 'exact'],
	maps: ['auto', 'always'],
	lookalikes: ['write', 'refuse'],
	bigEndian: FLAG,
	cut: FLAG,
	maxLength: { least: 0, most: Infinity },
	style: ['plain', 'native', 'tagged'],
	limit: { least: 0, most: Infinity },
	skip: { least: 0, most: 0xffff_fffe },
	maxUnpacked: { least: 0, most: Infinity },
};
/** The names of options that functions share. */
export const READ = ['dialect', 'strict', 'objects', 'maxDepth'];
export const DECODE = [...READ, 'numbers', 'maps', 'schema'];
export const WRITE = ['target', 'numbers', 'lookalikes', 'maxDepth'];
const OTHER = { dialect: 'target', target: 'dialect', from: 'dialect', to: 'target' };

/** Throws if a number is not a whole one in a range. */
export function whole(name, number, least, most) {
	if (typeof number !== 'number') throw new TypeError(`${name} is a number, not ${typeof number}`);
	if ((Number.isInteger(number) || number === Infinity) && number >= least && number <= most) return number;
	throw new RangeError(`${name} is a whole number from ${least}${most === Infinity ? '' : ` to ${most}`}, not ${number}`);
}

/**
 * Throws if there is an option that the function `what` does not take, or a value that an option does not. What is
 * not an object is no options: `list.map(decode)` passes an index.
 */
export function checkOptions(what, options, names) {
	if (typeof options !== 'object' || options === null) return;
	for (const name of Object.keys(options)) {
		const value = options[name];
		if (value === undefined) continue;
		if (!names.includes(name)) {
			const hint = names.includes(OTHER[name]) ? `takes ${OTHER[name]}, not ${name}` : `has no option ${name}; it takes ${names.join(', ')}`;
			throw new TypeError(`${what} ${hint}`);
		}
		const known = OPTIONS[name];
		if (known === undefined) continue;
		if (!Array.isArray(known)) whole(name, value, known.least, known.most);
		else if (!known.includes(value)) throw new TypeError(`${name} is ${known.map((one) => JSON.stringify(one)).join(' or ')}, not ${String(value)}`);
	}
}

const OBJECTS = { ids: 0, inert: 1, deny: 2 };
const NONE = Object.freeze({});

/** Encodes reading options as a number. */
export function readBits(options = NONE) {
	const { dialect, strict, objects } = options;
	if (dialect === undefined && !strict && objects === undefined) return 0;
	const policy = OBJECTS[objects ?? 'ids'];
	if (policy === undefined) throw new TypeError("objects is 'ids', 'inert' or 'deny'");
	return dialectNumber(dialect) | (strict ? 1 << 8 : 0) | (policy << 16);
}

const PRECISION = { given: 0, single: 1, double: 2 };
const INTS = { engine: 0, shortest: 1, 64: 2, 32: 3 };

/**
 * Encodes a target as a number: `'godot4'`, `'godot4.2'` or `{ dialect, minor, precision, ints }`.
 */
export function targetBits(target) {
	if (target === undefined) return 0xff00;
	if (typeof target === 'string') return targetNumber(target);
	if (typeof target !== 'object' || target === null) {
		throw new TypeError(`a target is a text such as 'godot4.2', or { dialect, minor, precision, ints }, not ${String(target)}`);
	}
	const odd = Object.keys(target).find((name) => !['dialect', 'minor', 'precision', 'ints'].includes(name));
	if (odd !== undefined) throw new TypeError(`a target has dialect, minor, precision and ints, not ${odd}`);
	const { dialect = 'godot4', minor, precision: reals = 'given', ints } = target;
	const precision = PRECISION[reals];
	const rule = INTS[ints ?? 'engine'];
	if (precision === undefined || rule === undefined) {
		throw new TypeError("a target has precision 'single' or 'double', and ints 'shortest', 64 or 32");
	}
	const number = targetNumber(minor === undefined ? dialect : `${dialect}.${minor}`) | (precision << 16);
	return ints === undefined ? number : (number & 0xff_ffff) | (rule << 24);
}

const TARGETS = new Map();

/** Returns the bits of a target by its name: a dialect, or a version of an engine. */
function targetNumber(name) {
	let number = TARGETS.get(name);
	if (number === undefined) {
		number = core.call.target_named(core.text(String(name)));
		if (number < 0) throw new TypeError(`there is no target ${name}; there are ${KNOWN}, and their versions, such as godot4.2`);
		TARGETS.set(name, number);
	}
	return number;
}

/** Returns the depth limit of options as the modules take it: 0 if there is none, otherwise one more than it. */
export const maxDepth = ({ maxDepth } = NONE) => (maxDepth === undefined ? 0 : Math.min(maxDepth, 65534) + 1);
