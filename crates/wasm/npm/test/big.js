// Large values whose bytes, JSON and text are written here, after docs/FORMAT.md and JSON's own rules, not by the package.

const TYPES = { godot4: { dictionary: 27, array: 28 }, godot3: { dictionary: 18, array: 19 } };

/** One of the values: fields in the order of the bytes. */
export const player = (n) => ({ id: n, name: `player_${n}`, hp: n % 100, x: n * 0.5 + 0.25, alive: n % 2 === 0 });

/** A text in ASCII after its length, filled up with zeros, as words. */
function textWords(text) {
	const words = new Uint32Array(1 + Math.ceil(text.length / 4));
	words[0] = text.length;
	for (let at = 0; at < text.length; at++) words[1 + (at >> 2)] |= text.charCodeAt(at) << (8 * (at & 3));
	return words;
}

const STRING = 4;
const [ID, NAME, HP, X, ALIVE] = ['id', 'name', 'hp', 'x', 'alive'].map((text) => [STRING, ...textWords(text)]);

const single = new Float32Array(1);
const singleBits = new Uint32Array(single.buffer);

/** A growing list of words. Written without calls for each byte: 50 MB are made several times in each test. */
class Assembler {
	#words = new Uint32Array(1 << 14);
	#length = 0;

	/** In bytes. */
	get length() {
		return 4 * this.#length;
	}

	words(words) {
		if (this.#length + words.length > this.#words.length) {
			const more = new Uint32Array(2 * this.#words.length + words.length);
			more.set(this.#words);
			this.#words = more;
		}
		for (let at = 0; at < words.length; at++) this.#words[this.#length + at] = words[at];
		this.#length += words.length;
	}

	/** Writes a player, and returns where its hp is. */
	player(n, types, hp = n % 100) {
		const { name, x, alive } = player(n);
		this.words([types.dictionary, 5]);
		this.words(ID);
		this.words([2, n]);
		this.words(NAME);
		this.words([STRING]);
		this.words(textWords(name));
		this.words(HP);
		const at = this.length;
		this.words([2, hp]);
		this.words(X);
		single[0] = x;
		this.words([3, singleBits[0]]);
		this.words(ALIVE);
		this.words([1, alive ? 1 : 0]);
		return at;
	}

	/** Writes a player of Godot 4 after its length in bytes. */
	record(n) {
		const at = this.#length;
		this.words([0]);
		this.player(n, TYPES.godot4);
		this.#words[at] = this.length - 4 * at - 4;
	}

	bytes() {
		return new Uint8Array(this.#words.buffer.slice(0, this.length));
	}
}

/** An Array of players. `changed`: this one has an hp of 7777. `at`: where the hp of the last one begins. */
export function list(count, { engine = 'godot4', changed } = {}) {
	const to = new Assembler();
	const types = TYPES[engine];
	to.words([types.array, count]);
	let at;
	for (let n = 0; n < count; n++) at = to.player(n, types, n === changed ? 7777 : n % 100);
	return { bytes: to.bytes(), at };
}

/** A file of `store_var`, a player a record. */
export function file(count) {
	const to = new Assembler();
	for (let n = 0; n < count; n++) to.record(n);
	return to.bytes();
}

/** A `project.binary` of settings with a player each. */
export function project(count) {
	const to = new Assembler();
	to.words([0x47464345, count]);
	for (let n = 0; n < count; n++) {
		to.words(textWords(`players/${String(n).padStart(8, '0')}`));
		to.record(n);
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
