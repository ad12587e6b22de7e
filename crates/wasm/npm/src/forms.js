// The part of the package that needs gdvar-forms.wasm: other forms of values, edits, files.

import { encode } from './encode.js';
import { typeOf, Float } from './types.js';
import { GdvarError, asBytes, maxDepth, moduleOf, readBits, targetBits, utf8 } from './wasm.js';
import { Value, open } from './value.js';

let forms;

let random;

/** Called once, with an instance of gdvar-forms.wasm, which may be the one that `setup` got, and a source of random bytes. */
export function setupForms(instance, source = globalThis.crypto) {
	forms = moduleOf(instance);
	random = source;
}

/** The module, for those who ask it themselves, as the page does. */
export const module = () => forms;

const STYLES = { plain: 0, native: 1, tagged: 2 };

function styleNumber(style = 'plain') {
	if (!(style in STYLES)) throw new TypeError("a style is 'plain', 'native' or 'tagged'");
	return STYLES[style];
}

/** Puts bytes, or the bytes of a Value, into a buffer for the time of a call. */
function on(bytes, options, work) {
	bytes = bytes instanceof Value ? bytes.bytes() : asBytes(bytes);
	const buffer = forms.buffer(bytes);
	try {
		return work([buffer, 0, bytes.length, readBits(options), maxDepth(options)]);
	} finally {
		forms.call.release(buffer);
	}
}

/** As `validate` of the package itself. In strict mode it also finds a key that a Dictionary has twice. */
export function validate(bytes, options) {
	return on(bytes, options, (about) => forms.ask(forms.call.validate(...about)).word(0));
}

/** The value in bytes as JSON text. `style`: `plain` for people and other programs, `native` as JSON.from_native of Godot, `tagged` keeps everything. */
export function toJSON(bytes, { style, ...options } = {}) {
	const number = styleNumber(style);
	return on(bytes, options, (about) => {
		forms.ask(forms.call.to_json(...about, 0, 0, number));
		const end = forms.word(0);
		return forms.out((all) => utf8(all.subarray(0, end)));
	});
}

/** The losses of `toJSON` in that style, for people: '' for nothing. */
export function lossesOfJSON(bytes, { style, ...options } = {}) {
	const number = styleNumber(style);
	return on(bytes, options, (about) => {
		forms.ask(forms.call.to_json(...about, 0, 0, number));
		const end = forms.word(0);
		return forms.out((all) => utf8(all.subarray(end)));
	});
}

/** Bytes out of JSON text of a style. */
export function fromJSON(json, { style, target } = {}) {
	const number = styleNumber(style);
	const bits = targetBits(target);
	return forms.ask(forms.call.from_json(forms.text(json), number, bits)).outBytes();
}

/** The value in bytes as `var_to_str` prints it; a dialect such as `godot3.2` prints it as that release does. */
export function var_to_str(bytes, options) {
	return on(bytes, options, (about) => forms.ask(forms.call.to_text(...about, 0, 0, about[3])).outText());
}

/** Bytes out of text, as `str_to_var` reads it. */
export function str_to_var(text, { target } = {}) {
	const bits = targetBits(target);
	return forms.ask(forms.call.from_text(forms.text(text), bits)).outBytes();
}

/** The value for another engine: `{ bytes, report }`; the report lists what the other engine cannot hold. */
export function convert(bytes, { to = 'godot4', from = 'godot3', ...options } = {}) {
	const bits = targetBits(to);
	return on(bytes, { dialect: from, objects: 'inert', ...options }, (about) => {
		forms.ask(forms.call.convert(...about, bits));
		const end = forms.word(0);
		return forms.out((all) => ({ bytes: all.slice(0, end), report: JSON.parse(utf8(all.subarray(end))) }));
	});
}

/** The differences between two values: `{ path, change, from, to }` each. */
export function diff(before, after, { limit = 10_000, ...options } = {}) {
	return on(before, options, ([old, , oldLength, bits, depth]) =>
		on(after, options, ([now, , newLength]) => {
			forms.ask(forms.call.diff(old, 0, oldLength, now, 0, newLength, bits, depth, limit));
			return JSON.parse(forms.outText());
		}),
	);
}

