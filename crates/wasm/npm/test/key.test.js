// Keys of dictionaries that are found by their value.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import * as gdvar from 'gdvar';
import { validate } from 'gdvar/forms';
import { file, lines, unhex } from './data.js';

const { decode, encode, keyOf } = gdvar;

test('a level is found by its place', () => {
	const tiles = decode(encode(new Map([[new gdvar.Vector2i(3, -4), 'wall'], [new gdvar.Vector2i(0, 0), 'floor'], ['name', 'cave'], [7, 'seven']])));
	const byKey = new Map(Array.from(tiles, ([key, tile]) => [keyOf(key), tile]));
	assert.equal(byKey.get(keyOf(new gdvar.Vector2i(3, -4))), 'wall');
	assert.equal(byKey.get(keyOf(new gdvar.Vector2i(-0, 0))), 'floor');
	assert.equal(byKey.get('name'), 'cave');
	assert.equal(byKey.get(7), 'seven');
	assert.equal(byKey.get(keyOf(new gdvar.Vector2(3, -4))), undefined);
	assert.equal(byKey.get('Vector2i(3,-4)'), undefined);
});

test('doors of a save', () => {
	const [save] = gdvar.records(file('saves/rpg4.sav'));
	const found = [];
	const walk = (value) => {
		if (value instanceof Map) for (const [key, item] of value) if (key instanceof gdvar.Vector2i && item.to) found.push([keyOf(key), item.to]);
		if (value !== null && typeof value === 'object' && !ArrayBuffer.isView(value)) {
			for (const item of value instanceof Map ? value.values() : Object.values(value)) walk(item);
		}
	};
	walk(save.toJS());
	assert.equal(new Map(found).get(keyOf(new gdvar.Vector2i(40, 2))), 'forest');
});

// keys.txt has values with the number of the first one that is the same key for Godot 4.6.3: testdata/oracle/keys4.gd makes it
// from the second column.
const ROWS = readFileSync(new URL('keys.txt', import.meta.url), 'utf8')
	.trim()
	.split('\n')
	.map((line) => ({ first: Number(line.split(' ')[0]), bytes: unhex(line.split(' ')[1]) }));

/** The first index of each key. */
const firsts = (keys) => keys.map((key) => keys.findIndex((other) => Object.is(other, key)));

test('one key for what is one key in the engine, and two for what are two', () => {
	for (const numbers of ['friendly', 'exact']) {
		const keys = ROWS.map(({ bytes }) => {
			const value = decode(bytes, { numbers });
			// A number alone does not say that it is a Float.
			const isFloat = typeof value === 'number' && gdvar.open(bytes).type === 'Float';
			return keyOf(isFloat ? new gdvar.Float(value) : value, { numbers });
		});
		const own = firsts(keys);
		ROWS.forEach(({ first, bytes }, n) => assert.equal(own[n], first, `${numbers}: ${gdvar.open(bytes).type} ${n}`));
	}
	assert.ok(new Set(ROWS.map(({ first }) => first)).size > 150);
});

test('a Map by keyOf has all pairs of a Dictionary', () => {
	const distinct = ROWS.filter(({ first }, n) => first === n).map(({ bytes }) => bytes);
	for (const keys of [distinct, distinct.toReversed?.() ?? [...distinct].reverse()]) {
		const bytes = dictionary(keys);
		assert.ok(gdvar.validate(bytes) === bytes.length);
		for (const numbers of ['friendly', 'exact']) {
			const map = decode(bytes, { numbers });
			assert.equal(map.size, keys.length);
			const byKey = new Map(Array.from(map, ([key, value]) => [keyOf(key, { numbers }), value]));
			assert.equal(byKey.size, keys.length, numbers);
			for (const [key, value] of map) assert.equal(byKey.get(keyOf(key, { numbers })), value);
			assert.deepEqual([...byKey.values()].map(Number), keys.map((_, n) => n));
			assert.equal(Buffer.compare(encode(map, { numbers }), encode(decode(encode(map, { numbers }), { numbers }), { numbers })), 0);
		}
	}
});

