// Bytes made to do harm: work that doubles with each level.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as gdvar from 'gdvar';
import { Session } from 'gdvar/packet';
import { openFile } from 'gdvar/forms';
import { hex } from './data.js';

const { Float, decode, encode, open, put_var } = gdvar;
const join = (...parts) => new Uint8Array(Buffer.concat(parts));
const dict = (...parts) => join(Buffer.from([27, 0, 0, 0, parts.length / 2, 0, 0, 0]), ...parts);
const [a, b, float] = [encode('a'), encode('b'), encode(new Float(1))];

/** Dictionaries in each other, each with a Float and a key that is there twice. */
function nested(levels) {
	const parts = [];
	for (let n = 0; n < levels; n++) parts.push(Buffer.from([27, 0, 0, 0, 3, 0, 0, 0]), a, float, a, float, b);
	return join(...parts, encode(null));
}

test('repeated keys at every level take no longer than others', async () => {
	const levels = 1000;
	const bytes = nested(levels);
	const ways = {
		decode: () => decode(bytes),
		'decode as Maps': () => decode(bytes, { maps: 'always' }),
		exact: () => decode(bytes, { numbers: 'exact' }),
		toJS: () => open(bytes).toJS(),
		openFile: () => openFile(bytes, { dialect: 'godot4', framing: 'bare' }).values[0].toJS(),
		get_var: () => gdvar.get_var(gdvar.writeRecords([open(bytes)])),
		RecordStream: async () => {
			for await (const value of gdvar.RecordStream.from([gdvar.writeRecords([open(bytes)])])) return value;
		},
		Session: () => {
			const wrapped = put_var(open(nested(20)));
			try {
				return [...new Session('godot4', 'enet').hear(wrapped, 'to_server')];
			} catch (error) {
				assert.equal(error.name, 'GdvarError');
				return [];
			}
		},
	};
	for (const [name, way] of Object.entries(ways)) {
		const began = performance.now();
		let value = await way();
		assert.ok(performance.now() - began < 2000, name);
		if (name === 'Session') continue;
		let depth = 0;
		for (; value !== null; depth++) value = value instanceof Map ? value.get('b') : value.b;
		assert.equal(depth, levels, name);
	}
});

test('of a key that is there twice the last value counts, and its type', () => {
	const written = (...pairs) => hex(encode(decode(dict(...pairs))));
	const values = { float, int: encode(2), text: encode('x'), fraction: encode(0.5), big: encode(2n ** 60n), list: encode([new Float(1)]) };
	for (const first of Object.values(values)) {
		for (const [name, last] of Object.entries(values)) {
			assert.equal(written(a, first, b, float, a, last), hex(dict(a, last, b, float)), name);
			assert.equal(written(b, float, a, first, a, last), hex(dict(b, float, a, last)), name);
			assert.equal(written(a, first, a, first, a, last), hex(dict(a, last)), name);
		}
	}
});