/** How Godot 4 and Godot 3 read bytes that do not say what they are: `{ choice, readings }`. */
export function detect(bytes) {
	return on(bytes, {}, ([buffer, , length]) => JSON.parse(forms.ask(forms.call.detect(buffer, 0, length)).outText()));
}

/** The path to a byte. */
export function locate(bytes, offset, options) {
	return on(bytes, options, (about) => forms.ask(forms.call.locate(...about, offset)).outText());
}

/** A value that is encoded already, for `edit`. */
export class Bytes {
	constructor(bytes) {
		this.bytes = asBytes(bytes);
	}
}

const ACTS = { set: 0, insert: 1, append: 2, remove: 3, insertPair: 4, renameKey: 5, move: 6 };

/** Changes of a value, made all at once by `bytes()`. The rest keeps its bytes. */
export class Edit {
	#bytes;
	#options;
	/** The value before all changes, to look at. */
	#value;
	#script = [];

	constructor(bytes, options) {
		this.#bytes = bytes instanceof Value ? bytes.bytes() : asBytes(bytes).slice();
		this.#options = { ...options };
	}

	#encode(value) {
		if (value instanceof Value) return value.bytes();
		if (value instanceof Bytes) return value.bytes;
		return encode(value, { target: this.#options.dialect ?? 'godot4', ...this.#options });
	}

	#act(name, path, { second = new Uint8Array(), value = new Uint8Array(), before = 0 }) {
		const encoder = new TextEncoder();
		if (typeof second === 'string') second = encoder.encode(second);
		this.#script.push(ACTS[name], encoder.encode(path), second, value, before);
		return this;
	}

	/** Puts another value there. A number keeps the type it had: a Float stays one. */
	set(path, value) {
		if (typeof value === 'number' && this.#options.numbers !== 'exact') {
			this.#value ??= open(this.#bytes, this.#options);
			if (this.#value.get(path)?.type === 'Float') value = new Float(value);
		}
		return this.#act('set', path, { value: this.#encode(value) });
	}

	/** Adds a value: a new key, or in front of the element at the path. */
	insert(path, value) {
		return this.#act('insert', path, { value: this.#encode(value) });
	}

	/** Adds a pair to the Dictionary at the path, in front of the pair of that number or at its end. */
	insertPair(path, key, value, before = 0xffff_ffff) {
		return this.#act('insertPair', path, { second: this.#encode(key), value: this.#encode(value), before });
	}

	/** Adds an element to the end of the Array at the path. */
	append(path, value) {
		return this.#act('append', path, { value: this.#encode(value) });
	}

	/** Takes away an element, a key with its value, or a property. */
	remove(path) {
		return this.#act('remove', path, {});
	}

	/** Gives a value another key. */
	renameKey(path, key) {
		return this.#act('renameKey', path, { second: this.#encode(key) });
	}

	/** Moves a value. */
	move(from, to) {
		return this.#act('move', from, { second: to });
	}

	/** The bytes with all changes made, or the first change that cannot be made. */
	bytes() {
		const script = join(
			this.#script.flatMap((part) => (typeof part === 'number' ? [word32(part)] : [word32(part.length), part])),
		);
		return on(this.#bytes, { objects: 'inert', ...this.#options }, (about) => {
			const length = forms.scratch(script);
			return forms.ask(forms.call.change(...about, length)).outBytes();
		});
	}
}

/** Changes of the value in bytes: `edit(bytes).set('hp', 99).bytes()`. */
export function edit(bytes, options) {
	return new Edit(bytes, options);
}

const MODES = ['fastlz', 'deflate', 'zstd', 'gzip', 'brotli'];

/** A secret as bytes: a password, or a key of 32 bytes. */
const secretOf = (secret) => (typeof secret === 'string' ? new TextEncoder().encode(secret) : asBytes(secret));

/** Puts bytes into a buffer for the time of a call. */
function held(bytes, work) {
	const buffer = forms.buffer(bytes);
	try {
		return work(buffer, bytes.length);
	} finally {
		forms.call.release(buffer);
	}
}

