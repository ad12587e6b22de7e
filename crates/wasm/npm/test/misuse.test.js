// What cannot be meant is refused with words that say what can, and never written as something else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as gdvar from 'gdvar';
import * as forms from 'gdvar/forms';

const { decode, encode, open, records } = gdvar;
const bytes = encode({ hp: 80 });
const record = gdvar.put_var({ hp: 80 });

/** Every function with options: the ones that read, the ones that write, and what each is called with. */
const READERS = {
	decode: (options) => decode(bytes, options),
	validate: (options) => gdvar.validate(bytes, options),
	get_var: (options) => gdvar.get_var(record, options),
	open: (options) => open(bytes, options),
	records: (options) => [...records(record, options)],
	'validate of forms': (options) => forms.validate(bytes, options),
	toJSON: (options) => forms.toJSON(bytes, options),
	lossesOfJSON: (options) => forms.lossesOfJSON(bytes, options),
	var_to_str: (options) => forms.var_to_str(bytes, options),
	diff: (options) => forms.diff(bytes, bytes, options),
	locate: (options) => forms.locate(bytes, 4, options),
};
const WRITERS = {
	encode: (options) => encode(1, options),
	put_var: (options) => gdvar.put_var(1, options),
	writeRecords: (options) => gdvar.writeRecords([1], options),
	fromJSON: (options) => forms.fromJSON('1', options),
	str_to_var: (options) => forms.str_to_var('1', options),
};
const BOTH = {
	edit: (options) => forms.edit(bytes, options),
	openFile: (options) => forms.openFile(bytes, options),
	RecordStream: (options) => new gdvar.RecordStream(options),
	toJS: (options) => open(bytes).toJS(options),
	convert: (options) => forms.convert(encode(1), options),
};

test('an option that does not exist is refused, and the right one named', async () => {
	for (const [name, call] of Object.entries({ ...READERS, ...WRITERS, ...BOTH })) {
		call({});
		call(undefined);
		assert.throws(() => call({ nothing: 1 }), { name: 'TypeError', message: /nothing/ }, name);
		call({ nothing: undefined });
	}
	for (const [name, call] of Object.entries(READERS)) {
		assert.throws(() => call({ target: 'godot3' }), { name: 'TypeError', message: /takes dialect, not target/ }, name);
	}
	for (const [name, call] of Object.entries(WRITERS)) {
		assert.throws(() => call({ dialect: 'godot3' }), { name: 'TypeError', message: /takes target, not dialect/ }, name);
	}
	await assert.rejects(forms.contents(bytes, { nothing: 1 }), { name: 'TypeError' });
	await assert.rejects(async () => {
		for await (const value of gdvar.RecordStream.from([record], { nothing: 1 })) void value;
	}, { name: 'TypeError' });
	// An index is no options.
	assert.deepEqual([bytes, bytes].map(decode), [{ hp: 80 }, { hp: 80 }]);
	assert.equal([1, 2].map(encode).length, 2);
});

test('a value that an option does not have is refused', () => {
	const wrong = [
		[READERS.decode, { numbers: 'Exact' }, /"friendly" or "exact"/],
		[READERS.decode, { maps: 'Always' }, /"auto" or "always"/],
		[READERS.get_var, { maps: 'Always' }, /maps/],
		[BOTH.toJS, { numbers: 'Exact' }, /numbers/],
		[READERS.decode, { strict: 'yes' }, /strict/],
		[READERS.decode, { objects: 'all' }, /objects/],
		[WRITERS.encode, { numbers: 'Exact' }, /numbers/],
		[WRITERS.encode, { lookalikes: true }, /lookalikes/],
		[WRITERS.fromJSON, { style: 'Plain' }, /style/],
	];
	for (const [call, options, message] of wrong) assert.throws(() => call(options), { name: 'TypeError', message });
	for (const call of [...Object.values(READERS), WRITERS.encode, WRITERS.put_var, WRITERS.writeRecords, BOTH.edit, BOTH.openFile]) {
		for (const maxDepth of [-1, 1.5, NaN]) assert.throws(() => call({ maxDepth }), { name: 'RangeError', message: /maxDepth/ });
		assert.throws(() => call({ maxDepth: '4' }), { name: 'TypeError', message: /maxDepth/ });
	}
	for (const skip of [-1, 1e12, NaN]) assert.throws(() => forms.openFile(bytes, { skip }), { name: 'RangeError', message: /skip/ });
	assert.throws(() => forms.openFile(bytes, { skip: '4' }), { name: 'TypeError', message: /skip/ });
	assert.throws(() => forms.openFile(bytes, { maxUnpacked: -1 }), { name: 'RangeError', message: /maxUnpacked/ });
	for (const offset of [-1, 1e6, NaN]) assert.throws(() => forms.locate(bytes, offset), { name: 'RangeError', message: /offset/ });
});

