// What a number of JavaScript cannot say of itself. 80 is an Int or the Float 80.0; which it was is known of the place where it
// lies, so `decode` notes it on the container and `encode` reads the note. A note is a private field: nothing shows, copies or
// compares it. README.md says what keeps it, ../../README.md why it is done in this way.

/** A constructor that gives the object it is given: a class on top of it adds its private fields to that object. */
class Given {
	constructor(object) {
		return object;
	}
}

class Noted extends Given {
	#note;

	constructor(object, note) {
		super(object);
		this.#note = note;
	}

	static of(object) {
		return #note in object ? object.#note : undefined;
	}
}

/** Notes something on an object that has no note yet. */
export const setNote = (object, note) => void new Noted(object, note);

/** The note of an object, or undefined. */
export const noteOf = Noted.of;

/** The note of an Array whose numbers are all Floats. */
export const ALL = 'all';

/** The note of a vector or matrix whose components have 64 bits. */
export const WIDE = 'wide';

/** The note of an Array in which Ints and Floats are mixed: where the Floats are, as long as it has that length. */
export class FloatsAt {
	constructor(length, places) {
		this.length = length;
		this.places = new Set(places);
	}
}

/** The note of a Map: which keys have Floats as values, and which keys are Floats. */
export class FloatPairs {
	values = new Set();
	keys = new Set();
}

/** The note of an object: which keys have Floats as values. Objects of one `decode` that are alike in this share the note. */
export class FloatKeys {
	#before;
	#key;
	#next;
	#keys;

	constructor(before, key) {
		this.#before = before;
		this.#key = key;
	}

	/** The note with one key more. */
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
