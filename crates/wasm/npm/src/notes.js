// Notes about what JavaScript's numbers cannot express. 80 may be an Int or the Float 80.0; the type belongs
// to the place of the number. So `decode` puts a note on the container, and `encode` reads it. A note is a
// private field: nothing shows, copies or compares it. README.md says what preserves it, and ../../README.md
// why it is done in this way.

/**
 * Its constructor returns its argument, so that a subclass adds its private fields to that object.
 */
class ReturnsArgument {
	constructor(object) {
		return object;
	}
}

class Noted extends ReturnsArgument {
	#note;

	constructor(object, note) {
		super(object);
		this.#note = note;
	}

	static of(object) {
		return #note in object ? object.#note : undefined;
	}
}

/** Puts a note on an object that has none yet. */
export const setNote = (object, note) => void new Noted(object, note);

/** Returns the note of an object, or undefined. */
export const noteOf = Noted.of;

/** The note of an Array whose numbers are all Floats. */
export const ALL = 'all';

/** The note of a vector or matrix whose components have 64 bits. */
export const WIDE = 'wide';

/**
 * The note of an Array that mixes Ints and Floats: the indices of the Floats. It is valid only for this
 * length.
 */
export class FloatsAt {
	constructor(length, places) {
		this.length = length;
		this.places = new Set(places);
	}
}

/** The note of a Map: the keys whose values are Floats, and the keys that are Floats. */
export class FloatPairs {
	values = new Set();
	keys = new Set();
}

/**
 * The note of an object: the keys whose values are Floats. Objects of one `decode` with the same such keys
 * share a note.
 */
export class FloatKeys {
	#before;
	#key;
	#next;
	#keys;

	constructor(before, key) {
		this.#before = before;
		this.#key = key;
	}

	/** Returns the note with one more key. */
	with(key) {
		this.#next ??= new Map();
		let next = this.#next.get(key);
		if (next === undefined) this.#next.set(key, (next = new FloatKeys(this, key)));
		return next;
	}

	has(key) {
		if (this.#keys === undefined) {
			this.#keys = new Set();
			for (let note = this; note.#before !== undefined; note = note.#before) this.#keys.add(note.#key);
		}
		return this.#keys.has(key);
	}
}
