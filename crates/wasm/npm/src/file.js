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

	/** The length that the record of that number says; one that is cut has less. */
	#declared(number) {
		return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + this.values[number].offset - 4).getUint32(0, !this.#options.bigEndian);
	}

	/** Returns true if one of the first records is a value from its first byte to its last, or as far as it goes. */
	hasRecords() {
		return this.values.slice(0, 50).some(({ offset }, number) => {
			const bytes = this.#bytes.subarray(offset, offset + this.#declared(number));
			try {
				return validate(bytes, this.#options) === bytes.length;
			} catch (error) {
				return error.code === 'Truncated' && bytes.length < this.#declared(number);
			}
		});
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
		return close(this.form === 'project' ? this.#joined(number, value) : this.#spliced(number, value), this.layers);
	}

	#joined(number, value) {
		return joinProject(this.values.map((old, n) => ({ name: this.names[n], value: n === number ? value : old.bytes() })));
	}

	/** The contents with another value of that number; all bytes before and after it stay, but for its length. */
	#spliced(number, value) {
		const old = this.values[number];
		const start = old.offset;
		const length = this.form === 'value' ? old.bytes().length : this.#declared(number);
		if (start + length > this.#bytes.length) {
			throw new GdvarError({ code: 'Truncated', message: 'the record is cut, and no length would be right for it', offset: start - 4 });
		}
		const rest = this.#bytes.subarray(start + length);
		const bytes = new Uint8Array(start + value.length + rest.length);
		bytes.set(this.#bytes.subarray(0, start));
		if (this.form === 'records') new DataView(bytes.buffer).setUint32(start - 4, value.length, !this.#options.bigEndian);
		bytes.set(value, start);
		bytes.set(rest, start + value.length);
		return bytes;
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
 * key of 32 bytes. `framing`: `value` or `records` if that is known. Whole objects are read, as data.
 */
export function openFile(bytes, { password, framing, ...rest } = {}) {
	const options = { objects: 'inert', ...rest };
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
	if (kind === 'project' || framing !== undefined) return new File(inner, layers, kind === 'project' ? kind : framing, options);
	if (isValue(inner, options)) return new File(inner, layers, 'value', options);
	try {
		const file = new File(inner, layers, 'records', options);
		if (file.hasRecords()) return file;
	} catch {
		// No length at all.
	}
	const message =
		`these bytes are neither one value of ${options.dialect ?? 'godot4'} nor records of store_var: ` +
		'they may be of another engine ({ dialect }, see detect()), begin with bytes of the game, or have no values at all';
	throw new GdvarError({ code: 'NoValues', message, offset: 0 });
}
