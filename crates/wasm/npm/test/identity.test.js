// decode, then encode, with their defaults: the bytes that engines wrote come back, but for the four kinds that the README lists.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { decode, encode, records } from 'gdvar';
import { ENGINES, file, hasNan, hex, lines, unhex } from './data.js';

/** The first words of the README's table of what does not come back, and when that is so. */
const REASONS = {
	'a float alone without a fraction': ({ value }) => value.Float && Number.isSafeInteger(Number(value.Float.dec)),
	'the bits of a NaN': ({ value, wire_value: wire }) => hasNan(JSON.stringify(wire ?? value)),
	'values of Godot 3.2 nested deeper than 1024': ({ value }) => value.Nest?.steps.length > 1024,
	'halves of surrogate pairs that Pandemonium 5 writes': ({ engine_refuses: refused }) => refused,
};

/** The reason why a vector's bytes do not come back, or undefined. */
const reason = (vector) => Object.keys(REASONS).find((why) => REASONS[why](vector));

const seen = new Set();

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
			seen.add(why);
		}
		console.log(`# ${engine.name}: ${same} the same, ${JSON.stringify(counts)}`);
		assert.ok(same > 110);
	});
}

test('identity: the README lists these reasons, and no other', () => {
	const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
	const [, table] = readme.split('gives the same bytes for all that an engine writes');
	const rows = table.slice(0, table.indexOf('\n\n`test/identity')).split('\n').filter((line) => line.startsWith('| ')).slice(1);
	const listed = rows.map((row) => Object.keys(REASONS).find((why) => row.startsWith(`| ${why}`)));
	assert.deepEqual(listed, Object.keys(REASONS));
	// Each is one that some vector has.
	assert.deepEqual([...seen].sort(), Object.keys(REASONS).sort());
});

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
