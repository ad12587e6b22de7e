// A container whose children are known: where they begin, and what they are called.

export class Node {
	constructor(parent, index, loaded, at, level) {
		Object.assign(this, { parent, index, loaded, at, level });
		this.open = [];
		this.rows = 0;
		this.places = [];
		this.damaged = false;
	}

	/** Finds out where the children begin. */
	expand() {
		const { type } = this.loaded.describe(this.at, this.level);
		this.type = type;
		this.paired = type === 'Dictionary' || type === 'Object';
		const { places, damaged } = this.loaded.children(this.at, this.level);
		this.places = places;
		this.damaged = damaged;
		this.count = this.paired ? places.length >> 1 : places.length;
		this.rows = this.count + (damaged ? 1 : 0);
		return this;
	}

	/** Returns the offset of a child. */
	childAt(index) {
		return this.paired ? this.places[2 * index + 1] : this.places[index];
	}

	/** Returns the number of the child that the byte at `offset` belongs to, -1 for none. */
	indexAt(offset) {
		const size = this.paired ? 2 : 1;
		let low = 0;
		let high = this.count;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.places[size * middle] <= offset) low = middle + 1;
			else high = middle;
		}
		return low - 1;
	}

	/** Returns the step to a child, for people and for edits. */
	step(index) {
		if (!this.paired) return { shown: `[${index}]`, path: `[${index}]`, label: `[${index}]` };
		const at = this.places[2 * index];
		const label = this.type === 'Object' ? this.loaded.name(at) : this.loaded.line(at, this.level + 1, 60);
		const quoted = /^"([A-Za-z_][A-Za-z_0-9]*)"$/.exec(label);
		const name = this.type === 'Object' ? label : quoted?.[1];
		return { shown: name ? `.${name}` : `[${label}]`, path: `{${index}}`, label: name ?? label };
	}
}
