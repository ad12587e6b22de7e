// The linear memory of WebAssembly. It moves when it grows, and any call may make it grow. Views from before
// the call are then empty. So only this file makes views; callers get them after the call whose answer they
// need, and do not keep them.

export class Memory {
	#memory;
	#views = { u8: new Uint8Array() };

	constructor(memory) {
		this.#memory = memory;
	}

	/**
	 * Views of the whole memory, `{ u8, u32, f64, i64 }`. They are valid until the next call into WebAssembly.
	 */
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
