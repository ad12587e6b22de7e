// What was read is written again with the types it had, by default and without options: README.md, "Floats".
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as gdvar from 'gdvar';
import { ENGINES, clean, file, hasNan, hex, lines, unhex } from './data.js';

const { decode, encode, open, typeOf } = gdvar;

/** Why a value is not written with the bytes that an engine writes for it. */
const REASONS = {
	'a NaN with other bits': ({ value }) => hasNan(JSON.stringify(value)),
	'a Float alone, as a number has no place for a note': ({ value }) => value.Float !== undefined,
};

for (const { name, file, dialect } of ENGINES) {
	test(`decode and encode give the bytes back: ${name}`, () => {
		const counts = {};
		let same = 0;
		for (const vector of lines(file)) {
			if (!vector.canonical || vector.engine_refuses || vector.value.Nest?.steps.length > 1024) continue;
			const bytes = clean(vector);
			const again = encode(decode(bytes, { dialect, objects: vector.full_objects ? 'inert' : 'ids' }), { target: dialect });
			if (hex(again) === hex(bytes)) {
				same++;
				continue;
			}
			const reason = Object.keys(REASONS).find((reason) => REASONS[reason](vector));
			assert.ok(reason, `${vector.id}: ${hex(bytes)} became ${hex(again)}`);
			counts[reason] = [...(counts[reason] ?? []), vector.id];
		}
		const other = Object.values(counts).flat().length;
		assert.ok(same > 100 && other < 0.1 * same, `${same} the same, ${other} not`);
		assert.ok((counts['a Float alone, as a number has no place for a note'] ?? []).length < 20);
		console.log(`# ${name}: ${same} the same bytes`);
		for (const [reason, ids] of Object.entries(counts)) console.log(`# ${name}: ${ids.length} other bytes, ${reason}: ${ids.join(' ')}`);
	});
}

test('decode and encode give the bytes back: saves', () => {
	for (const [name, dialect] of [['rpg4.sav', 'godot4'], ['camp4.sav', 'godot4'], ['replay4.rec', 'godot4'], ['rpg3.sav', 'godot3'], ['camp3.sav', 'godot3']]) {
		const bytes = file(`saves/${name}`);
		for (const at of JSON.parse(Buffer.from(file(`saves/${name}.json`)).toString()).dirty ?? []) bytes[at] = 0;
		const values = Array.from(gdvar.records(bytes, { dialect }), (value) => value.toJS());
		assert.equal(Buffer.compare(gdvar.writeRecords(values, { target: dialect }), bytes), 0, name);
	}
});

const { Float, TypedArray, TypedDictionary } = gdvar;

/** The types of all numbers of a value, by path. */
const typesOf = (bytes, ...paths) => paths.map((path) => open(bytes).get(path).type);

test('a Float stays one where it lies', () => {
	const save = decode(encode({ hp: 80, speed: new Float(80), path: [new Float(1), new Float(2)], mixed: [1, new Float(2)] }));
	assert.deepEqual(save, { hp: 80, speed: 80, path: [1, 2], mixed: [1, 2] });
	assert.equal(typeof save.speed, 'number');
	save.speed += 10;
	save.hp += 1;
	save.path.push(3);
	assert.deepEqual(typesOf(encode(save), 'speed', 'hp', 'path[0]', 'path[2]', 'mixed[0]', 'mixed[1]'), ['Float', 'Int', 'Float', 'Float', 'Int', 'Float']);
	// An explicit type changes it, and so does another value.
	save.speed = 90n;
	save.hp = new Float(81);
	save.mixed = [5, 6];
	assert.deepEqual(typesOf(encode(save), 'speed', 'hp', 'mixed[1]'), ['Int', 'Float', 'Int']);
	save.speed = 'fast';
	assert.equal(decode(encode(save)).speed, 'fast');
});

test('nobody sees the note', () => {
	const save = decode(encode({ speed: new Float(80) }));
	assert.deepEqual(Reflect.ownKeys(save), ['speed']);
	assert.equal(JSON.stringify(save), '{"speed":80}');
	assert.equal(Object.getPrototypeOf(save), Object.prototype);
	assert.ok(Object.isExtensible(save));
	// A copy has no note: its number says what it looks like.
	for (const copy of [{ ...save }, structuredClone(save)]) assert.deepEqual(typesOf(encode(copy), 'speed'), ['Int']);
});

test('keys and values of a Map', () => {
	const pairs = [[7, new Float(1)], [new Float(7), 2], [new Float(-0), 3], ['name', new Float(4)], [new gdvar.Vector2i(1, 2), new Float(5)], [new Float(9), 6]];
	const bytes = encode(new Map(pairs));
	const map = decode(bytes);
	assert.equal(map.size, 6);
	assert.equal(map.get(7), 1);
	assert.equal(map.get(9), 6);
	assert.equal(hex(encode(map)), hex(bytes));
	const backwards = encode(new Map([...pairs].reverse()));
	assert.equal(hex(encode(decode(backwards))), hex(backwards));
	// Godot takes the last of two pairs with one key.
	const twice = unhex('1b00000002000000' + '0400000001000000610000000300000000000040' + '04000000010000006100000003000000000000400'.slice(0, 40));
	assert.deepEqual(decode(twice, { maps: 'always' }), new Map([['a', 2]]));
});

test('what a container states decides for its numbers', () => {
	const bytes = encode({
		list: TypedArray.of({ builtin: 'Float' }, [1, 2.5]),
		byName: new TypedDictionary({ builtin: 'String' }, { builtin: 'Float' }, [['a', 1]]),
		byLevel: new TypedDictionary({ builtin: 'Float' }, null, [[1, 2]]),
	});
	assert.deepEqual(typesOf(bytes, 'list[0]', 'list[1]', 'byName["a"]'), ['Float', 'Float', 'Float']);
	assert.equal([...open(bytes).get('byLevel')][0][0].type, 'Float');
	assert.equal(hex(encode(decode(bytes))), hex(bytes));
});

test('vectors of 64 bits stay wide', () => {
	const wide = encode({ at: new gdvar.Vector3(0.1, 0.2, 0.3), box: new gdvar.AABB() }, { target: { precision: 'double' } });
	const value = decode(wide);
	assert.equal(value.at.x, 0.1);
	value.box.position = value.at;
	const again = encode(value);
	assert.equal(again.length, wide.length);
	assert.equal(decode(again).box.position.x, 0.1);
	assert.ok(encode(value, { target: { precision: 'single' } }).length < wide.length);
	assert.equal(typeOf(value.at), 'Vector3');
});

test('a getter that encodes or decodes does not disturb the value around it', () => {
	const inner = encode({ a: [1, 2, 3] });
	const value = {
		before: 'x',
		get bytes() {
			return encode({ a: [1, 2, 3] });
		},
		get value() {
			return decode(inner);
		},
		get refused() {
			assert.throws(() => encode({ deep: [undefined] }), { path: '$.deep[0]' });
			return true;
		},
		after: 'y',
	};
	assert.deepEqual(decode(encode(value)), { before: 'x', bytes: inner, value: { a: [1, 2, 3] }, refused: true, after: 'y' });
	const failing = {
		ok: 1,
		get bad() {
			return encode([Symbol('no')]);
		},
	};
	assert.throws(() => encode(failing), { path: '$[0]' });
	assert.equal(hex(encode(300)), '020000002c010000');
});
