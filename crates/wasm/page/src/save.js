// The open file: what is around its values, the values, and what was changed.
import { close, contents, detect, edit, entries, joinProject, convert, str_to_var } from '../../npm/src/forms.js';
import { readBits } from '../../npm/src/wasm.js';
import { Held } from './bytes.js';

/** Bytes to be read again when a change is taken back; the last one always can be. */
const HISTORY = 256 << 20;

/** Bytes of hex digits, or undefined. */
export function unhex(text) {
	const digits = text.replace(/0x|\\x|[\s,;:]/gi, '');
	if (digits === '' || digits.length % 2 || /[^0-9a-f]/i.test(digits)) return undefined;
	return Uint8Array.from(digits.match(/../g), (pair) => parseInt(pair, 16));
}

/** Records that fill a file: `[[offset, length]…]`, or undefined. */
function recordsOf(bytes) {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
	const records = [];
	let at = 0;
	while (at + 4 <= bytes.length) {
		const length = view.getUint32(at, true);
		if (length < 4 || at + 4 + length > bytes.length) break;
		records.push([at + 4, length]);
		at += 4 + length;
	}
	if (records.length === 0) return undefined;
	return { records, cut: at < bytes.length };
}

/** How often each engine reads some values whole. */
function readings(values) {
	const count = new Map();
	for (const bytes of values) {
		for (const { dialect, exact } of detect(bytes).readings) {
			count.set(dialect, (count.get(dialect) ?? 0) + (exact ? 1 : 0));
		}
	}
	return [...count].sort((a, b) => b[1] - a[1]);
}

export class Save {
	/** `password(form)` gives a password, or null to give up. */
	static async open(name, bytes, password) {
		const save = new Save();
		save.name = name;
		save.layers = [];
		if (bytes.length < 1 << 24) {
			const text = new TextDecoder('latin1').decode(bytes);
			const own = unhex(text);
			if (own) {
				save.layers.push({ kind: 'hex' });
				bytes = own;
			}
		}
		const opened = await contents(bytes, { password });
		save.layers.push(...opened.layers);
		save.#take(opened.bytes);
		return save;
	}

	#take(bytes) {
		const inner = this.layers.at(-1)?.kind;
		if (inner === 'project' || inner === 'script') {
			this.shape = inner;
			this.labels = [];
			const all = entries(bytes).map(({ name, value }) => {
				this.labels.push(name);
				return value;
			});
			this.#hold(all);
			return;
		}
		const bare = readings([bytes]);
		const rows = recordsOf(bytes);
		// Lengths that fit are not enough: some engine must read some of what they enclose.
		const some = rows?.records.slice(0, 50).map(([at, length]) => bytes.subarray(at, at + length));
		if (bare[0]?.[1] !== 1 && some && readings(some)[0]?.[1] > 0) {
			this.shape = 'records';
			this.tail = rows.cut ? bytes.slice(rows.records.at(-1)[0] + rows.records.at(-1)[1]) : new Uint8Array();
			this.#hold(rows.records.map(([at, length]) => bytes.subarray(at, at + length)));
		} else {
			this.shape = 'value';
			this.#hold([bytes]);
		}
	}

	#hold(values) {
		const [best] = readings(values.slice(0, 50));
		this.dialect = best?.[0] ?? 'godot4';
		if (this.shape === 'script') this.dialect = best?.[0] ?? 'godot4';
		this.values = values.map((bytes) => new Held(bytes, this.bits));
		this.history = [];
		this.changed = false;
	}

	get bits() {
		return readBits({ dialect: this.dialect, objects: 'inert' });
	}

	/** Reads the values as another engine would. */
	readAs(dialect) {
		this.dialect = dialect;
		this.values = this.values.map((held) => {
			held.free();
			return new Held(held.bytes, this.bits);
		});
		this.history = [];
	}

	/** Changes a value: `change(edit)` says how. */
	change(number, change) {
		const old = this.values[number];
		const bytes = change(edit(old.bytes, { dialect: this.dialect })).bytes();
		this.#remember([[number, old.bytes]]);
		old.free();
		this.values[number] = new Held(bytes, this.bits);
	}

	#remember(step) {
		this.history.push({ step, dialect: this.dialect });
		const size = ({ step }) => step.reduce((sum, [, bytes]) => sum + bytes.length, 0);
		let sum = this.history.reduce((sum, one) => sum + size(one), 0);
		while (this.history.length > 1 && sum > HISTORY) sum -= size(this.history.shift());
		this.changed = true;
	}

	undo() {
		const last = this.history.pop();
		if (!last) return false;
		this.dialect = last.dialect;
		for (const [number, bytes] of last.step) {
			this.values[number].free();
			this.values[number] = new Held(bytes, this.bits);
		}
		for (const held of this.values) held.bits = this.bits;
		return true;
	}

	/** The bytes of a value in Godot's notation. */
	parse(text) {
		return str_to_var(text, { target: this.dialect });
	}

	/** Makes it a file of another engine; gives what that engine cannot hold. */
	convert(to) {
		const from = this.dialect;
		const all = this.values.map((held) => convert(held.bytes, { from, to }));
		this.#remember(this.values.map((held, number) => [number, held.bytes]));
		this.dialect = to;
		this.values.forEach((held) => held.free());
		this.values = all.map(({ bytes }) => new Held(bytes, this.bits));
		for (const layer of this.layers) if (layer.kind === 'encrypted') layer.form = to.startsWith('godot4') ? 4 : 3;
		const report = new Map();
		for (const { report: entries } of all) {
			for (const { type, what, count, first } of entries) {
				const key = `${type} ${what}`;
				const known = report.get(key) ?? { type, what, count: 0, first };
				known.count += count;
				report.set(key, known);
			}
		}
		return [...report.values()];
	}

	/** The bytes of the file without what is around it. */
	inner() {
		switch (this.shape) {
			case 'value':
				return this.values[0].bytes;
			case 'project':
				return joinProject(this.values.map((held, number) => ({ name: this.labels[number], value: held.bytes })));
			case 'script':
				throw new Error('a compiled script can be read here, not written');
			default: {
				const size = this.values.reduce((sum, held) => sum + 4 + held.bytes.length, this.tail.length);
				const file = new Uint8Array(size);
				const view = new DataView(file.buffer);
				let at = 0;
				for (const { bytes } of this.values) {
					view.setUint32(at, bytes.length, true);
					file.set(bytes, at + 4);
					at += 4 + bytes.length;
				}
				file.set(this.tail, at);
				return file;
			}
		}
	}

	/** The file, packed as it was. */
	file() {
		const layers = this.layers.filter(({ kind }) => kind === 'compressed' || kind === 'encrypted');
		return close(this.inner(), layers);
	}

	/** The file's form, in a sentence. */
	describe() {
		const parts = this.layers.map((layer) => {
			if (layer.kind === 'compressed') return `compressed (${layer.mode})`;
			if (layer.kind === 'encrypted') return `encrypted (Godot ${layer.form})`;
			if (layer.kind === 'hex') return 'hex digits';
			return layer.kind === 'project' ? 'settings of a project' : 'a compiled script';
		});
		const count = this.values.length;
		if (this.shape === 'records') parts.push(`${count} record${count === 1 ? '' : 's'} of store_var`);
		if (this.shape === 'value') parts.push('one value');
		if (this.shape === 'project') parts.push(`${count} settings`);
		if (this.shape === 'script') parts.push(`${count} constants`);
		return parts.join(', ');
	}
}
