// Values that a person wants to see first, by their paths. The browser keeps the paths, and nothing of a save.
import { Trails, inWords } from './trail.js';

const KEY = 'gdvar favourites';
const MOST = 500;

const $ = (id) => document.getElementById(id);

/** Paths of this page alone, where the browser keeps none: a page from a disk may be refused any storage. */
let own = [];
let stores = true;

function load() {
	if (!stores) return own;
	try {
		const all = JSON.parse(localStorage.getItem(KEY) ?? '[]');
		if (!Array.isArray(all)) return [];
		return all.filter((one) => Number.isInteger(one?.number) && typeof one.path === 'string').slice(0, MOST);
	} catch {
		return own;
	}
}

function store(all) {
	own = all;
	try {
		localStorage.setItem(KEY, JSON.stringify(all));
	} catch {
		stores = false;
	}
}

/** The list. `chosen(number, offset)` is called with the place of each that is picked. */
export class Favourites {
	#chosen;
	#save;
	#place;
	/** The places that are in the list, each as its number and its offset. */
	#listed = new Set();

	constructor(chosen) {
		this.#chosen = chosen;
		$('star').addEventListener('click', () => this.#toggle());
	}

	/** Shows those that are in a save, with their values. */
	show(save) {
		this.#save = save;
		const trails = new Trails(save);
		this.#listed.clear();
		const lines = load().flatMap(({ number, path }) => {
			const at = save.values[number]?.find(path);
			if (at === undefined) return [];
			this.#listed.add(`${number} ${at}`);
			return [this.#line(trails.to(number, at), path)];
		});
		$('starred').replaceChildren(...lines);
		$('favourites').hidden = lines.length === 0;
	}

	/** Shows whether the value at the selected place is one. There is none at an offset below 0. */
	select(number, at) {
		$('star').hidden = at < 0;
		this.#place = [number, at];
		const on = this.#listed.has(`${number} ${at}`);
		$('star').setAttribute('aria-pressed', String(on));
		$('star').textContent = on ? '★' : '☆';
	}

	#toggle() {
		const [number, at] = this.#place;
		const path = this.#save.values[number].locate(at);
		const all = load();
		const rest = all.filter((one) => one.number !== number || one.path !== path);
		store(rest.length < all.length ? rest : [...rest, { number, path }].slice(-MOST));
		$('star').title = stores ? 'Favourite' : 'Favourite, until this page is closed: the browser keeps nothing for it';
		this.show(this.#save);
		this.select(number, at);
	}

	#line({ number, loaded, words, at, level }, path) {
		const button = document.createElement('button');
		button.type = 'button';
		button.className = 'hit';
		button.title = path;
		const part = (name, text) => {
			const span = document.createElement('span');
			span.className = name;
			span.textContent = text;
			button.append(span);
		};
		if (this.#save.values.length > 1) part('quiet', `#${number}`);
		part('trail', inWords(words));
		part('preview', loaded.preview(at, level, 80));
		button.addEventListener('click', () => this.#chosen(number, at));
		const item = document.createElement('li');
		item.append(button);
		return item;
	}
}
