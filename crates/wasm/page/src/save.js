// The open file: what is around its values, the values, and what was changed.
import { close, contents, detect, edit, entries, joinProject, convert, str_to_var } from '../../npm/src/forms.js';
import { readBits } from '../../npm/src/wasm.js';
import { Held } from './bytes.js';
import { looksLikeHex, unhex } from './unhex.js';

/** No record is longer: a length beyond it is none. */
const MOST = 0x7fff_ffff;

/** Bytes to be read again when a change is taken back; the last one always can be. */
const HISTORY = 256 << 20;

/**
 * Records that fill a file: offset, length, and the length before each, which is more for a last record that is cut.
 * Undefined if not even the first begins.
 */
function recordsOf(bytes) {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
	const records = [];
	let at = 0;
	while (at + 8 <= bytes.length) {
		const declared = view.getUint32(at, true);
		if (declared < 4 || declared > MOST) break;
		const length = Math.min(declared, bytes.length - at - 4);
		records.push({ at: at + 4, length, declared });
		at += 4 + length;
	}
	if (records.length === 0) return undefined;
	return { records, end: at };
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

/** The dialect that reads furthest into a value that none reads whole, and how far that is; undefined if none reads its beginning. */
function furthest(bytes) {
	let best;
	for (const dialect of ['godot4', 'godot3']) {
		const held = new Held(bytes, readBits({ dialect, objects: 'inert' }));
		const end = held.problem()?.offset ?? bytes.length;
		held.free();
		if (end > (best?.end ?? 0)) best = { dialect, end };
	}
	return best;
}

export class Save {
	/** `password(form)` gives a password or a key, or null to give up. `hex`: the bytes are hex digits, whatever they look like. */
	static async open(name, bytes, password, { hex = looksLikeHex(bytes) } = {}) {
		const save = new Save();
		save.name = name;
		save.layers = [];
		if (hex) {
			bytes = unhex(new TextDecoder().decode(bytes));
			save.layers.push({ kind: 'hex' });
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
		const parts = rows?.records.map(({ at, length }) => bytes.subarray(at, at + length));
		if (bare[0]?.[1] !== 1 && parts && this.#areRecords(parts, rows.records, bytes)) {
			this.shape = 'records';
			this.tail = bytes.slice(rows.end);
			const last = rows.records.at(-1);
			/** The length that the last record says, if there is less of it. */
			this.cut = last.declared > last.length ? last.declared : 0;
			this.#hold(parts);
		} else {
			this.shape = 'value';
			this.#hold([bytes]);
		}
	}

	/** Lengths that fit are not enough: some engine must read some of what they enclose, or more of it than of all bytes as one value. */
	#areRecords(parts, records, bytes) {
		const whole = parts.filter((_, n) => records[n].declared === records[n].length);
		if (whole.length > 0) return readings(whole.slice(0, 50))[0]?.[1] > 0;
		return (furthest(parts[0])?.end ?? 0) > (furthest(bytes)?.end ?? 0);
	}

	#hold(values) {
		const [best] = readings(values.slice(0, 50));
		this.dialect = (best?.[1] > 0 ? best[0] : furthest(values[0] ?? new Uint8Array())?.dialect) ?? 'godot4';
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
				this.values.forEach(({ bytes }, number) => {
					const isCut = this.cut > 0 && number === this.values.length - 1;
					view.setUint32(at, isCut ? this.cut : bytes.length, true);
					file.set(bytes, at + 4);
					at += 4 + bytes.length;
				});
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
		if (this.shape === 'records') parts.push(`${count} record${count === 1 ? '' : 's'} of store_var${this.cut ? ', the last one cut' : ''}`);
		if (this.shape === 'value') parts.push('one value');
		if (this.shape === 'project') parts.push(`${count} settings`);
		if (this.shape === 'script') parts.push(`${count} constants`);
		return parts.join(', ');
	}
}