/** Takes the layers of a file away: gives `{ bytes, layers }`. It yields `{ form, error }` where it needs a secret, and is handed one. */
export function* unwrapped(bytes) {
	const layers = [];
	for (let depth = 0; depth < 8; depth++) {
		const [envelope, mode] = held(bytes, (buffer, length) => {
			forms.ask(forms.call.envelope(buffer, length));
			return [forms.word(0), forms.word(1)];
		});
		if (envelope === 1) {
			bytes = held(bytes, (buffer, length) => forms.ask(forms.call.unpack(buffer, length)).outBytes());
			layers.push({ kind: 'compressed', mode: MODES[mode] });
		} else if (envelope === 2 || envelope === 3) {
			const form = envelope === 2 ? 3 : 4;
			let error;
			let inner;
			while (inner === undefined) {
				const secret = yield { form, error };
				if (secret === undefined || secret === null) {
					throw new GdvarError({ code: 'PasswordNeeded', message: 'the file is encrypted, and there is no password' });
				}
				try {
					inner = decrypted(bytes, secret);
					layers.push({ kind: 'encrypted', form, password: secret });
				} catch (wrong) {
					if (wrong.code !== 'WrongKey') throw wrong;
					error = Object.assign(wrong, { secret });
				}
			}
			bytes = inner;
		} else {
			if (envelope === 4) layers.push({ kind: 'project' });
			if (envelope === 5) layers.push({ kind: 'script' });
			break;
		}
	}
	return { bytes, layers };
}

function decrypted(bytes, secret) {
	const own = secretOf(secret);
	return held(bytes, (buffer, length) => {
		const size = forms.scratch(own);
		return forms.ask(forms.call.decrypt(buffer, length, size, typeof secret === 'string' ? 0 : 1)).outBytes();
	});
}

/**
 * The contents of a file: `{ bytes, layers }`. Takes away compression and encryption, and says in `layers` what there was,
 * outermost first, as `close` takes it. `password` is a password, a key of 32 bytes, or a function that gives one, or
 * null to give up; it may be asked again, with the error, if it was wrong.
 */
export async function contents(file, { password } = {}) {
	const steps = unwrapped(asBytes(file));
	let step = steps.next();
	while (!step.done) {
		const { error } = step.value;
		if (typeof password === 'function') step = steps.next(await password(step.value));
		else if (error) throw error;
		else step = steps.next(password);
	}
	return step.value;
}

/** A file with those contents, in those layers. Zstandard and Brotli can only be read. */
export function close(bytes, layers) {
	for (const layer of [...layers].reverse()) {
		if (layer.kind === 'compressed') {
			const mode = MODES.indexOf(layer.mode);
			bytes = held(bytes, (buffer, length) => forms.ask(forms.call.pack(buffer, length, mode)).outBytes());
		} else if (layer.kind === 'encrypted') {
			const { password, form } = layer;
			const secret = secretOf(password);
			const script = new Uint8Array(16 + secret.length);
			random.getRandomValues(script.subarray(0, 16));
			script.set(secret, 16);
			bytes = held(bytes, (buffer, length) => {
				forms.scratch(script);
				const isKey = typeof password === 'string' ? 0 : 1;
				return forms.ask(forms.call.encrypt(buffer, length, secret.length, isKey, form)).outBytes();
			});
		}
	}
	return bytes;
}

/** The settings in a `project.binary`, or the constants of a `.gdc`: `{ name, value }`, the value as bytes. */
export function entries(bytes) {
	return held(asBytes(bytes), (buffer, length) => {
		forms.ask(forms.call.entries(buffer, length));
		const end = forms.word(0);
		const [bytes, list] = forms.out((all) => [all.slice(0, end), JSON.parse(utf8(all.subarray(end)))]);
		return list.map(({ name, at, length }) => ({ name, value: bytes.subarray(at, at + length) }));
	});
}

/** A `project.binary` out of settings. */
export function joinProject(settings) {
	const encoder = new TextEncoder();
	const script = join(settings.flatMap(({ name, value }) => [encoder.encode(name), value]).flatMap((part) => [word32(part.length), part]));
	const length = forms.scratch(script);
	return forms.ask(forms.call.project(length)).outBytes();
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
