// What the other package for JavaScript writes, and what it makes of ours: npm godot-binary-serialization 0.1.6, for
// Godot 3, with values of its own tests. Where the two differ, the engine's vectors agree with us (vectors.test.js).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRequire } from 'node:module';
import * as gdvar from 'gdvar';
import { hex } from './data.js';

const require = createRequire(import.meta.url);

const { Vector2, Vector3 } = gdvar;
const target = 'godot3';

/** Value of the peer, value of ours, and what is known to differ: `write`, `read`. */
function pairs({ math, misc }) {
	const v3 = (x, y, z) => new Vector3(x, y, z);
	return [
		['null', null, null],
		['true', true, true],
		['int', 5, 5],
		['int of 64 bits', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
		['float', 5.5, 5.5],
		['float of 64 bits', 5.6, 5.6],
		['string', 'Godot Engine – ünï', 'Godot Engine – ünï'],
		['empty string', '', ''],
		['Vector2', math.Vector2.from([1.5, 2.5]), new Vector2(1.5, 2.5)],
		['Vector3', math.Vector3.from([1.5, 2.5, 3.5]), v3(1.5, 2.5, 3.5)],
		['Rect2', math.Rect2.from([1, 2, 3, 4.5]), new gdvar.Rect2(new Vector2(1, 2), new Vector2(3, 4.5))],
		['Plane', math.Plane.from([1, 2, 3, 4.5]), new gdvar.Plane(v3(1, 2, 3), 4.5)],
		['Quat', math.Quat.from([1, 2, 3, 4.5]), new gdvar.Quaternion(1, 2, 3, 4.5)],
		['AABB', math.AABB.from([1, 2, 3, 4, 5, 6.5]), new gdvar.AABB(v3(1, 2, 3), v3(4, 5, 6.5))],
		['Transform2D', math.Transform2D.from([1, 2, 3, 4, 5, 6.5]), new gdvar.Transform2D(new Vector2(1, 2), new Vector2(3, 4), new Vector2(5, 6.5))],
		// The peer's axisX is the first row; here, as in scripts, x is the first column.
		['Basis', math.Basis.from([1, 2, 3, 4, 5, 6, 7, 8, 9.5]), new gdvar.Basis(v3(1, 4, 7), v3(2, 5, 8), v3(3, 6, 9.5))],
		['Color', misc.Color.from([0.5, 0.25, 1, 0.75]), new gdvar.Color(0.5, 0.25, 1, 0.75)],
		['Array', [1, 'two', [3.5]], [1, 'two', [3.5]]],
		['null in a Dictionary', { a: null, b: 1 }, { a: null, b: 1 }],
		['-1', -1, -1],
		['int between 32 and 53 bits', 2 ** 40, 2 ** 40],
		['PoolByteArray', Buffer.from([1, 2, 3]), new Uint8Array([1, 2, 3])],
		['Dictionary by numbers', new Map([[7, 'x']]), new Map([[7, 'x']])],
		['Dictionary', { hp: 80, name: 'Ann' }, { hp: 80, name: 'Ann' }],
	];
}

/** What differs: whether it writes our bytes, or why not, and whether it reads them. crates/wasm/README.md shows them. */
const DIFFERENT = new Map([
	['PoolByteArray', [false, false]],
	['Dictionary by numbers', [false, false]],
]);

test('godot-binary-serialization 0.1.6', (t) => {
	let peer;
	try {
		peer = require('godot-binary-serialization');
	} catch {
		t.skip('godot-binary-serialization is not installed');
		return;
	}
	const table = [];
	for (const [name, theirs, ours] of pairs(peer)) {
		const own = gdvar.encode(ours, { target });
		let written;
		let read;
		try {
			written = hex(peer.PacketPeer.put_var(theirs)) === hex(own);
		} catch (error) {
			written = String(error.message);
		}
		try {
			assert.deepEqual(peer.PacketPeer.get_var(Buffer.from(own)), theirs);
			read = true;
		} catch {
			read = false;
		}
		table.push([name, written, read]);
		const known = DIFFERENT.get(name) ?? [true, true];
		assert.deepEqual([written, read], known, name);
	}
	console.log(`# ${table.length} kinds of values`);
});
