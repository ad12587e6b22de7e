// The part of the package that needs gdvar-forms.wasm: other forms of values, edits, files.

import { encodeWith } from './encode.js';
import { typeOf, Float, isTyped } from './types.js';
import { GdvarError, READ, WRITE, asBytes, checkOptions, copyOf, maxDepth, moduleOf, readBits, targetBits, textBytes, utf8, whole } from './wasm.js';
import { Value, sameEngine } from './value.js';

let forms;

let random;

/**
 * Must be called once, with an instance of gdvar-forms.wasm and a source of random bytes. It may be the same
 * instance that `setup` got.
 */
export function setupForms(instance, source = globalThis.crypto) {
	forms = moduleOf(instance);
	random = source;
}

/** The module, for callers that use it directly, as the page does. */
export const module = () => forms;

const STYLES = { plain: 0, native: 1, tagged: 2 };

/** Returns options for reading bytes. A Value has its own dialect, and no other. */
function reading(bytes, options) {
	if (!(bytes instanceof Value)) return options;
	if (options?.dialect !== undefined) sameEngine(bytes, options.dialect);
	return { ...options, dialect: options?.dialect ?? bytes.dialect };
}

/** Puts bytes, or the bytes of a Value, into a buffer for the duration of a call. */
function on(bytes, options, work) {
	options = reading(bytes, options);
	bytes = bytes instanceof Value ? bytes.bytes() : asBytes(bytes);
	const buffer = forms.buffer(bytes);
	try {
		return work([buffer, 0, bytes.length, readBits(options), maxDepth(options)]);
	} finally {
		forms.call.release(buffer);
	}
}

/**
 * Like `validate` of the main package. In strict mode it also finds repeated keys of a Dictionary.
 */
export function validate(bytes, options) {
	checkOptions('validate', options, READ);
	return on(bytes, options, (about) => forms.ask(forms.call.validate(...about)).word(0));
}

/**
 * Returns the value in bytes as JSON text. `style`: `plain` for people and other programs, `native` for
 * Godot's JSON.to_native, `tagged` to keep everything.
 */
export function toJSON(bytes, options = {}) {
	checkOptions('toJSON', options, [...READ, 'style']);
	const number = STYLES[options.style ?? 'plain'];
	return on(bytes, options, (about) => {
		forms.ask(forms.call.to_json(...about, 0, 0, number));
		const end = forms.word(0);
		return forms.out((all) => utf8(all.subarray(0, end)));
	});
}

/** Describes what `toJSON` loses in that style, for people; '' if it loses nothing. */
export function lossesOfJSON(bytes, options = {}) {
	checkOptions('lossesOfJSON', options, [...READ, 'style']);
	const number = STYLES[options.style ?? 'plain'];
	return on(bytes, options, (about) => {
		forms.ask(forms.call.to_json(...about, 0, 0, number));
		const end = forms.word(0);
		return forms.out((all) => utf8(all.subarray(end)));
	});
}

/** Converts JSON text of a style to bytes. */
export function fromJSON(json, options = {}) {
	checkOptions('fromJSON', options, ['style', 'target']);
	const number = STYLES[options.style ?? 'plain'];
	const bits = targetBits(options.target);
	return forms.ask(forms.call.from_json(forms.text(json, 'JSON'), number, bits)).outBytes();
}

/**
 * Returns the text that `var_to_str` prints. With a dialect such as `godot3.2` it is the text of that
 * release.
 */
export function var_to_str(bytes, options) {
	checkOptions('var_to_str', options, READ);
	return on(bytes, options, (about) => forms.ask(forms.call.to_text(...about, 0, 0, about[3])).outText());
}

/** Converts text to bytes, as `str_to_var` reads it. */
export function str_to_var(text, options = {}) {
	checkOptions('str_to_var', options, ['target']);
	const bits = targetBits(options.target);
	return forms.ask(forms.call.from_text(forms.text(text, 'the text of a value'), bits)).outBytes();
}

/**
 * Converts the value for another engine: `{ bytes, report }`. The report lists what that engine cannot
 * represent.
 */
