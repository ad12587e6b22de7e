// A save as a whole file: its layers, its header, its values, and changes that keep all of that.

import { Edit, close, opening, splice } from './forms.js';
import { asBytes } from './wasm.js';
import { opens } from './value.js';

/** What is in a file that `openFile` has opened. */
export class File {
	#contents;
	/** What the values are in: the contents, or what lines of text decode to. */
	#text;
	#places;
	#options;

	/** Made by `openFile`, of the module's answer. */
	constructor({ bytes, header, text, places, ...about }, options) {
		this.#contents = bytes;
		this.#text = text ?? bytes;
		this.#places = places;
		Object.assign(this, about);
		this.header = bytes.slice(0, header);
		this.#options = { ...options, dialect: options.dialect ?? this.dialect };
		this.values = opens(this.#text, places, this.#options);
	}

	#number(which) {
		const { length } = this.values;
		if (which === undefined && length === 1) return 0;
		if (which === undefined) throw new TypeError(`the file has ${length} values: edit(0) changes the first`);
		if (which in this.values) return which;
		throw new RangeError(`there is no value ${which}; there are ${length}`);
	}

	/** Changes of one of the values, by its number; a file of one value needs none. */
	edit(which) {
		const number = this.#number(which);
		return new FileEdit(this.values[number], this.#options, (value) => this.#with(number, value));
	}

	/** The file with another value of that number. What follows the old one in its record stays. */
	#with(number, value) {
		const [at, length, , record] = this.#places.subarray(4 * number);
		const rest = this.#text.subarray(at + this.values[number].bytes().length, at + length);
		const bytes = new Uint8Array(value.length + rest.length);
		bytes.set(value);
		bytes.set(rest, value.length);
		const header = this.header.length;
		const contents = splice(this.#contents, { header, framing: this.framing, changes: [[record, bytes]] });
		return close(contents, this.layers, { header, length: this.#contents.length });
	}
}

/** Changes of a value of a file, made all at once by `save()`. */
class FileEdit extends Edit {
	#save;

	constructor(value, options, save) {
		super(value, options);
		this.#save = save;
	}

	/** The bytes of the whole file with the changes: layers, header and lengths are what they were, and every other byte stays. */
	save() {
		return this.#save(this.bytes());
	}
}

/**
 * Opens a save: one value or records, in any layers, after a header of the game's own; settings of a project. What is not said is found
 * out. If several readings are equally good, the error names them, and its `choices` have the options for each. `password` is a
 * password or a key of 32 bytes. Whole objects are read, as data.
 */
export function openFile(bytes, { password, ...rest } = {}) {
	const options = { objects: 'inert', ...rest };
	if (['auto', 'any'].includes(options.dialect)) delete options.dialect;
	const steps = opening(asBytes(bytes).slice(), rest);
	let step = steps.next();
	while (!step.done) {
		// A password that is wrong will not get right.
		if (step.value.error) throw step.value.error;
		step = steps.next(password);
	}
	return new File(step.value, options);
}
