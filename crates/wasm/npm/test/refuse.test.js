// A number that does not fit is an error that says the range, never another number.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as gdvar from 'gdvar';
import * as forms from 'gdvar/forms';

const { Float, TypedArray, TypedDictionary, decode, encode, open } = gdvar;

const INT32 = /from -2147483648 to 2147483647/;
const INT64 = /from -9223372036854775808 to 9223372036854775807/;

const CLASSES = ['Vector2i', 'Vector3i', 'Vector4i'];

test('vectors of ints', () => {
	for (const name of CLASSES) {
		const Class = gdvar[name];
		for (const wrong of [2 ** 31, -(2 ** 31) - 1, 1.5, NaN, Infinity]) {
			assert.throws(() => new Class(wrong), { name: 'RangeError', message: INT32 }, `${name} ${wrong}`);
			const vector = new Class(1, 2);
			vector.y = wrong;
			assert.throws(() => encode({ at: [vector] }), { code: 'OutOfRange', path: '$.at[0]', message: INT32 });
		}
		for (const wrong of ['1', null, 1n, {}]) {
			assert.throws(() => new Class(wrong), { name: 'TypeError' }, `${name} ${String(wrong)}`);
			const vector = new Class(1, 2);
			vector.y = wrong;
			assert.throws(() => encode([vector]), { code: 'WrongElement', path: '$[0]' });
		}
		for (const right of [2 ** 31 - 1, -(2 ** 31), 0]) assert.equal(decode(encode(new Class(right))).x, right);
	}
	const rect = new gdvar.Rect2i();
	rect.size.x = 0.5;
	assert.throws(() => encode(rect), { code: 'OutOfRange', message: INT32 });
	assert.throws(() => new gdvar.PoolVector2iArray([1, 2 ** 31]), { name: 'RangeError', message: INT32 });
	assert.throws(() => new gdvar.PoolVector2iArray([1, 1.5]), { name: 'RangeError', message: INT32 });
});

test('vectors of reals', () => {
	const made = [
		...['Vector2', 'Vector3', 'Vector4', 'Quaternion', 'Color'].map((name) => new gdvar[name]()),
		new gdvar.Plane(), new gdvar.Rect2(), new gdvar.AABB(), new gdvar.Transform2D(), new gdvar.Basis(), new gdvar.Transform3D(), new gdvar.Projection(),
	];
	for (const value of made) {
		let inner = value;
		while (typeof Object.values(inner)[0] === 'object') [inner] = Object.values(inner);
		const put = (wrong) => (inner[Object.keys(inner)[0]] = wrong);
		for (const wrong of ['1', null, undefined, 1n]) {
			put(wrong);
			assert.throws(() => encode([value]), { code: 'WrongElement', path: '$[0]' }, `${value.type} ${String(wrong)}`);
		}
		put(1e300);
		assert.throws(() => encode([value]), { code: 'OutOfRange', path: '$[0]', message: /3\.4e38/ }, value.type);
		// As wide as the build wants them; colours are never wide.
		if (value.type !== 'Color') assert.deepEqual(decode(encode(value, { target: { precision: 'double' } })), value);
		// The engine's own infinities are not numbers that do not fit.
		put(-Infinity);
		assert.deepEqual(decode(encode(value)), value);
		put(3.4e38);
		encode(value);
	}
});

test('floats of 64 bits for an engine of 32', () => {
	// Godot 2 has no other floats.
	assert.throws(() => encode([0.1], { target: 'godot2' }), { code: 'FloatTooWide', path: '$[0]', message: /does not fit 32 bits/ });
	encode([0.5], { target: 'godot2' });
	encode([0.1], { target: { dialect: 'godot2', precision: 'single' } });
});

test('ints of 64 bits', () => {
	for (const wrong of [2n ** 63n, -(2n ** 63n) - 1n, 2n ** 64n]) {
		assert.throws(() => encode({ a: wrong }), { code: 'IntTooWide', path: '$.a', message: INT64 });
		assert.throws(() => encode(TypedArray.of({ builtin: 'Int' }, [wrong])), { code: 'IntTooWide', path: '$[0]', message: INT64 });
	}
	for (const right of [2n ** 63n - 1n, -(2n ** 63n)]) assert.equal(decode(encode(right)), right);
	assert.throws(() => encode(2n ** 40n, { target: { ints: 32 } }), { code: 'IntTooWide' });
	for (const wrong of [2n ** 64n, -1n]) {
		for (const value of [new gdvar.RID(wrong), new gdvar.ObjectId(wrong), new gdvar.Signal('x', wrong)]) {
			assert.throws(() => encode([value]), { code: 'OutOfRange', path: '$[0]', message: /from 0 to 18446744073709551615/ });
		}
	}
});