test('maxDepth 0 refuses what is inside a container', () => {
	assert.equal(decode(encode(1), { maxDepth: 0 }), 1);
	assert.throws(() => decode(encode([1]), { maxDepth: 0 }), { code: 'DepthExceeded' });
	assert.deepEqual(decode(encode([1]), { maxDepth: 1 }), [1]);
	assert.throws(() => encode([1], { maxDepth: 0 }), { code: 'DepthExceeded' });
	assert.throws(() => forms.toJSON(encode([1]), { maxDepth: 0 }), { code: 'DepthExceeded' });
	assert.deepEqual(decode(encode([1], { maxDepth: 1 }), { maxDepth: Infinity }), [1]);
});

test('a target is one that exists', () => {
	for (const target of ['godot4.512', 'godot4.99', 'godot4.7', 'godot4.06', 'godot5', 5, null, { minor: -1 }, { minor: 1.5 }, { minor: 256 }, { minor: 7 }, { version: 4 }]) {
		for (const call of Object.values(WRITERS)) {
			assert.throws(() => call({ target }), (error) => ['TypeError', 'RangeError'].includes(error.name), JSON.stringify(target));
		}
	}
	for (const target of ['godot4', 'godot4.0', 'godot4.6', 'godot3', 'godot3.6', { minor: 6 }, { dialect: 'godot3' }]) encode(1, { target });
});

test('packed vectors hold numbers of their own width', () => {
	const { PackedColorArray, PackedVector2Array, PoolVector2iArray } = gdvar;
	const wrong = [
		[PackedColorArray, new Float64Array(4)],
		[PackedVector2Array, new Int32Array(2)],
		[PackedVector2Array, new Uint8Array(8)],
		[PackedVector2Array, new Float32Array(3)],
		[PoolVector2iArray, new Float32Array(2)],
	];
	for (const [Class, data] of wrong) {
		assert.throws(() => new Class(data), { name: 'TypeError', message: /the data of a P/ });
		const array = new Class();
		array.data = data;
		assert.throws(() => encode(array), { code: 'WrongElement', message: /the data of a P/ });
	}
	const array = new PackedVector2Array();
	array.data = [1, 2];
	assert.throws(() => encode(array), { code: 'WrongElement', message: /Float32Array/ });
	assert.deepEqual([...new PackedVector2Array([1, 2])], [new gdvar.Vector2(1, 2)]);
	assert.deepEqual([...PackedVector2Array.of({ y: 2, x: 1 })], [new gdvar.Vector2(1, 2)]);
});

test('components have names, not places', () => {
	const swapped = new gdvar.Rect2({ y: 2, x: 1 }, { y: 4, x: 3 });
	assert.deepEqual(encode(swapped), encode(new gdvar.Rect2(new gdvar.Vector2(1, 2), new gdvar.Vector2(3, 4))));
	const box = new gdvar.AABB({ z: 3, y: 2, x: 1 }, { z: 6, y: 5, x: 4 });
	assert.deepEqual(encode(box), encode(new gdvar.AABB(new gdvar.Vector3(1, 2, 3), new gdvar.Vector3(4, 5, 6))));
	const plane = new gdvar.Plane({ z: 3, y: 2, x: 1 }, 4);
	assert.deepEqual(encode(plane), encode(new gdvar.Plane(new gdvar.Vector3(1, 2, 3), 4)));
});

