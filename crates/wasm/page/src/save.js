// The open file: what is around its values, the values, and the changes.
import { answered, close, convert, edit, opening, splice, str_to_var } from '../../npm/src/forms.js';
import { readBits } from '../../npm/src/wasm.js';
import { LoadedValue } from './bytes.js';
import { unhex } from './unhex.js';

/** The maximum size of the bytes kept for undo. The last change can always be undone. */
const HISTORY = 256 << 20;

export class Save {
	/**
	 * Opens a file. `ask.password({ error })` returns a password or a key, or null to give up.
	 * `ask.choice(error)` returns one of the error's choices. `hex`: the bytes are pasted hex digits.
	 */
	static async open(name, bytes, ask, { hex = false } = {}) {
		const save = new Save();
		save.name = name;
		save.size = bytes.length;
		save.layers = [];
		if (hex) bytes = unhex(new TextDecoder().decode(bytes));
		let options = {};
		for (;;) {
			try {
				save.#take(await answered(opening(bytes, options), ask?.password));
				return save;
			} catch (error) {
				const choice = error.choices?.length > 1 && ask?.choice ? await ask.choice(error) : undefined;
				if (choice === undefined) throw error;
				options = choice.options;
			}
		}
	}

	#take({ bytes, layers, header, trailer, framing, dialect, certainty, same, text = bytes, places }) {
		Object.assign(this, { layers, header, trailer, framing, dialect, certainty, same });
		/** The last value has fewer bytes than its record says. */
		this.isCut = places.at(-2) > places.at(-3);
		/** The original contents, and the index of the record of each value. */
		this.contents = bytes;
		this.numbers = [];
		this.values = [];
		for (let n = 0; n < places.length; n += 4) {
			this.numbers.push(places[n + 3]);
			this.values.push(new LoadedValue(text.subarray(places[n], places[n] + places[n + 1]), this.bits));
		}
		this.opened = this.values.map(({ bytes }) => bytes);
		this.history = [];
		this.changed = false;
	}

	/** Frees the memory in the module, which is taken again when it is needed. */
	free() {
		for (const loaded of this.values) loaded.free();
	}

	get bits() {
		return readBits({ dialect: this.dialect, objects: 'inert' });
	}

	/** Reads the values as another engine would. */
	readAs(dialect) {
		this.dialect = dialect;
		this.values = this.values.map((loaded) => {
			loaded.free();
			return new LoadedValue(loaded.bytes, this.bits);
		});
		this.history = [];
	}

	/** Changes values, all or none of them. `changes` are pairs of a value's number and what makes its changes, `change(edit)`. */
	change(changes) {
		const made = changes.map(([number, change]) => [number, change(edit(this.values[number].bytes, { dialect: this.dialect })).bytes()]);
		this.#remember(made.map(([number]) => [number, this.values[number].bytes]));
		for (const [number, bytes] of made) {
			this.values[number].free();
			this.values[number] = new LoadedValue(bytes, this.bits);
		}
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
			this.values[number] = new LoadedValue(bytes, this.bits);
		}
		for (const loaded of this.values) loaded.bits = this.bits;
		return true;
	}

	/** Converts Godot's notation to bytes. */
	parse(text) {
		return str_to_var(text, { target: this.dialect });
	}

	/** Converts the file for another engine. Returns what that engine cannot represent. */
	convert(to) {
		const from = this.dialect;
		const all = this.values.map((loaded) => convert(loaded.bytes, { from, to }));
		this.#remember(this.values.map((loaded, number) => [number, loaded.bytes]));
		this.dialect = to;
		this.free();
		this.values = all.map(({ bytes }) => new LoadedValue(bytes, this.bits));
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

	/** Returns the file with all changes, in its layers. */
	file() {
		const { header, trailer, framing, layers } = this;
		const changes = this.values.flatMap(({ bytes }, n) => (bytes === this.opened[n] ? [] : [[this.numbers[n], bytes]]));
		const contents = splice(this.contents, { header, framing, changes });
		return close(contents, layers, { header, trailer, length: this.contents.length });
	}

	/** Describes the file's form in a sentence. */
	describe() {
		const parts = this.layers.map((layer) => {
			switch (layer.kind) {
				case 'compressed':
				case 'packed':
					return `compressed (${layer.mode})`;
				case 'encrypted':
					return `encrypted (Godot ${layer.form})`;
				case 'text':
					return `text (${layer.encoding})`;
				case 'document':
					return 'text';
				default:
					return layer.kind === 'project' ? 'settings of a project' : 'constants of a compiled script';
			}
		});
		const count = this.values.length;
		const many = count === 1 ? '' : 's';
		if (this.header > 0) parts.push(`${this.header} bytes of the game’s own in front`);
		if (this.trailer > 0) parts.push(`${this.trailer} bytes of the game’s own after them, which stay`);
		if (this.framing === 'bare') parts.push('one value');
		else if (this.framing.startsWith('len32')) parts.push(`${count} record${many} of store_var${this.framing === 'len32be' ? ', big-endian' : ''}`);
		else parts.push(`${count} line${many} of ${this.framing}`);
		if (this.isCut) parts.push('the last one cut');
		return parts.join(', ');
	}
}
