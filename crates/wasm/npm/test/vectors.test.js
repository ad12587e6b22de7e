// Every value that the engines wrote: it is read as they say, and written again byte for byte.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Raw, decode, encode, open, validate } from 'gdvar';
import { ENGINES, clean, hasNan, hex, lines, leaves, nansAlike, unhex } from './data.js';
import { tagged, unfold } from './tagged.js';

/** The numbers of Godot 4's builtin types, out of the headers of the vectors themselves. */
function typeNumbers(vectors) {
	const numbers = new Map();
	for (const { type, value } of vectors) {
		const [tag] = Object.keys(value);
		const name = { TypedArray: 'Array', TypedDictionary: 'Dictionary', ObjectId: 'Object' }[tag] ?? tag;
		if (tag === 'Nest') continue;
		for (const one of [name, tag]) if (!numbers.has(one)) numbers.set(one, type);
	}
	return numbers;
}

/** Returns true if bytes are refused by an error of this package. */
function refuses(bytes, options) {
	try {
		validate(bytes, options);
		return false;
	} catch (error) {
		assert.equal(error.name, 'GdvarError');
		return true;
	}
}

for (const engine of ENGINES) {
	test(`vectors of ${engine.name}`, () => {
		const vectors = lines(engine.file);
		const numbers = typeNumbers(vectors);
		let read = 0;
		let written = 0;
		let nans = 0;
		let refused = 0;
		let raw = 0;
		const deep = [];
		for (const vector of vectors) {
			const options = { dialect: engine.dialect, objects: vector.full_objects ? 'inert' : 'ids' };
			const bytes = unhex(vector.hex);
			const where = `${engine.name} ${vector.id}`;
			if (vector.value.Nest?.steps.length > 1024) {
				assert.throws(() => decode(bytes, options), { code: 'DepthExceeded' }, where);
				assert.equal(validate(bytes, { ...options, maxDepth: 65534 }), bytes.length, where);
				deep.push(vector.id);
				continue;
			}
			if (vector.engine_refuses && refuses(bytes, options)) {
				// The engine does not read what it wrote here itself.
				refused++;
				continue;
			}
			const value = decode(bytes, { ...options, numbers: 'exact', maps: 'always' });
			const expected = JSON.stringify(unfold(vector.wire_value ?? vector.value));
			if (value instanceof Raw) {
				// Two halves of a pair of surrogates, which a string of JavaScript would join.
				assert.match(expected, /"codes":/, where);
				assert.equal(hex(value.bytes), vector.hex, where);
				raw++;
			} else {
				const actual = JSON.stringify(tagged(value, { double: engine.double, typeNumbers: numbers }));
				const merged = vector.wire_value === undefined ? expected : JSON.stringify(unfold(vector.value));
				assert.ok([expected, merged].map(nansAlike).includes(nansAlike(actual)), `${where}: ${actual} is not ${expected}`);
			}
			read++;
			// Looked at lazily it is the same value.
			assert.deepEqual(leaves(open(bytes, options).toJS()), leaves(decode(bytes, options)), where);
			if (!vector.canonical) continue;
			const target = { dialect: engine.dialect, precision: engine.double ? 'double' : 'given' };
			const again = encode(value, { target, numbers: 'exact' });
			if (hex(again) !== hex(clean(vector))) {
				assert.ok(hasNan(expected), `${where}: ${hex(again)} is not ${hex(clean(vector))}`);
				assert.deepEqual(leaves(decode(again, options)), leaves(decode(bytes, options)), where);
				nans++;
			}
			written++;
		}
		assert.ok(read + refused + deep.length === vectors.length && written > read / 2);
		console.log(`# ${engine.name}: ${read} read, ${written} written again, ${raw} kept raw, ${refused} refused as by the engine, ${deep.length} too deep for objects of JavaScript`);
		console.log(`# ${engine.name}: ${nans} of these with other bits in a NaN, the others byte for byte`);
	});
}