test('a path is a text', () => {
	const edit = () => forms.edit(bytes);
	for (const path of [undefined, null, 0, ['hp'], {}]) {
		const calls = [
			() => open(bytes).get(path),
			() => edit().set(path, 99),
			() => edit().insert(path, 99),
			() => edit().insertPair(path, 'a', 99),
			() => edit().append(path, 99),
			() => edit().remove(path),
			() => edit().renameKey(path, 'a'),
			() => edit().move(path, 'a'),
			() => edit().move('hp', path),
		];
		for (const call of calls) assert.throws(call, { name: 'TypeError', message: /a path is expected as a string, not/ });
	}
	assert.throws(() => edit().set('hp'), { name: 'TypeError', message: /a value is expected/ });
});

test('half of a surrogate pair is refused in every text', () => {
	const half = 'a\ud800';
	const calls = [
		() => encode(half),
		() => forms.str_to_var(`"${half}"`),
		() => forms.fromJSON(`"${half}"`),
		() => forms.edit(bytes).set(half, 1),
		() => forms.edit(bytes).remove(half),
		() => forms.edit(bytes).move('hp', half),
		() => open(bytes).get(half),
	];
	for (const call of calls) assert.throws(call, { name: 'GdvarError', code: 'InvalidText' }, String(call));
	assert.equal(decode(forms.str_to_var('"a🗡"')), 'a🗡');
});

test('a Value is not written for another engine', () => {
	const red = new gdvar.Color(1, 0, 0);
	const old = open(encode(red, { target: 'godot3' }), { dialect: 'godot3' });
	assert.equal(old.dialect, 'godot3');
	const calls = [
		() => gdvar.put_var(old, { target: 'godot4' }),
		() => gdvar.writeRecords([old], { target: 'godot4.2' }),
		() => forms.edit(bytes).set('hp', old),
		() => forms.edit(bytes).insertPair('', 'c', old),
		() => forms.toJSON(old, { dialect: 'godot4' }),
		() => forms.edit(old, { dialect: 'godot4' }),
	];
	for (const call of calls) assert.throws(call, { name: 'TypeError', message: /read as godot3.*convert/ }, String(call));
	// Where no engine is given, it is the Value's own.
	assert.equal(forms.var_to_str(old), 'Color( 1, 0, 0, 1 )');
	assert.deepEqual(decode(forms.convert(old, { to: 'godot4' }).bytes), red);
	assert.deepEqual(gdvar.get_var(gdvar.put_var(old, { target: 'godot3' }), { dialect: 'godot3' }), red);
	assert.deepEqual(decode(forms.edit(bytes).set('hp', old.toJS()).bytes()).hp, red);
});

test('a new value takes the type of its place, as in the command', () => {
	const { Float, StringName, TypedArray, TypedDictionary, GodotObject } = gdvar;
	const save = encode({
		hp: 80,
		speed: new Float(1),
		t: TypedArray.of({ builtin: 'Float' }, [1, 2]),
		d: new TypedDictionary({ builtin: 'StringName' }, { builtin: 'Float' }, [[new StringName('a'), 1]]),
		n: new StringName('x'),
	});
	const text = (change) => forms.var_to_str(change(forms.edit(save)).bytes()).replace(/\s/g, '');
	assert.match(text((edit) => edit.set('t', [3, 4])), /"t":Array\[float\]\(\[3\.0,4\.0\]\)/);
	assert.match(text((edit) => edit.append('t', 3)), /"t":Array\[float\]\(\[1\.0,2\.0,3\.0\]\)/);
	assert.match(text((edit) => edit.insert('t[0]', 3)), /"t":Array\[float\]\(\[3\.0,1\.0,2\.0\]\)/);
	assert.match(text((edit) => edit.set('d', { b: 2 })), /"d":Dictionary\[StringName,float\]\(\{&"b":2\.0\}\)/);
	assert.match(text((edit) => edit.insertPair('d', new StringName('b'), 2)), /&"b":2\.0/);
	assert.match(text((edit) => edit.set('n', 'y')), /"n":&"y"/);
	assert.match(text((edit) => edit.set('speed', 3).set('hp', 4)), /"hp":4,.*"speed":3\.0/);
	// What says its type keeps it, where any type may be.
	assert.match(text((edit) => edit.set('hp', new Float(3))), /"hp":3\.0/);
	assert.match(text((edit) => edit.set('speed', 3n)), /"speed":3,/);
	assert.match(text((edit) => edit.set('speed', new forms.Bytes(encode(3)))), /"speed":3,/);
	const misfit = { name: 'GdvarError', code: 'Fit', message: /typed and holds Float only.*String/, path: '$.t[1]' };
	assert.throws(() => text((edit) => edit.set('t', [3, 'x'])), misfit);
	assert.throws(() => text((edit) => edit.append('t', 'x')), { code: 'Fit' });

	const withObject = encode({ a: 1, o: new GodotObject('Node') });
	const changed = forms.edit(withObject).set('a', 5).bytes();
	assert.equal(open(changed, { objects: 'inert' }).get('a').toJS(), 5);
});

