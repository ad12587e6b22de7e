// Calls gdvar-forms.wasm about a value in bytes, for what is on the screen.
import { module } from '../../npm/src/forms.js';
import { KINDS } from '../../npm/src/wasm.js';

/** One value in a buffer of the module: a record, a setting, or a file without records. */
export class LoadedValue {
	constructor(bytes, bits) {
		this.bytes = bytes;
		this.bits = bits;
		this.buffer = -1;
	}

	#about() {
		if (this.buffer < 0) this.buffer = module().buffer(this.bytes);
		return [this.buffer, 0, this.bytes.length, this.bits, 0];
	}

	#ask(name, ...more) {
		const { call } = module();
		return module().ask(call[name](...this.#about(), ...more));
	}

	/** Frees the memory in the module. The buffer is created again when it is needed. */
	free() {
		if (this.buffer >= 0) module().call.release(this.buffer);
		this.buffer = -1;
	}

	/** Returns the type and the number of children of a value. */
	describe(at, level) {
		this.#ask('describe', at, level);
		const [type, length, open] = [3, 4, 5].map((number) => module().word(number));
		return { type: KINDS[type], length, open: open === 1 };
	}

	/** Shows a value on one line. */
	line(at, level, most) {
		return this.#ask('line', at, level, most).outText();
	}

	/** Shows a value on one line, or says that there is damage in it. */
	preview(at, level, most) {
		try {
			return this.line(at, level, most);
		} catch {
			return 'damaged inside';
		}
	}

	/** Returns the offsets of the children, and `damaged` if there are more, which cannot be read. */
	children(at, level) {
		this.#ask('children', at, level);
		const damaged = module().word(0) === 1;
		return { places: module().outNumbers(), damaged };
	}

	/** Returns the fields of a value up to a byte, in sequence: `{ end, name }`. */
	fields(at, level, stop) {
		const lines = this.#ask('fields', at, level, stop).outText().split('\n');
		return lines.slice(0, -1).map((line) => {
			const space = line.indexOf(' ');
			return { end: Number(line.slice(0, space)), name: line.slice(space + 1) };
		});
	}

	end(at, level) {
		this.#ask('end', at, level);
		return module().word(0);
	}

	/** Returns a value as `var_to_str` prints it. */
	text(at, level) {
		return this.#ask('to_text', at, level, this.bits).outText();
	}

	/** Returns the text of a String, a StringName or a property's name at an offset. */
	name(at) {
		const view = new DataView(this.bytes.buffer, this.bytes.byteOffset);
		const length = view.getUint32(at - 4, true);
		return new TextDecoder().decode(this.bytes.subarray(at, at + Math.min(length, 200)));
	}

	locate(at) {
		return this.#ask('locate', at).outText();
	}

	/** Returns the offset of the value at a path; undefined if there is none. */
	find(path) {
		const { call } = module();
		const about = this.#about();
		try {
			module().ask(call.get(...about, 0, 0, module().text(path)));
		} catch {
			// A path of another save, or damage on the way.
			return undefined;
		}
		return module().word(0) === 1 ? module().word(1) : undefined;
	}

	/** Returns the places of a text: `{ hits: [offset, role …], next }`. */
	search(text, from, most) {
		const { call } = module();
		const about = this.#about();
		const length = module().text(text);
		module().ask(call.search(...about, length, from, most));
		const next = module().word(0);
		return { hits: module().outNumbers(), next };
	}

	/** Returns the error in the bytes, with its `offset`, or undefined. */
	problem() {
		try {
			this.#ask('validate');
			const used = module().word(0);
			const left = this.bytes.length - used;
			return left > 0 ? Object.assign(new Error(`${left} bytes follow the value`), { offset: used }) : undefined;
		} catch (error) {
			return error;
		}
	}
}
