// The tree of values. Only visible rows exist; an open node knows where its children begin.
import { Node } from './node.js';

const ROW = 24;
/** Browsers do not make an element much higher than this. */
const HIGHEST = 8_000_000;

/**
 * The list of records, settings or constants. It is the parent of all values if there are several.
 */
class List {
	constructor(save) {
		this.save = save;
		this.open = [];
		this.count = save.values.length;
		this.rows = this.count;
	}
}

export class Tree {
	/** `element` scrolls. `chosen(row)` is called with each selected row. */
	constructor(element, chosen) {
		this.element = element;
		this.space = element.querySelector('#space');
		this.body = element.querySelector('#rows');
		this.chosen = chosen;
		this.selected = 0;
		element.addEventListener('scroll', () => this.draw());
		element.addEventListener('keydown', (event) => this.#key(event));
		element.addEventListener('click', (event) => this.#click(event));
		element.addEventListener('dblclick', () => this.toggle(this.selected));
		new ResizeObserver(() => this.draw()).observe(element);
	}

	show(save) {
		this.save = save;
		this.root = new List(save);
		this.selected = 0;
		this.element.scrollTop = 0;
		if (save.values.length === 1) this.#openAt(0);
		this.select(0);
	}

	/** After a change: opens the same nodes, as far as they still exist. */
	refresh() {
		const paths = [];
		const walk = (node, way) => {
			for (const child of node.open) {
				paths.push([...way, child.index]);
				walk(child, [...way, child.index]);
			}
		};
		walk(this.root, []);
		const chosen = this.#way(this.selected);
		this.root = new List(this.save);
		for (const way of paths) this.#openWay(way);
		this.select(Math.max(0, this.#rowOf(chosen)));
	}

	#way(index) {
		const row = this.rowAt(index);
		const way = [];
		for (let node = row; node?.parent; node = node.parent) way.unshift(node.index);
		return way;
	}

	#openWay(way) {
		let node = this.root;
		for (const index of way) {
			const known = node.open.find((child) => child.index === index);
			if (known) node = known;
			else {
				if (index >= node.count) return undefined;
				const row = this.#child(node, index);
				if (!row.describe().open) return undefined;
				node = this.#insert(row);
			}
		}
		return node;
	}

	/** Returns the row of the child at the end of `way`; -1 if it is not shown. */
	#rowOf(way) {
		let node = this.root;
		let row = -1;
		for (const index of way) {
			if (!node || index >= node.rows) return row;
			let before = 0;
			for (const child of node.open) if (child.index < index) before += child.rows;
			row += 1 + index + before;
			node = node.open.find((child) => child.index === index);
		}
		return row;
	}

	/** Creates a row for temporary use. */
	#child(parent, index) {
		const row = { parent, index };
		if (parent === this.root) {
			const loaded = this.save.values[index];
			row.number = index;
			Object.assign(row, { loaded, at: 0, level: 0 });
		} else {
			row.number = parent.number;
			const { loaded } = parent;
			Object.assign(row, { loaded, at: index < parent.count ? parent.childAt(index) : -1, level: parent.level + 1 });
		}
		row.describe = () => row.loaded.describe(row.at, row.level);
		return row;
	}

	/** Returns the row with this number, counting all open rows. */
	rowAt(number) {
		let node = this.root;
		let left = number;
		if (!node || left < 0 || left >= node.rows) return undefined;
		for (;;) {
			let before = 0;
			let inside;
			for (const child of node.open) {
				const at = child.index + before;
				if (left <= at) break;
				if (left <= at + child.rows) {
					inside = child;
					left -= at + 1;
					break;
				}
				before += child.rows;
			}
			if (!inside) {
				const index = left - before;
				const row = this.#child(node, index);
				row.node = node.open.find((child) => child.index === index);
				return row;
			}
			node = inside;
		}
	}