/** A value of each type, and the name of the type. */
const VALUES = {
	Nil: null, Bool: true, Int: 5, Float: 2.5, String: 'x', Vector2: new gdvar.Vector2(), Vector2i: new gdvar.Vector2i(), Rect2: new gdvar.Rect2(),
	Rect2i: new gdvar.Rect2i(), Vector3: new gdvar.Vector3(), Vector3i: new gdvar.Vector3i(), Transform2D: new gdvar.Transform2D(),
	Vector4: new gdvar.Vector4(), Vector4i: new gdvar.Vector4i(), Plane: new gdvar.Plane(), Quaternion: new gdvar.Quaternion(), AABB: new gdvar.AABB(),
	Basis: new gdvar.Basis(), Transform3D: new gdvar.Transform3D(), Projection: new gdvar.Projection(), Color: new gdvar.Color(),
	StringName: new gdvar.StringName('x'), NodePath: new gdvar.NodePath('a'), RID: new gdvar.RID(), Object: new gdvar.ObjectId(5n), Callable: new gdvar.Callable(),
	Signal: new gdvar.Signal('x'), Dictionary: { a: 1 }, Array: [1], PackedByteArray: new Uint8Array(2), PackedInt32Array: new Int32Array(2),
	PackedInt64Array: new BigInt64Array(2), PackedFloat32Array: new Float32Array(2), PackedFloat64Array: new Float64Array(2),
	PackedStringArray: gdvar.PackedStringArray.of('x'), PackedVector2Array: new gdvar.PackedVector2Array([1, 2]), PackedVector3Array: new gdvar.PackedVector3Array([1, 2, 3]),
	PackedVector4Array: new gdvar.PackedVector4Array([1, 2, 3, 4]), PackedColorArray: new gdvar.PackedColorArray([1, 2, 3, 4]),
};

test('typed containers take values of their type alone', () => {
	const others = {
		// As the engine: a whole number where a Float is asked for, one text for the other, no object.
		Float: ['Int'], String: ['StringName'], StringName: ['String'], Object: ['Nil'],
	};
	for (const builtin of Object.keys(VALUES)) {
		if (builtin === 'Nil') continue;
		for (const [type, value] of Object.entries(VALUES)) {
			const fits = type === builtin || others[builtin]?.includes(type);
			const array = TypedArray.of({ builtin }, [value]);
			const keys = new TypedDictionary({ builtin }, null, [[value, 1]]);
			const values = new TypedDictionary(null, { builtin }, [['a', value]]);
			for (const [container, path] of [[array, '$.in[0]'], [keys, undefined], [values, '$.in.a']]) {
				const write = () => encode({ in: container });
				if (fits) write();
				else assert.throws(write, (error) => ['WrongElement', 'OutOfRange'].includes(error.code) && (path === undefined || error.path === path), `${type} in ${builtin}`);
			}
		}
	}
	for (const wrong of [1.5, NaN, 2 ** 60, new Float(1)]) {
		assert.throws(() => encode(TypedArray.of({ builtin: 'Int' }, [wrong])), (error) => ['OutOfRange', 'WrongElement'].includes(error.code), String(wrong));
	}
	assert.throws(() => encode(TypedArray.of({ builtin: 'Int' }, ['text'])), { code: 'WrongElement', path: '$[0]', message: /Int.*String.*"text"/ });
	for (const type of [{ class: 'Node' }, { script: 'res://a.gd' }]) {
		encode(TypedArray.of(type, [null, new gdvar.ObjectId(3n)]));
		assert.throws(() => encode(TypedArray.of(type, [1])), { code: 'WrongElement' });
	}
	assert.throws(() => encode(TypedArray.of({ builtin: 'int' }, [])), { code: 'Unrepresentable', message: /no type int/ });
	// With exact numbers a number is a Float, and ints are bigints.
	encode(TypedArray.of({ builtin: 'Int' }, [1n]), { numbers: 'exact' });
	assert.throws(() => encode(TypedArray.of({ builtin: 'Int' }, [1]), { numbers: 'exact' }), { code: 'WrongElement' });
});