test('numbers: an Int in both its forms, and a Float', () => {
	const { Float } = gdvar;
	assert.equal(keyOf(1), keyOf(1n));
	assert.equal(keyOf(-(2 ** 53) + 1), keyOf(BigInt(-(2 ** 53) + 1)));
	assert.equal(keyOf(2n ** 60n), 2n ** 60n);
	for (const [one, other] of [[1, new Float(1)], [1n, new Float(1)], [2n ** 60n, new Float(2 ** 60)], [1, true], [0, false], [0, null], [1, '1'], [0, new Float(0)], [0, -0], ['', null]]) {
		assert.ok(!Object.is(keyOf(one), keyOf(other)), `${String(one)} ${JSON.stringify(other)}`);
	}
	for (const number of [1.5, NaN, Infinity, 2 ** 60, -0, 1e300]) assert.ok(Object.is(keyOf(number), keyOf(new Float(number))) || number === 0, `${number}`);
	assert.equal(keyOf(-0), keyOf(new Float(0)));
	const exact = { numbers: 'exact' };
	assert.equal(keyOf(1, exact), keyOf(new Float(1)));
	assert.equal(keyOf(1n, exact), keyOf(1));
	assert.equal(keyOf([1], exact), keyOf([new Float(1)]));
	assert.equal(keyOf([1n], exact), keyOf([1]));
	// Where a Dictionary has both, both are what encode takes them for, in either order; and all others stay.
	for (const pairs of [[[1, 'a'], [new Float(1), 'b']], [[new Float(1), 'a'], [1, 'b']], [[new Float(1), new Float(5)], [new Float(2), 6], [1, new Float(7)], [3, 8]]]) {
		const bytes = encode(new Map(pairs));
		const map = decode(bytes);
		assert.deepEqual(encode(map), bytes);
		assert.equal(new Map(Array.from(map, ([key, value]) => [keyOf(key), value])).size, pairs.length);
		assert.deepEqual([...map.keys()].filter((key) => key instanceof Float), [new Float(1)]);
		assert.ok(map.has(1));
	}
	// As one of a list, which passes an index too.
	assert.deepEqual([1, 'a', null].map(keyOf), [1, 'a', null]);
	assert.throws(() => keyOf(1, { number: 'exact' }), TypeError);
	assert.throws(() => keyOf(1, { numbers: 'exactly' }), TypeError);
});

test('a real of 32 bits is found by the number that was written', () => {
	for (const one of [new gdvar.Vector2(0.1, 0.2), new gdvar.Color(0.1, 0.2, 0.3), new gdvar.Rect2(new gdvar.Vector2(0.1, 0.3)), [new gdvar.Vector3(0.7)]]) {
		assert.equal(keyOf(decode(encode(one))), keyOf(one));
		assert.notEqual(keyOf(one), keyOf(encode(one)));
	}
	// Builds with precision=double have other vectors beside them.
	const wide = decode(encode(new gdvar.Vector2(0.1, 0.2), { target: { precision: 'double' } }));
	assert.notEqual(keyOf(wide), keyOf(new gdvar.Vector2(0.1, 0.2)));
	assert.equal(keyOf(decode(encode(new gdvar.Vector2(0.5, 2), { target: { precision: 'double' } }))), keyOf(new gdvar.Vector2(0.5, 2)));
});

test('what is no key is refused, and hangs nothing', () => {
	const loop = [];
	loop.push(loop);
	assert.throws(() => keyOf(loop), { code: 'DepthExceeded' });
	for (const odd of [new Date(), [() => 1], { a: undefined }, [Symbol('x')], new WeakMap()]) assert.throws(() => keyOf(odd), gdvar.GdvarError);
	const object = new gdvar.ObjectId(5n);
	assert.equal(keyOf([object]), keyOf([object]));
});

const word = (number) => Uint8Array.of(number, number >> 8, number >> 16, number >> 24);
/** The bytes of a Dictionary with these keys. */
const dictionary = (keys) => Buffer.concat([word(27), word(keys.length), ...keys.flatMap((key, n) => [key, encode(n)])]);

test('every value that the engines wrote: one key for the same value, and another for any that a Dictionary can have beside it', () => {
	const owners = new Map();
	let twins = 0;
	for (const { hex, id, canonical, full_objects, dirty, value } of lines('godot4.jsonl')) {
		// What is nested 1024 deep is no key of a Dictionary.
		if (!canonical || full_objects || dirty || value.Nest) continue;
		const bytes = unhex(hex);
		const [one, other] = [decode(bytes), decode(bytes)].map((own) => (value.Float === undefined ? own : new gdvar.Float(own)));
		const key = keyOf(one);
		// Two objects are never one key.
		assert.equal(Object.is(key, keyOf(other)), !JSON.stringify(value).includes('"ObjectId"'), id);
		if (!owners.has(key)) owners.set(key, bytes);
		else {
			twins++;
			assert.throws(() => validate(dictionary([owners.get(key), bytes]), { strict: true }), { code: 'DuplicateKey' }, id);
		}
	}
	assert.ok(owners.size > 400 && twins > 20, `${owners.size} ${twins}`);
	const all = dictionary([...owners.values()]);
	assert.equal(validate(all, { strict: true }), all.length);
});