export function convert(bytes, given = {}) {
	checkOptions('convert', given, ['from', 'to', ...READ.filter((name) => name !== 'dialect')]);
	const { to = 'godot4', from = bytes instanceof Value ? bytes.dialect : 'godot3', ...options } = given;
	const bits = targetBits(to);
	return on(bytes, { dialect: from, objects: 'inert', ...options }, (about) => {
		forms.ask(forms.call.convert(...about, bits));
		const end = forms.word(0);
		return forms.out((all) => ({ bytes: all.slice(0, end), report: JSON.parse(utf8(all.subarray(end))) }));
	});
}

/** Returns the differences between two values, each as `{ path, change, from, to }`. */
export function diff(before, after, { limit = 10_000, ...options } = {}) {
	checkOptions('diff', { limit, ...options }, [...READ, 'limit']);
	// Both are read as one engine's.
	for (const one of [before, after]) options = reading(one, options);
	return on(before, options, ([old, , oldLength, bits, depth]) =>
		on(after, options, ([now, , newLength]) => {
			forms.ask(forms.call.diff(old, 0, oldLength, now, 0, newLength, bits, depth, Math.min(limit, 0xffff_ffff)));
			return JSON.parse(forms.outText());
		}),
	);
}

/**
 * Reports how Godot 4 and Godot 3 would read the bytes, which do not say who wrote them: `{ choice, readings
 * }`.
 */
export function detect(bytes) {
	return on(bytes, {}, ([buffer, , length]) => JSON.parse(forms.ask(forms.call.detect(buffer, 0, length)).outText()));
}

/** Returns the path to a byte. */
export function locate(bytes, offset, options) {
	checkOptions('locate', options, READ);
	whole('offset', offset, 0, (bytes instanceof Value ? bytes.bytes() : asBytes(bytes)).length);
	return on(bytes, options, (about) => forms.ask(forms.call.locate(...about, offset)).outText());
}

/** A value that is already encoded, for `edit`. */
export class Bytes {
	constructor(bytes) {
		this.bytes = copyOf(bytes);
	}
}

const ACTIONS = { set: 0, insert: 1, append: 2, remove: 3, insertPair: 4, renameKey: 5, move: 6 };

/** Marks an action whose value takes the type of its place. */
const FITTED = 256;
/** Marks an action whose value may not change the type of its place. */
const PLAIN = 512;

/** Returns true if a value does not say its type: a number, a text, a boolean, an Array, an object or a Map. */
const isPlain = (value) => typeof value !== 'object' || !(isTyped(value) || ArrayBuffer.isView(value) || value instanceof ArrayBuffer);

/** Returns a value that is to be written, or throws if there is none. */
function present(value) {
	if (value !== undefined) return value;
	throw new TypeError('a value is expected, not undefined; null is written as null');
}

/** Changes of a value. `bytes()` applies all of them. Everything else keeps its bytes. */
export class Edit {
	#bytes;
	#options;
	#script = [];

	constructor(bytes, options) {
		this.#options = { ...reading(bytes, options) };
		this.#bytes = bytes instanceof Value ? bytes.bytes() : copyOf(bytes);
	}