	#insert(row) {
		const node = new Node(row.parent, row.index, row.loaded, row.at, row.level);
		node.number = row.number;
		node.expand();
		const { open } = row.parent;
		const place = open.findIndex((child) => child.index > row.index);
		open.splice(place < 0 ? open.length : place, 0, node);
		for (let up = row.parent; up; up = up.parent) up.rows += node.rows;
		return node;
	}

	#openAt(number) {
		const row = this.rowAt(number);
		if (!row || row.node || row.at < 0) return;
		let open;
		try {
			({ open } = row.describe());
		} catch {
			return;
		}
		if (open) this.#insert(row);
	}

	#close(row) {
		const { node } = row;
		if (!node) return;
		row.parent.open.splice(row.parent.open.indexOf(node), 1);
		for (let up = row.parent; up; up = up.parent) up.rows -= node.rows;
	}

	toggle(number) {
		const row = this.rowAt(number);
		if (!row) return;
		if (row.node) this.#close(row);
		else this.#openAt(number);
		this.draw();
	}

	/** Opens everything around a byte of a value, and selects what is there. */
	reveal(number, offset) {
		let node = this.root;
		let index = number;
		const way = [];
		for (;;) {
			way.push(index);
			const known = node.open.find((child) => child.index === index);
			const row = this.#child(node, index);
			if (row.at < 0 || (!known && !row.describe().open)) break;
			if (offset <= row.at) break;
			node = known ?? this.#insert(row);
			index = node.indexAt(offset);
			if (index < 0) break;
		}
		this.select(this.#rowOf(way));
	}

	/** Returns the path of a row: one for people, and one for edits inside its value. */
	path(row) {
		let shown = '';
		let path = '';
		for (let one = row; one.parent && one.parent !== this.root; one = one.parent) {
			const step = one.parent.step(one.index);
			shown = step.shown + shown;
			path = step.path + path;
		}
		return { shown: `$${shown}`, path: `$${path}` };
	}

	select(number) {
		if (!this.root || this.root.rows === 0) return;
		this.selected = Math.min(Math.max(number, 0), this.root.rows - 1);
		const view = this.element.clientHeight;
		const top = this.#top();
		const lines = Math.max(1, Math.floor(view / ROW) - 1);
		if (this.selected < top || this.selected >= top + lines) {
			this.#scrollTo(Math.max(0, this.selected - (lines >> 1)));
		}
		this.draw();
		this.chosen(this.rowAt(this.selected));
	}

	/**
	 * True if there are more rows than an element can be high. The scroll bar is then proportional.
	 */
	get #dense() {
		return this.root.rows * ROW > HIGHEST;
	}

	/** Returns the number of rows before the last view, and the range of the scroll bar. */
	get #reach() {
		const view = this.element.clientHeight;
		return [Math.max(0, this.root.rows - Math.floor(view / ROW)), Math.max(1, HIGHEST - view)];
	}

	#top() {
		const { scrollTop } = this.element;
		if (!this.#dense) return Math.floor(scrollTop / ROW);
		const [rows, way] = this.#reach;
		return Math.round((Math.min(scrollTop, way) / way) * rows);
	}

	#scrollTo(row) {
		this.space.style.height = `${Math.min(this.root.rows * ROW, HIGHEST)}px`;
		const [rows, way] = this.#reach;
		this.element.scrollTop = this.#dense ? (Math.min(row, rows) / rows) * way : row * ROW;
	}

	draw() {
		if (!this.root) return;
		this.space.style.height = `${Math.min(this.root.rows * ROW, HIGHEST)}px`;
		const first = Math.min(this.#top(), Math.max(0, this.root.rows - 1));
		const count = Math.ceil(this.element.clientHeight / ROW) + 1;
		const rows = [];
		for (let number = first; number < Math.min(first + count, this.root.rows); number++) {
			rows.push(this.#row(number));
		}
		this.body.replaceChildren(...rows);
		this.body.style.top = '0';
		this.body.style.marginTop = `-${this.space.offsetHeight}px`;
		this.element.setAttribute('aria-activedescendant', `row${this.selected}`);
	}

	#row(number) {
		const row = this.rowAt(number);
		const element = document.createElement('div');
		element.className = 'row';
		element.id = `row${number}`;
		element.dataset.row = number;
		element.setAttribute('role', 'treeitem');
		element.setAttribute('aria-selected', String(number === this.selected));
		let depth = 1;
		for (let up = row.parent; up.parent; up = up.parent) depth++;
		element.setAttribute('aria-level', depth);
		element.setAttribute('aria-posinset', row.index + 1);
		element.setAttribute('aria-setsize', row.parent.rows > row.parent.count ? -1 : row.parent.count);
		element.style.paddingLeft = `${8 + 16 * (depth - 1)}px`;
		const part = (name, text) => {
			const span = document.createElement('span');
			span.className = name;
			span.textContent = text;
			element.append(span);
			return span;
		};
		if (row.at < 0) {
			part('twist', '');
			part('damage', 'the rest cannot be read');
			return element;
		}
		try {
			const { type, length, open } = row.describe();
			part('twist', open ? (row.node ? '▾' : '▸') : '');
			if (open) element.setAttribute('aria-expanded', String(Boolean(row.node)));
			const label = this.label(row);
			if (label) part('key', label);
			part('type', open || type.startsWith('Packed') ? `${type} · ${length}` : type);
			this.#preview(row, part);
		} catch (error) {
			part('twist', '');
			part('key', this.label(row));
			part('damage', error.message);
		}
		return element;
	}

	#preview(row, part) {
		try {
			part('preview', row.loaded.line(row.at, row.level, 120));
		} catch (error) {
			part('damage', 'damaged inside').title = error.message;
		}
	}

	label(row) {
		if (row.parent !== this.root) return row.parent.step(row.index).label;
		return this.save.values.length > 1 ? `#${row.index}` : '$';
	}

	#click(event) {
		const element = event.target.closest('.row');
		if (!element) return;
		const number = Number(element.dataset.row);
		this.select(number);
		if (event.target.classList.contains('twist')) this.toggle(number);
	}

	#key(event) {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const page = Math.max(1, Math.floor(this.element.clientHeight / ROW) - 1);
		const row = this.rowAt(this.selected);
		const moves = {
			ArrowDown: 1,
			ArrowUp: -1,
			PageDown: page,
			PageUp: -page,
			Home: -this.selected,
			End: this.root.rows,
		};
		if (event.key in moves) this.select(this.selected + moves[event.key]);
		else if (event.key === 'ArrowRight') {
			if (row?.node) this.select(this.selected + 1);
			else this.toggle(this.selected);
		} else if (event.key === 'ArrowLeft') {
			if (row?.node) this.toggle(this.selected);
			else if (row?.parent?.parent) this.select(this.#rowOf(this.#way(this.selected).slice(0, -1)));
		} else if (event.key === ' ') this.toggle(this.selected);
		else return;
		event.preventDefault();
	}
}