test('a key that is there twice, and the key -0.0', () => {
	const join = (...parts) => new Uint8Array(Buffer.concat(parts));
	const dict = (...parts) => join(Buffer.from([27, 0, 0, 0, parts.length / 2, 0, 0, 0]), ...parts);
	const float = encode(new gdvar.Float(1));
	const [a, b] = [encode('a'), encode('b')];
	// The last one counts, and its type.
	const types = (bytes) => forms.var_to_str(encode(decode(bytes))).replace(/\s/g, '');
	assert.equal(types(dict(a, float, a, encode(2))), '{"a":2}');
	assert.equal(types(dict(a, encode(2), a, float)), '{"a":1.0}');
	assert.equal(types(dict(a, float, b, float, a, encode(2))), '{"a":2,"b":1.0}');
	const zeros = dict(encode(new gdvar.Float(0)), a, encode(-0), b);
	for (const numbers of ['friendly', 'exact']) assert.deepEqual(encode(decode(zeros, { numbers }), { numbers }), zeros, numbers);
	const minus = dict(encode(-0), b);
	for (const numbers of ['friendly', 'exact']) assert.deepEqual(encode(decode(minus, { numbers }), { numbers }), minus, numbers);
});

/** What needs all of a value. */
const USES = [(value) => value.toJS(), (value) => value.bytes(), (value) => [...value].forEach((child) => [child].flat().forEach((one) => one.toJS()))];

function failure(call) {
	try {
		call();
	} catch (error) {
		return error;
	}
}

test('a file that is cut anywhere gives the whole records, and with cut what there is of the last', () => {
	const whole = gdvar.writeRecords([{ a: 1 }, [1, 2]]);
	const first = gdvar.writeRecords([{ a: 1 }]).length;
	for (let length = first; length <= whole.length; length++) {
		const part = whole.subarray(0, length);
		const found = [...records(part, { cut: true })];
		assert.equal(found.length, length > first ? 2 : 1, `${length} bytes`);
		assert.deepEqual(found[0].toJS(), { a: 1 });
		if (length === first || length === whole.length) continue;
		assert.throws(() => [...records(part)], { code: 'Truncated', offset: first, record: 1 });
		for (const use of USES) assert.throws(() => use(found[1]), { code: 'Truncated', record: 1 }, `${length} bytes, ${use}`);
	}
	// Of a record that is cut in its length, or right after it, every use says so.
	for (let length = 1; length <= 4; length++) {
		for (const [before, record] of [[0, undefined], [first, 1]]) {
			const part = whole.subarray(0, before + length);
			const message = length < 4 ? new RegExp(`four bytes of length, and ${length} are left`) : /of a record of \d+ bytes, none is left/;
			const value = [...records(part, { cut: true })].at(-1);
			for (const use of [...USES, (value) => value.type, (value) => value.length]) {
				const error = failure(() => use(value));
				assert.ok(error instanceof gdvar.GdvarError, `${use}`);
				assert.match(error.message, message);
				assert.deepEqual([error.code, error.offset, error.record, error.path], ['Truncated', before, record, undefined], `${use}`);
			}
		}
	}
});
