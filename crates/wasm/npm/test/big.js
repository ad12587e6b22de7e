// Large values whose bytes, JSON and text are written here, after docs/FORMAT.md and JSON's own rules, not by the package.

const encoder = new TextEncoder();
const TYPES = { godot4: { dictionary: 27, array: 28 }, godot3: { dictionary: 18, array: 19 } };

/** One of the values: fields in the order of the bytes. */
export const player = (n) => ({ id: n, name: `player_${n}`, hp: n % 100, x: n * 0.5 + 0.25, alive: n % 2 === 0 });

/** A growing list of words and texts. */
class Assembler {
	#bytes = new Uint8Array(1 << 16);
	#view = new DataView(this.#bytes.buffer);
	length = 0;

	#room(length) {
		if (this.length + length <= this.#bytes.length) return;
		const bytes = new Uint8Array(2 * this.#bytes.length + length);
		bytes.set(this.#bytes);
		this.#bytes = bytes;
		this.#view = new DataView(bytes.buffer);
	}

	words(...words) {
		this.#room(4 * words.length);
		for (const word of words) {
			this.#view.setUint32(this.length, word, true);
			this.length += 4;
		}
	}

	single(number) {
		this.words(3, 0);
		this.#view.setFloat32(this.length - 4, number, true);
	}

	text(text) {
		const bytes = encoder.encode(text);
		this.words(4, bytes.length);
		this.#room(bytes.length + 3);
		this.#bytes.set(bytes, this.length);
		this.length += Math.ceil(bytes.length / 4) * 4;
	}

	player(n, types, hp = n % 100) {
		const { name, x, alive } = player(n);
		this.words(types.dictionary, 5);
		this.text('id');
		this.words(2, n);
		this.text('name');
		this.text(name);
		this.text('hp');
		this.words(2, hp);
		const at = this.length - 8;
		this.text('x');
		this.single(x);
		this.text('alive');
		this.words(1, alive ? 1 : 0);
		return at;
	}

	bytes() {
		return this.#bytes.slice(0, this.length);
	}
}

/** An Array of players. `changed`: this one has an hp of 7777. `at`: where the hp of the last one begins. */
export function list(count, { engine = 'godot4', changed } = {}) {
	const to = new Assembler();
	const types = TYPES[engine];
	to.words(types.array, count);
	let at;
	for (let n = 0; n < count; n++) at = to.player(n, types, n === changed ? 7777 : n % 100);
	return { bytes: to.bytes(), at };
}

/** A file of `store_var`, a player a record. */
export function file(count) {
	const to = new Assembler();
	for (let n = 0; n < count; n++) {
		const one = new Assembler();
		one.player(n, TYPES.godot4);
		to.words(one.length);
		to.player(n, TYPES.godot4);
	}
	return to.bytes();
}

/** A `project.binary` of settings with a player each. */
export function project(count) {
	const to = new Assembler();
	to.words(0x47464345, count);
	for (let n = 0; n < count; n++) {
		const name = encoder.encode(`players/${String(n).padStart(8, '0')}`);
		to.words(name.length, ...new Uint32Array(name.buffer));
		const one = new Assembler();
		one.player(n, TYPES.godot4);
		to.words(one.length);
		to.player(n, TYPES.godot4);
	}
	return to.bytes();
}

export const json = (count) => JSON.stringify(Array.from({ length: count }, (_, n) => player(n)));

/** As `var_to_str` of Godot 4 prints the Array: keys sorted. */
export function text(count) {
	const one = (n) => {
		const { id, name, hp, x, alive } = player(n);
		return `{\n"alive": ${alive},\n"hp": ${hp},\n"id": ${id},\n"name": "${name}",\n"x": ${x}\n}`;
	};
	return `[${Array.from({ length: count }, (_, n) => one(n)).join(', ')}]`;
}

/** Throws if values are not the players from the first on. */
export function check(values, count, where) {
	let n = 0;
	for (const { id, name, hp, x, alive } of values) {
		if (id !== n || name !== `player_${n}` || hp !== n % 100 || x !== n * 0.5 + 0.25 || alive !== (n % 2 === 0)) {
			throw new Error(`${where}: player ${n} is ${JSON.stringify([id, name, hp, x, alive])}`);
		}
		n++;
	}
	if (n !== count) throw new Error(`${where}: ${n} players, not ${count}`);
}
