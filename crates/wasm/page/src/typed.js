// What was typed, as bytes of the type that a place has.
import { LoadedValue } from './bytes.js';

/** The names of its types are among the first bytes of a container. */
const HEAD = 4096;

const article = (type) => `${/^[AEIOU]/.test(type) ? 'an' : 'a'} ${type}`;

/** Returns the bytes that say of what an Array or a Dictionary is; '' for other types. */
function elements(loaded, at, level, type) {
	if (type !== 'Array' && type !== 'Dictionary') return '';
	const count = loaded.fields(at, level, at + HEAD).find(({ name }) => name === 'count');
	return count ? String(loaded.bytes.subarray(at, count.end - 4)) : '';
}

/** How a value of one type is written as another one, if nothing of it is lost: `{ from: { to: (line) => text } }`. */
const WAYS = {
	Int: { Float: (line) => `${line}.0` },
	Float: { Int: (line) => /^(-?\d+)\.0*$/.exec(line)?.[1] },
	String: { StringName: (line) => `&${line}`, NodePath: (line) => `NodePath(${line})` },
	StringName: { String: (line) => line.slice(1), NodePath: (line) => `NodePath(${line.slice(1)})` },
	NodePath: { String: (line) => line.slice('NodePath('.length, -1), StringName: (line) => `&${line.slice('NodePath('.length, -1)}` },
};

/** A value that was typed as a script writes it. */
export class Typed {
	#save;
	#value;
	#made = new Map();

	/** Throws what is wrong with the text. */
	constructor(save, text) {
		this.#save = save;
		this.bytes = save.parse(text);
		this.#value = new LoadedValue(this.bytes, save.bits);
		this.type = this.#value.describe(0, 0).type;
	}

	free() {
		this.#value.free();
	}

	/** Returns the bytes for a place whose type stays. Throws if the value is of another type. */
	keeping(loaded, at, level) {
		const { type } = loaded.describe(at, level);
		if (type !== this.type) {
			const bytes = this.#as(type);
			if (bytes) return bytes;
			throw mistake(`the new value is ${article(this.type)}, and the value here is ${article(type)}`);
		}
		if (elements(loaded, at, level, type) !== elements(this.#value, 0, 0, type)) {
			throw mistake(`the new ${type} is of other types than the ${type} here, which begins with ${loaded.line(at, level, 60).replace(/\(.*/s, '')}`);
		}
		return this.bytes;
	}

	#as(type) {
		if (!this.#made.has(type)) {
			const text = WAYS[this.type]?.[type]?.(this.#value.text(0, 0));
			this.#made.set(type, text === undefined ? undefined : this.#save.parse(text));
		}
		return this.#made.get(type);
	}
}

/** An error of the person's, not of the page. */
const mistake = (message) => Object.assign(new Error(message), { code: 'Type' });