	#encode(value) {
		const { dialect = 'godot4', target = dialect, numbers, lookalikes, maxDepth } = this.#options;
		if (value instanceof Value) {
			sameEngine(value, target);
			return value.bytes();
		}
		if (value instanceof Bytes) return value.bytes;
		return encodeWith(value, { target, numbers, lookalikes, maxDepth });
	}

	/** Returns true if a value takes the type of its place: all that do not say which type they have. */
	#isFitted(value) {
		if (value instanceof Value || value instanceof Bytes || value instanceof Float) return false;
		return typeof value !== 'bigint' && (typeof value !== 'number' || this.#options.numbers !== 'exact');
	}

	#action(name, path, { second = new Uint8Array(), value, before = 0 }) {
		const isFitted = value !== undefined && this.#isFitted(value);
		const number = ACTIONS[name] | (isFitted ? FITTED : 0) | (isFitted && isPlain(value) ? PLAIN : 0);
		const bytes = value === undefined ? new Uint8Array() : this.#encode(value);
		this.#script.push(number, textBytes(path, 'a path'), second, bytes, before);
		return this;
	}

	/** Replaces a value. The new one takes the type of its place, or is an error; README.md says what changes the type. */
	set(path, value) {
		return this.#action('set', path, { value: present(value) });
	}

	/** Adds a new key, or an element before the one at the path. */
	insert(path, value) {
		return this.#action('insert', path, { value: present(value) });
	}

	/** Adds a pair to the Dictionary at the path, before pair number `before`, or at its end. */
	insertPair(path, key, value, before = 0xffff_ffff) {
		whole('before', before, 0, 0xffff_ffff);
		return this.#action('insertPair', path, { second: this.#encode(key), value: present(value), before });
	}

	/** Adds an element at the end of the Array at the path. */
	append(path, value) {
		return this.#action('append', path, { value: present(value) });
	}

	/** Removes an element, a key with its value, or a property. */
	remove(path) {
		return this.#action('remove', path, {});
	}

	/** Renames the key of a value. */
	renameKey(path, key) {
		return this.#action('renameKey', path, { second: this.#encode(key) });
	}

	/** Moves a value. */
	move(from, to) {
		return this.#action('move', from, { second: textBytes(to, 'a path') });
	}

	/** Returns the bytes with all changes applied, or throws the first change that cannot be made. */
	bytes() {
		const script = join(
			this.#script.flatMap((part) => (typeof part === 'number' ? [word32(part)] : [word32(part.length), part])),
		);
		const { dialect, strict, objects = 'inert', maxDepth } = this.#options;
		return on(this.#bytes, { dialect, strict, objects, maxDepth }, (about) => {
			const length = forms.scratch(script);
			return forms.ask(forms.call.change(...about, length)).outBytes();
		});
	}
}

/** Starts an edit of the value in bytes: `edit(bytes).set('hp', 99).bytes()`. */
export function edit(bytes, options) {
	checkOptions('edit', options, [...READ, ...WRITE]);
	return new Edit(bytes, options);
}

/** Returns a secret as bytes: a password, or a key of 32 bytes. */
const secretOf = (secret) => (typeof secret === 'string' ? textBytes(secret, 'a password') : copyOf(secret));

/** Joins numbers, texts and bytes as the module reads them. */
function script(parts) {
	const written = (part) => {
		if (typeof part === 'number') return [word32(part)];
		const bytes = typeof part === 'string' ? textBytes(part) : part;
		return [word32(bytes.length), bytes];
	};
	return join(parts.flatMap(written));
}

/** Calls a function about bytes in a buffer, with other arguments and a script. */
function asked(name, input, parts, ...more) {
	const bytes = asBytes(input);
	const buffer = forms.buffer(bytes);
	try {
		return forms.ask(forms.call[name](buffer, bytes.length, ...more, forms.scratch(script(parts))));
	} finally {
		forms.call.release(buffer);
	}
}

const secretParts = (secret) => [typeof secret === 'string' ? 0 : 1, secretOf(secret)];

/** The options about a file. */
export const FILE = ['dialect', 'framing', 'encoding', 'skip', 'maxUnpacked'];

/** Asks the module to open a file. See `files::open`. */
function describeFile(file, { dialect = '', framing = '', encoding = '', skip = 0xffff_ffff, maxUnpacked = 0xffff_ffff }, decides, secrets) {
	const limit = Math.min(maxUnpacked, 0xffff_ffff);
	asked('open_file', file, [decides ? 1 : 0, dialect, framing, encoding, skip, limit, secrets.length, ...secrets.flatMap(secretParts)]);
	const [json, isFile, end] = [forms.word(0), forms.word(1) === 1, forms.word(2)];
	const keys = [...secrets];
	return forms.out((all) => {
		const { text, table, count, layers, ...about } = JSON.parse(utf8(all.subarray(json)));
		const layer = ({ at, size, header, trailer, ...layer }) => {
			if (header) layer.header = Uint8Array.from(header);
			if (trailer) layer.trailer = Uint8Array.from(trailer);
			if (layer.kind === 'project' || layer.kind === 'document') layer.file = all.slice(at, at + size);
			if (layer.kind === 'text') layer.file = file;
			if (layer.kind === 'encrypted') layer.password = keys.shift();
			return layer;
		};
		const answer = { bytes: isFile ? file : all.slice(0, end), layers: layers.map(layer), ...about };
		if (table !== undefined) answer.places = new Uint32Array(all.slice(table, table + 16 * count).buffer);
		if (about.framing === 'hex' || about.framing === 'base64') answer.text = all.slice(text, table);
		return answer;
	});
}

