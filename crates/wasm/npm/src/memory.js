// Linear memory of WebAssembly. It moves when it grows, and any call can make it grow: views taken before the call are empty after
// it. So views are made here alone, and are taken from here after the call whose answer they show. Nobody keeps one.

export class Memory {
	#memory;
	#views = { u8: new Uint8Array() };

	constructor(memory) {
		this.#memory = memory;
	}

	/** Views of all memory, `{ u8, u32, f64, i64 }`: good until the next call into WebAssembly. */
	get views() {
		// A view of memory that has moved is empty.
		if (this.#views.u8.length === 0) {
			const { buffer } = this.#memory;
			this.#views = {
				u8: new Uint8Array(buffer),
				u32: new Uint32Array(buffer),
				f64: new Float64Array(buffer),
				i64: new BigInt64Array(buffer),
			};
		}
		return this.#views;
	}
}
