// What a search found: a list of values, each with what it belongs to.
import { Trails, inWords } from './trail.js';

/** Places that are looked up in one search. */
const MOST = 20_000;
/** Lines that are shown, and added by `Show more`. */
const PAGE = 100;

/**
 * Returns the places of a text in a save, each `[number, offset, role]`: role 0 is a value, 1 a key, 2 the name of a property, and 3 a
 * value at which a pattern of paths ends, if the text is one: `$.party[*].hp`.
 */
export function search(save, text, most = MOST) {
	const places = [];
	for (let number = 0; number < save.values.length && places.length < most; number++) {
		const { hits } = save.values[number].search(text, 0, most - places.length);
		for (let n = 0; n < hits.length; n += 2) places.push([number, hits[n], hits[n + 1]]);
	}
	return places;
}

const $ = (id) => document.getElementById(id);

/** The list. `chosen(number, offset)` is called with each place that is picked. */
export class Found {
	/** As of `search`. */
	places = [];
	#chosen;
	#shown = 0;
	#trails;

	constructor(chosen) {
		this.#chosen = chosen;
		$('hits').addEventListener('keydown', (event) => this.#key(event));
		$('needle').addEventListener('keydown', (event) => {
			if (event.key !== 'ArrowDown' || $('found').hidden) return;
			event.preventDefault();
			$('hits').focus();
		});
		$('more').addEventListener('click', () => this.#more());
		$('close').addEventListener('click', () => this.hide());
	}

	/** True if there is nothing more to be found. */
	get whole() {
		return this.places.length < MOST;
	}

	hide() {
		$('found').hidden = true;
		$('hits').replaceChildren();
	}

	/** Shows what was found, and picks the first. */
	show(save, text) {
		this.save = save;
		this.text = text;
		this.#list(PAGE);
		$('hits').firstElementChild?.pick();
	}

	/** After a change: searches again, as far as the list went. */
	refresh() {
		if ($('found').hidden) return;
		const top = $('hits').scrollTop;
		this.#list(this.#shown);
		$('hits').scrollTop = top;
	}

	#list(count) {
		this.places = search(this.save, this.text);
		this.#trails = new Trails(this.save);
		this.#shown = 0;
		$('hits').replaceChildren();
		$('hits').hidden = this.places.length === 0;
		$('found').hidden = false;
		this.#more(Math.max(count, PAGE));
	}

	#more(most = PAGE) {
		const lines = this.#lines(this.places.slice(this.#shown, this.#shown + most));
		$('hits').append(...lines);
		this.#shown += lines.length;
		const count = this.places.length;
		const number = this.whole ? String(count) : `${MOST} or more`;
		const shown = this.#shown < count ? `, ${this.#shown} shown` : '';
		const nowhere = /^\s*\$[.[]/.test(this.text) ? `no value is at “${this.text}”, and it is in none` : `“${this.text}” is in no key and no value`;
		$('count').textContent = count === 0 ? nowhere : `${number} found${shown}`;
		$('more').hidden = this.#shown >= count;
		$('many').hidden = count === 0;
	}

	#lines(places) {
		const ways = places.map(([number, offset]) => this.#trails.to(number, offset));
		// Two elements of one name are told apart by their numbers.
		const texts = new Map();
		for (const { number, words } of ways) {
			const text = `${number} ${inWords(words)}`;
			texts.set(text, (texts.get(text) ?? 0) + 1);
		}
		return ways.map((way, n) => {
			const [number, offset, role] = places[n];
			const twice = texts.get(`${number} ${inWords(way.words)}`) > 1;
			const line = this.#line(way, offset, role, twice);
			line.id = `hit${this.#shown + n}`;
			return line;
		});
	}

	#line({ number, loaded, words, at, level }, offset, role, numbers) {
		const line = document.createElement('div');
		line.className = 'hit';
		line.setAttribute('role', 'option');
		line.setAttribute('aria-selected', 'false');
		const part = (name, text) => {
			const span = document.createElement('span');
			span.className = name;
			span.textContent = text;
			line.append(span);
		};
		if (this.save.values.length > 1) part('quiet', `#${number}`);
		part('trail', inWords(words, numbers));
		part('preview', loaded.preview(at, level, 80));
		if (role === 1 || role === 2) part('quiet', role === 1 ? 'the key matches' : 'the name matches');
		line.title = loaded.locate(at);
		line.pick = () => {
			for (const one of $('hits').children) one.setAttribute('aria-selected', String(one === line));
			$('hits').setAttribute('aria-activedescendant', line.id);
			line.scrollIntoView({ block: 'nearest' });
			this.#chosen(number, offset);
		};
		line.addEventListener('click', line.pick);
		return line;
	}

	#key(event) {
		const lines = [...$('hits').children];
		const at = lines.findIndex((line) => line.getAttribute('aria-selected') === 'true');
		const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1 }[event.key];
		if (event.key === 'Escape') this.hide();
		else if (to === undefined) return;
		event.preventDefault();
		lines[to]?.pick();
	}
}
