// The way to a value in words: `party › Aldis › xp`.
import { Node } from './node.js';

/** Keys of a child that names the element of a list, the most telling first. */
const TELLING = ['name', 'display_name', 'resource_name', 'title', 'label', 'id', 'uid', 'key', 'kind', 'type'];
/** Elements with more children are not asked for their name. */
const MOST_CHILDREN = 200;
const LONGEST_NAME = 40;

/** Returns the text of a String or a StringName as a script writes it; undefined for anything else. */
export const textOf = (line) => /^&?"(.+)"$/.exec(line)?.[1];

/** Finds the ways to values of a save. It remembers the containers that it passed, until the save changes. */
export class Trails {
	#save;
	#nodes = new Map();
	#names = new Map();

	constructor(save) {
		this.#save = save;
	}

	/**
	 * Returns the way to the byte at `offset` of value `number`: the `words`, each `{ text, number }`, of which
	 * the number is that of an element that has a name; the place of the value, `at` and `level`, of a pair's value if the
	 * byte is in its key; its `path` for edits; and the `key` of the last step, if a Dictionary or an Object has one.
	 */
	to(number, offset) {
		const loaded = this.#save.values[number];
		const words = [];
		let [at, level, path, key] = [0, 0, '$', undefined];
		while (offset > at) {
			const node = this.#node(number, at, level);
			const index = node.indexAt(offset);
			if (index < 0) break;
			const { label, path: step } = node.step(index);
			at = node.childAt(index);
			level++;
			path += step;
			key = node.paired ? (textOf(label) ?? label) : undefined;
			const name = node.paired ? undefined : this.#nameOf(number, at, level);
			words.push(name === undefined ? { text: key ?? label } : { text: name, number: label });
		}
		return { number, loaded, words, at, level, path, key };
	}

	#node(number, at, level) {
		const id = `${number} ${at}`;
		let node = this.#nodes.get(id);
		if (!node) this.#nodes.set(id, (node = new Node(undefined, 0, this.#save.values[number], at, level).expand()));
		return node;
	}

	/** Returns the name of the element of a list by one of its children, or undefined. */
	#nameOf(number, at, level) {
		const id = `${number} ${at}`;
		if (!this.#names.has(id)) this.#names.set(id, this.#findName(number, at, level));
		return this.#names.get(id);
	}

	#findName(number, at, level) {
		const loaded = this.#save.values[number];
		const { open, length } = loaded.describe(at, level);
		if (!open || length > MOST_CHILDREN) return undefined;
		const node = this.#node(number, at, level);
		if (!node.paired) return undefined;
		let best = TELLING.length;
		let name;
		for (let index = 0; index < node.count; index++) {
			const { label } = node.step(index);
			const rank = TELLING.indexOf((textOf(label) ?? label).toLowerCase());
			if (rank < 0 || rank >= best) continue;
			const text = textOf(loaded.preview(node.childAt(index), level + 1, LONGEST_NAME));
			if (text !== undefined) [best, name] = [rank, text];
		}
		return name;
	}
}

/** Returns the words of a way as one text. `numbers`: named elements of a list have their numbers too. */
export function inWords(words, numbers = false) {
	if (words.length === 0) return 'the whole value';
	return words.map(({ text, number }) => (numbers && number ? `${text} ${number}` : text)).join(' › ');
}
