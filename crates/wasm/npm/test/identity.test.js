// decode, then encode, with their defaults: the bytes that engines wrote come back, but for the four kinds that the README lists.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { decode, encode, records } from 'gdvar';
import { ENGINES, file, hasNan, hex, lines, unhex } from './data.js';

/** The reason why a vector's bytes do not come back, or undefined. */
function reason({ value, wire_value: wire, engine_refuses: refused }) {
	if (value.Nest?.steps.length > 1024) return 'nested deeper than 1024';
	if (value.Float && Number.isSafeInteger(Number(value.Float.dec))) return 'a float alone';
	if (hasNan(JSON.stringify(wire ?? value))) return 'bits of a NaN';
	return refused ? 'refused by the engine that wrote it' : undefined;
}

/** The bytes that come back, or the error's name. */
function again(bytes, options) {
	try {
		return hex(encode(decode(bytes, options), { target: options.dialect }));
	} catch (error) {
		assert.equal(error.name, 'GdvarError');
		return error.code;
	}
}

for (const engine of ENGINES) {
	test(`identity: vectors of ${engine.name}`, () => {
		const counts = {};
		let same = 0;
		// Not canonical: bytes that the engine reads and does not write. Dirty: with padding that it left unset.
		for (const vector of lines(engine.file).filter(({ canonical, dirty }) => canonical && !dirty)) {
			const objects = vector.full_objects ? 'inert' : 'ids';
			if (again(unhex(vector.hex), { dialect: engine.dialect, objects }) === vector.hex) {
				same++;
				continue;
			}
			const why = reason(vector);
			assert.ok(why, `${engine.name} ${vector.id}: other bytes`);
			counts[why] = (counts[why] ?? 0) + 1;
		}
		console.log(`# ${engine.name}: ${same} the same, ${JSON.stringify(counts)}`);
		assert.ok(same > 110);
	});
}

test('identity: saves of engines', () => {
	const folder = new URL('../../../../testdata/saves/', import.meta.url);
	let count = 0;
	for (const name of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
		const about = JSON.parse(Buffer.from(file(`saves/${name}`)).toString());
		if (about.container !== 'plain' || about.dirty) continue;
		const dialect = /3\./.test(name) ? 'godot3' : 'godot4';
		for (const value of records(file(`saves/${name.slice(0, -5)}`), { dialect, objects: 'inert' })) {
			const back = encode(value.toJS(), { target: dialect });
			if (value.type === 'Float') assert.equal(decode(back), value.toJS(), name);
			else assert.ok(Buffer.compare(back, value.bytes()) === 0, `${name}: record ${count}`);
			count++;
		}
	}
	assert.ok(count > 700, `${count} records`);
});
