// Keys of dictionaries that are found by their value.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as gdvar from 'gdvar';
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

test('every value that the engines wrote: one key for the same value, another for any other', () => {
	const owners = new Map();
	let keys = 0;
	for (const { hex, id, canonical, full_objects, dirty } of lines('godot4.jsonl')) {
		if (!canonical || full_objects || dirty || owners.has(hex)) continue;
		const [one, other] = [decode(unhex(hex)), decode(unhex(hex))];
		assert.ok(Object.is(keyOf(one), keyOf(other)), id);
		owners.set(hex, id);
		if (one === null || typeof one !== 'object') continue;
		// Zeros of both signs are one key, and so are NaNs of all bits and a StringName and its text.
		if (/zero|nonfinite|snan|nan/.test(id) || one instanceof gdvar.StringName) continue;
		const key = keyOf(one);
		assert.ok(!owners.has(key), `${id} has the key of ${owners.get(key)}`);
		owners.set(key, id);
		keys++;
	}
	assert.ok(keys > 300, `${keys}`);
});