test('a Map or array that changes while it is written', () => {
	class Odd extends Map {
		*[Symbol.iterator]() {
			yield ['a', 1];
			yield ['b', 2];
		}
	}
	assert.throws(() => encode(new Odd([['a', 1]])), { code: 'Unrepresentable' });
});

test('an edit keeps the type at the place', () => {
	const bytes = encode({ speed: new Float(2), hp: 5, list: [new Float(1)], at: new gdvar.Vector2(1, 2), typed: TypedArray.of({ builtin: 'Float' }, [1]) });
	const types = (edit, ...paths) => paths.map((path) => open(edit.bytes()).get(path).type);
	assert.deepEqual(types(forms.edit(bytes).set('speed', 3).set('hp', 6).set('list[0]', 7).set('typed[0]', 8), 'speed', 'hp', 'list[0]', 'typed[0]'), ['Float', 'Int', 'Float', 'Float']);
	assert.deepEqual(types(forms.edit(bytes).set('speed', 3n), 'speed'), ['Int']);
	assert.deepEqual(types(forms.edit(bytes).set('hp', new Float(3)), 'hp'), ['Float']);
	assert.throws(() => forms.edit(bytes).set('hp', 2n ** 63n), { code: 'IntTooWide' });
});

test('an object that looks like a vector, if it is asked to be refused', () => {
	const save = { at: new gdvar.Vector2(1, 2), tint: new gdvar.Color(), box: new gdvar.AABB(), list: [1] };
	const clone = structuredClone(save);
	assert.deepEqual(decode(encode(clone)).at, { x: 1, y: 2 });
	assert.throws(() => encode(clone, { lookalikes: 'refuse' }), { code: 'Lookalike', path: '$.at', message: /Vector2/ });
	encode(save, { lookalikes: 'refuse' });
	encode({ list: [1], name: 'x', x: 1 }, { lookalikes: 'refuse' });
	// A clone of these three has nothing that another Array, Map or object has not; README.md says so.
	const unseen = [gdvar.PackedStringArray, gdvar.TypedDictionary, gdvar.Callable];
	const more = [TypedArray.of({ builtin: 'Int' }, [1]), gdvar.PackedStringArray.of('a'), new gdvar.TypedDictionary({ builtin: 'String' }, null, [['a', 1]]), new gdvar.Callable()];
	const values = [...Object.values(VALUES).filter(gdvar.isTyped), ...more];
	for (const value of values) {
		if (unseen.some((Class) => value instanceof Class)) {
			encode([structuredClone(value)], { lookalikes: 'refuse' });
			continue;
		}
		assert.throws(() => encode([structuredClone(value)], { lookalikes: 'refuse' }), { code: 'Lookalike', path: '$[0]' }, value.type);
	}
});

// What NodePath(text) is in Godot 4.6.3 and 3.6.2: names, subnames, absolute; without parts and not absolute where it is invalid.
test('a path is the one of the engine, or refused', () => {
	for (const [text, names, subnames, absolute] of [
		['', [], [], false], ['/', [], [], true], ['a:', ['a'], [], false], [':', [], [], false], [':a', [], ['a'], false], ['a:b:', ['a'], ['b'], false],
		['/:a', [], ['a'], true], ['a//b', ['a', 'b'], [], false], ['//a/', ['a'], [], true], ['a/b:c:d', ['a', 'b'], ['c', 'd'], false],
		['a:/b', ['a'], ['/b'], false], ['a:b/c:d', ['a'], ['b/c', 'd'], false],
	]) {
		const path = new gdvar.NodePath(text);
		assert.deepEqual([path.names, path.subnames, path.absolute], [names, subnames, absolute], text);
		assert.deepEqual(decode(encode(path)), path);
	}
	for (const text of ['a::b', 'a:b::c', 'a/b::', '::x', '::', ':::', 'a::', '/::x']) {
		assert.throws(() => new gdvar.NodePath(text), { name: 'RangeError', message: `${JSON.stringify(text)} is not a NodePath: there is no name between two of its colons` });
	}
});
