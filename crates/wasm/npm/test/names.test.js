// Text that no string of JavaScript holds, wherever it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as gdvar from 'gdvar';
import { ENGINES, clean, hex, lines, unhex } from './data.js';

const { Float, decode, encode, open } = gdvar;

/** A vector's bytes with other bytes in one of its texts, for each text of four bytes or more. */
function* withBadTexts(bytes, bad) {
	const view = new DataView(bytes.buffer);
	for (let at = 0; at + 8 <= bytes.length; at += 4) {
		const length = view.getUint32(at, true) & 0x7fffffff;
		const text = bytes.subarray(at + 4, at + 4 + length);
		if (length < bad.length || text.length < length || !text.every((byte) => byte >= 32 && byte < 127)) continue;
		const changed = bytes.slice();
		changed.set(bad, at + 4);
		yield changed;
	}
}

for (const { name, file, dialect } of ENGINES) {
	test(`text that no string holds is a Raw or an error, wherever it is: ${name}`, () => {
		const counts = { same: 0, refused: 0 };
		// More than the last code point; two halves that a string would join; bytes that are no UTF-8 of any engine.
		for (const bad of ['f491bfbf', 'eda0bdedb880', 'ff']) {
			for (const vector of lines(file)) {
				if (!vector.canonical || vector.engine_refuses || vector.value.Nest?.steps.length > 1024) continue;
				for (const bytes of withBadTexts(clean(vector), unhex(bad))) {
					const options = { dialect, objects: vector.full_objects ? 'inert' : 'ids' };
					// What an earlier call left must not appear.
					decode(encode([1, 2, 'left', new Float(3)]));
					let value;
					try {
						value = decode(bytes, options);
					} catch (error) {
						assert.equal(error.name, 'GdvarError', `${vector.id}: ${error.stack}`);
						counts.refused++;
						continue;
					}
					assert.equal(hex(encode(value, { target: dialect })), hex(bytes), vector.id);
					counts.same++;
				}
			}
		}
		assert.ok(counts.refused > 10, JSON.stringify(counts));
		if (dialect === 'godot3') assert.ok(counts.same > 10, JSON.stringify(counts));
	});
}

test('the name of a property that no string holds is a Raw, at every depth', () => {
	const name = '0a000000' + '6d6f6f64eda0bdedb8800000';
	const object = `1100000004000000${Buffer.from('Node').toString('hex')}01000000${name}0200000005000000`;
	const bytes = unhex(`1300000002000000${object}0200000007000000`);
	const options = { dialect: 'godot3', objects: 'inert' };
	const raw = new gdvar.Raw('String', unhex(`04000000${name}`));
	for (const before of [[1, 2, 42], ['x', true, 777, 888, 999]]) {
		decode(encode(before));
		const [node, after] = decode(bytes, options);
		assert.deepEqual([node.class, node.properties, after], ['Node', [[raw, 5]], 7]);
		assert.equal(hex(encode([node, after], { target: 'godot3' })), hex(bytes));
	}
	const [lazy] = open(bytes, options);
	assert.deepEqual(Array.from(lazy, ([name]) => name), [raw]);
	assert.deepEqual([...open(unhex(object.replace(name, '02000000' + '68700000')), options)].map(([name]) => name), ['hp']);
	const misnamed = new gdvar.GodotObject('Node', [[new gdvar.Raw('Int', encode(5)), 5]]);
	assert.throws(() => encode(misnamed, { target: 'godot3' }), { name: 'GdvarError', code: 'NotAValue' });
	// The same for the class, which is a part of the value.
	const badClass = unhex('1100000004000000f491bfbf0100000002000000687000000200000005000000');
	const value = decode(badClass, options);
	assert.equal(value.type, 'Raw');
	assert.equal(hex(encode(value, { target: 'godot3' })), hex(badClass));
});
