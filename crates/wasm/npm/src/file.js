// A save as a whole file: its layers, its records or settings, and changes that keep all of that.

import { Edit, close, entries, joinProject, unwrapped, validate } from './forms.js';
import { GdvarError, asBytes } from './wasm.js';
import { open, records } from './value.js';

/** What is in a file that `openFile` has opened. */
export class File {
	#bytes;
	#options;

	/** Made by `openFile`. */
	constructor(bytes, layers, form, options) {
		this.#bytes = bytes;
		this.#options = options;
		/** What is around the contents, outermost first, as `close` takes it. */
		this.layers = layers;
		/** `value`, `records` or `project`. */
		this.form = form;
		/** The names of the settings of a project. */
		this.names = [];
		if (form === 'project') {
			const settings = entries(bytes);
			this.names = settings.map(({ name }) => name);
			this.values = settings.map(({ value }) => open(value, options));
		} else if (form === 'value') this.values = [open(bytes, options)];
		else this.values = [...records(bytes, { ...options, cut: true })];
	}

	#number(which) {
		const { length } = this.values;
		if (which === undefined && length === 1) return 0;
		if (which === undefined) throw new TypeError(`the file has ${length} values: edit(0) changes the first`);
		const number = typeof which === 'string' ? this.names.indexOf(which) : which;
		if (number in this.values) return number;
		throw new RangeError(`there is no value ${which}; there are ${length}`);
	}

	/** Changes of one of the values, by its number or by its name in a project; a file of one value needs none. */
	edit(which) {
		const number = this.#number(which);
		return new FileEdit(this.values[number], this.#options, (value) => this.#with(number, value));
	}

	/** The file with another value of that number. */
	#with(number, value) {
		let bytes = value;
		if (this.form === 'project') {
			bytes = joinProject(this.values.map((old, n) => ({ name: this.names[n], value: n === number ? value : old.bytes() })));
		} else if (this.form === 'records') {
			const start = this.values[number].offset;
			const length = new DataView(this.#bytes.buffer, this.#bytes.byteOffset + start - 4).getUint32(0, !this.#options.bigEndian);
			if (start + length > this.#bytes.length) {
				throw new GdvarError({ code: 'Truncated', message: 'the record is cut, and no length would be right for it', offset: start - 4 });
			}
			const rest = this.#bytes.subarray(start + length);
			bytes = new Uint8Array(start + value.length + rest.length);
			bytes.set(this.#bytes.subarray(0, start));
			new DataView(bytes.buffer).setUint32(start - 4, value.length, !this.#options.bigEndian);
			bytes.set(value, start);
			bytes.set(rest, start + value.length);
		}
		return close(bytes, this.layers);
	}
}

/** Changes of a value of a file, made all at once by `save()`. */
class FileEdit extends Edit {
	#save;

	constructor(value, options, save) {
		super(value, options);
		this.#save = save;
	}

	/** The bytes of the whole file with the changes: records, compression and encryption are what they were, and every other byte stays. */
	save() {
		return this.#save(this.bytes());
	}
}

/** Returns true if bytes are one whole value. */
function isValue(bytes, options) {
	try {
		return validate(bytes, options) === bytes.length;
	} catch {
		return false;
	}
}

/**
 * Opens a save: one value, records of `store_var`, settings of a project, each maybe compressed or encrypted. `password` is a password or a
 * key of 32 bytes. `framing`: `value` or `records` if that is known.
 */
export function openFile(bytes, { password, framing, ...options } = {}) {
	const steps = unwrapped(asBytes(bytes).slice());
	let step = steps.next();
	while (!step.done) {
		// A password that is wrong will not get right.
		if (step.value.error) throw step.value.error;
		step = steps.next(password);
	}
	const { bytes: inner, layers } = step.value;
	const { kind } = layers.at(-1) ?? {};
	if (kind === 'script') throw new GdvarError({ code: 'Script', message: 'a compiled script can be read, by entries(), but not written' });
	const form = kind === 'project' ? 'project' : (framing ?? (isValue(inner, options) ? 'value' : 'records'));
	return new File(inner, layers, form, options);
}
