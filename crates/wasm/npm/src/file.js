// A save as a whole file: its layers, its header, its values, and changes that keep everything else.

import { Edit, FILE, close, damageIn, opening, splice } from './forms.js';
import { disposable } from './held.js';
import { READ, WRITE, checkOptions, copyOf } from './wasm.js';
import { opens } from './value.js';

/** A file that `openFile` has opened. */
export class File {
	#contents;
	/** The bytes of the values: the contents, or the decoded lines of text. */
	#text;
	#places;
	#options;
	#damage;
	#free;

	/** Created by `openFile` from the module's answer. */
	constructor({ bytes, header, trailer, text, places, ...described }, options) {
		this.#contents = bytes;
		this.#text = text ?? bytes;
		this.#places = places;
		Object.assign(this, described);
		this.header = bytes.slice(0, header);
		this.trailer = bytes.slice(bytes.length - trailer);
		this.#options = { ...options, dialect: options.dialect ?? this.dialect };
		const about = { isInput: text === undefined, hasRecords: this.framing !== 'bare' && places.length > 4 };
		const { values, free } = opens(this.#text, places, about, this.#options);
		this.values = values;
		this.#free = free;
	}

	/**
	 * Frees the memory of the values' bytes now, without waiting for the garbage collector. The values become invalid, and
	 * `edit` throws.
	 */
	free() {
		this.#free();
	}

	/** The records that cannot be read, as the command `check` finds them. The first use reads the whole file. */
	get damage() {
		const place = { header: this.header.length, trailer: this.trailer.length, framing: this.framing };
		this.#damage ??= damageIn(this.#contents, place, this.#options);
		return this.#damage;
	}

	#number(which) {
		const { length } = this.values;
		if (which === undefined && length === 1) return 0;
		if (which === undefined) throw new TypeError(`the file has ${length} values: edit(0) changes the first`);
		if (which in this.values) return which;
		throw new RangeError(`there is no value ${which}; there are ${length}`);
	}

	/**
	 * Starts an edit of one value. `which` is its index; it may be omitted if the file has only one value.
	 */
	edit(which) {
		const number = this.#number(which);
		return new FileEdit(this.values[number], this.#options, (value) => this.#with(number, value));
	}

	/** Returns the file with one value replaced. What follows the old value in its record is kept. */
	#with(number, value) {
		const [at, length, , record] = this.#places.subarray(4 * number);
		const rest = this.#text.subarray(at + this.values[number].bytes().length, at + length);
		const bytes = new Uint8Array(value.length + rest.length);
		bytes.set(value);
		bytes.set(rest, value.length);
		const header = this.header.length;
		const contents = splice(this.#contents, { header, framing: this.framing, changes: [[record, bytes]] });
		return close(contents, this.layers, { header, trailer: this.trailer.length, length: this.#contents.length });
	}
}

disposable(File);

/** Changes of one value of a file. `save()` applies all of them. */
class FileEdit extends Edit {
	#save;

	constructor(value, options, save) {
		super(value, options);
		this.#save = save;
	}

	/**
	 * Returns the bytes of the whole changed file. Layers, header and framing stay the same, lengths are
	 * updated, and every other byte is kept.
	 */
	save() {
		return this.#save(this.bytes());
	}
}

/**
 * Opens a save: one value or records, in any layers, after the game's own header; also the settings of a
 * project. What you do not specify is detected. If several readings are equally good, the error lists them,
 * and its `choices` have the options for each. `password` is a password or a key of 32 bytes. Whole objects
 * are read as data.
 */
export function openFile(bytes, given = {}) {
	checkOptions('openFile', given, [...FILE, ...READ, ...WRITE, 'password']);
	const { password, ...rest } = given;
	const options = { objects: 'inert', ...rest };
	if (['auto', 'any'].includes(options.dialect)) delete options.dialect;
	const steps = opening(copyOf(bytes), rest);
	let step = steps.next();
	while (!step.done) {
		// The same wrong password would be given again.
		if (step.value.error) throw step.value.error;
		step = steps.next(password);
	}
	return new File(step.value, options);
}