/**
 * Opens a file step by step. It yields `{ error }` when it needs a secret, which it then receives.
 */
export function* opening(file, options = {}, decides = true) {
	const secrets = [];
	let error;
	for (;;) {
		try {
			return describeFile(file, options, decides, secrets);
		} catch (failed) {
			if (failed.code === 'WrongKey' && secrets.length > 0) error = Object.assign(failed, { secret: secrets.pop() });
			else if (failed.code !== 'PasswordNeeded') throw failed;
			const secret = yield { error };
			if (secret === undefined || secret === null) throw failed;
			secrets.push(typeof secret === 'string' ? secret : copyOf(secret));
			error = undefined;
		}
	}
}

/**
 * Removes the layers of a file: `{ bytes, layers, header, trailer }`. `layers` describes them, the outermost
 * first, as `close` expects them. `header` and `trailer` are the lengths of the game's own bytes before and after the values. `password` is a
 * password, a key of 32 bytes, or a function that returns one, or null to give up. The function may be called
 * again, with the error, if its answer was wrong.
 */
export async function contents(file, options) {
	checkOptions('contents', options, [...FILE, 'password']);
	// A copy, because the file may change while a password is awaited.
	return answered(opening(copyOf(file), options, false), options?.password);
}

/** Supplies secrets until the steps of `opening` end. */
export async function answered(steps, password) {
	let step = steps.next();
	while (!step.done) {
		const { error } = step.value;
		if (typeof password === 'function') step = steps.next(await password(step.value));
		else if (error) throw error;
		else step = steps.next(password);
	}
	return step.value;
}

/** Lists the records of contents that cannot be read. `header` and `trailer` are lengths. */
export function damageIn(bytes, { header, trailer, framing }, options) {
	return JSON.parse(asked('damage', bytes, [header, trailer, framing], readBits(options), maxDepth(options)).outText());
}

/**
 * Returns the contents with some values replaced. `changes` are pairs of a record's index and its new bytes.
 */
export function splice(bytes, { header, framing, changes }) {
	return asked('splice', bytes, [header, framing, ...changes.flat()]).outBytes();
}

/**
 * Puts contents into layers. Zstandard and Brotli can only be read. `header` and `trailer` are the lengths of
 * the game's own bytes before and after the values, and `length` the length of the contents in which they were
 * found. A size in the header is updated.
 */
export function close(bytes, layers, { header = 0, trailer = 0, length = 0 } = {}) {
	const parts = layers.flatMap((layer) => [layer.kind, ...layerParts(layer), layer.header ?? '', layer.length ?? 0, layer.contentsLength ?? 0, layer.trailer ?? '']);
	return asked('close_file', bytes, [header, trailer, length, ...parts]).outBytes();
}

function layerParts({ kind, encoding, lines, mode, blockSize = 0, sizeBytes = 0, form, password, dialect, file }) {
	switch (kind) {
		case 'text':
			return [encoding, lines ? 1 : 0, file];
		case 'compressed':
			return [mode, blockSize];
		case 'packed':
			return [mode, sizeBytes];
		case 'encrypted':
			return [form, ...secretParts(password), random.getRandomValues(new Uint8Array(16))];
		case 'project':
		case 'document':
			return [dialect, file];
		default:
			return [];
	}
}

function word32(number) {
	const word = new Uint8Array(4);
	new DataView(word.buffer).setUint32(0, number, true);
	return word;
}

function join(parts) {
	const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let at = 0;
	for (const part of parts) {
		all.set(part, at);
		at += part.length;
	}
	return all;
}

export { GdvarError, typeOf };
