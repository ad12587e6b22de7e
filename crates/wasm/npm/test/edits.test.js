// A list takes the type of the packed array or typed container that it replaces: its elements give the engine's bytes again.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import * as gdvar from 'gdvar';
import { Bytes, edit, var_to_str } from 'gdvar/forms';
import { ENGINES, clean, hasNan, hex, lines } from './data.js';

const { decode, encode, open } = gdvar;

/** A value as Arrays and Maps without a type, or undefined if it has none. */
function untyped(value) {
	if (value instanceof gdvar.TypedDictionary) return new Map(value);
	if (value instanceof gdvar.TypedArray || value instanceof gdvar.PackedStringArray || ArrayBuffer.isView(value)) return Array.from(value);
	return /^(Packed|Pool)/.test(gdvar.typeOf(value) ?? '') ? [...value] : undefined;
}

const vectors = ENGINES.flatMap((engine) => lines(engine.file).map((line) => ({ engine, line }))).filter(
	// Values of Godot 3.2 that are nested deeper than others read.
	({ line }) => !line.value.Nest && line.canonical && !line.engine_refuses && !line.full_objects && !hasNan(JSON.stringify(line.value)),
);

/** A Dictionary with the bytes of a value under `a`, and the bytes that are there after a change. */
function changed(bytes, value, { dialect, double }) {
	const target = { dialect, precision: double ? 'double' : 'given' };
	const save = edit(encode({ a: null }, { target }), { dialect }).set('a', new Bytes(bytes)).bytes();
	return open(edit(save, { dialect, target }).set('a', value).bytes(), { dialect }).get('a').bytes();
}

test('a list keeps the type at its place: every typed and packed vector', () => {
	const seen = new Set();
	for (const { engine, line } of vectors) {
		const bytes = clean(line);
		const list = untyped(decode(bytes, { dialect: engine.dialect }));
		if (list === undefined) continue;
		assert.equal(hex(changed(bytes, list, engine)), hex(bytes), `${engine.name} ${line.id}`);
		const type = open(bytes, { dialect: engine.dialect }).type;
		seen.add(`${engine.dialect} ${type} ${Math.min(list.length ?? list.size, 2)}`);
	}
	for (const type of ['Byte', 'Int32', 'Int64', 'Float32', 'Float64', 'String', 'Vector2', 'Vector3', 'Vector4', 'Color']) {
		for (const length of [0, 1, 2]) assert.ok(seen.has(`godot4 Packed${type}Array ${length}`), `${type} ${length}`);
	}
	assert.ok(seen.size > 60, [...seen].join(', '));
});

test('a long list, in a time that grows with it', () => {
	const count = 300_000;
	const old = encode({ ids: new Int32Array([7]), at: gdvar.PackedVector2Array.of() });
	const ids = Array.from({ length: count }, (_, n) => n);
	const at = ids.map((n) => new gdvar.Vector2(n, 0.5));
	const save = decode(edit(old).set('ids', ids).set('at', at).bytes());
	assert.ok(save.ids instanceof Int32Array && save.ids.length === count && save.ids[count - 1] === count - 1);
	assert.equal(gdvar.typeOf(save.at), 'PackedVector2Array');
	assert.deepEqual(save.at.at(-1), new gdvar.Vector2(count - 1, 0.5));
});

test('four times the changes take four times as long', () => {
	const spent = (verb, count) => {
		const keys = Array.from({ length: count }, (_, n) => `key_${n}`);
		const changes = edit(encode(Object.fromEntries(keys.map((key, n) => [key, verb === 'set' ? n : [n]]))));
		keys.forEach((key, n) => changes[verb](verb === 'insert' ? `${key}[0]` : key, n));
		const start = process.cpuUsage();
		const bytes = changes.bytes();
		const { user, system } = process.cpuUsage(start);
		const last = count - 1;
		assert.deepEqual(decode(bytes)[keys[last]], verb === 'set' ? last : [last, last]);
		return user + system;
	};
	for (const verb of ['set', 'insert', 'append']) {
		// Looking each place up on its own makes it 16 times as long. Caches and other programs disturb the times.
		const ratio = () => spent(verb, 4000) / Math.min(...[1, 2, 3].map(() => spent(verb, 1000)));
		assert.ok([1, 2, 3, 4].some(() => ratio() < 9), verb);
	}
});

test('the first value that does not fit is named', () => {
	const save = encode({ a: 1, b: new gdvar.Float(2.5), ids: [1] });
	const [good, wrong, lost] = [['b', 3], ['a', 'x'], ['ids.no.way', 1]];
	for (const [changes, path] of [
		[[good, wrong, ['b', 'y']], '$.a'],
		[[['b', 'y'], good, wrong], '$.b'],
		// A path that leads nowhere is found out when all values fit.
		[[lost, wrong], '$.a'],
	]) {
		const all = edit(save);
		for (const [at, value] of changes) all.set(at, value);
		assert.throws(() => all.bytes(), ({ code, path: own }) => code === 'Fit' && own === path);
	}
});

test('what does not fit is named, and another type is one that is written out', () => {
	const save = encode({ bag: { ids: new Int32Array([1]), raw: new Uint8Array([1]), names: gdvar.PackedStringArray.of('a'), x: new Float32Array([1]) } });
	const wrong = [
		['bag.ids', [1, 1.5], '$.bag.ids[1]', 'PackedInt32Array'],
		['bag.ids', [2 ** 31], '$.bag.ids[0]', 'PackedInt32Array'],
		['bag.ids', [1, 'two'], '$.bag.ids[1]', 'PackedInt32Array'],
		['bag.raw', [0, 255, 256], '$.bag.raw[2]', 'PackedByteArray'],
		['bag.names', ['a', 1], '$.bag.names[1]', 'PackedStringArray'],
		['bag.x', [1, null], '$.bag.x[1]', 'PackedFloat32Array'],
		['bag.x', [1e300], '$.bag.x[0]', 'PackedFloat32Array'],
		['bag', { ids: [true] }, '$.bag.ids[0]', 'PackedInt32Array'],
	];
	for (const [at, value, path, type] of wrong) {
		const changes = edit(save).set(at, value);
		assert.throws(() => changes.bytes(), ({ code, message, path: own }) => code === 'Fit' && own === path && message.includes(type) && message.includes('set null first'));
	}
	const type = (bytes) => open(bytes).get('bag.ids').type;
	assert.equal(type(edit(save).set('bag.ids', new Uint8Array([1])).bytes()), 'PackedByteArray');
	assert.equal(type(edit(save).set('bag.ids', gdvar.TypedArray.of({ builtin: 'Int' }, [1])).bytes()), 'Array');
	assert.equal(type(edit(save).set('bag.ids', new Bytes(encode([1]))).bytes()), 'Array');
	assert.equal(type(edit(edit(save).set('bag.ids', null).bytes()).set('bag.ids', [1]).bytes()), 'Array');
});

const program = process.env.GDVAR;
test('the command does the same', { skip: !existsSync(program ?? '') && 'SKIPPED: GDVAR names no program' }, () => {
	const folder = mkdtempSync(join(tmpdir(), 'gdvar-edits-'));
	const [path, to] = ['one', 'other'].map((name) => join(folder, name));
	const kinds = new Set();
	for (const { engine, line } of vectors) {
		const bytes = clean(line);
		const { dialect } = engine;
		const list = untyped(decode(bytes, { dialect }));
		const type = open(bytes, { dialect }).type;
		// One of each type and engine; the texts of vectors with 64 bits are those of 32.
		if (list === undefined || engine.double || kinds.has(`${dialect} ${type}`) || !(list.length > 0 || list.size > 0)) continue;
		kinds.add(`${dialect} ${type}`);
		// Godot 4's notation, because that of Godot 3 has six digits.
		const text = var_to_str(encode(list), { dialect: 'godot4' });
		writeFileSync(path, bytes);
		execFileSync(program, ['set', '-q', '-d', dialect, '--framing', 'bare', path, `$=${text}`, '-o', to]);
		assert.equal(hex(readFileSync(to)), hex(bytes), `${engine.name} ${line.id} $=${text}`);
	}
	assert.ok(kinds.size > 20, [...kinds].join(', '));
});

test('a value of JavaScript keeps the type of its place, and one of a class changes it', () => {
	const own = [[true, 'Bool'], [5, 'Int'], [1.5, 'Float'], ['x', 'String'], [[1, 'a'], 'Array'], [{ a: 1 }, 'Dictionary'], [new Map([[1, 2]]), 'Dictionary']];
	const typed = [
		[5n, 'Int'], [new gdvar.Float(1.5), 'Float'], [new Bytes(encode('x')), 'String'], [open(encode('x')), 'String'], [new gdvar.Vector2(1, 2), 'Vector2'],
		[new gdvar.Color(1, 2, 3), 'Color'], [new gdvar.NodePath('a'), 'NodePath'], [new Uint8Array(1), 'PackedByteArray'], [new gdvar.StringName('x'), 'StringName'],
		[new gdvar.RID(1n), 'RID'], [gdvar.TypedArray.of({ builtin: 'Int' }, [1]), 'Array'], [new gdvar.TypedDictionary({ builtin: 'String' }, null, []), 'Dictionary'],
	];
	const written = (value) => (value instanceof Bytes || value instanceof gdvar.Value ? 'x' : value);
	const kept = ['Int Float', 'String StringName'];
	const after = (bytes, value) => open(edit(bytes).set('v', value).bytes()).get('v').type;
	for (const [old, place] of [...own, ...typed]) {
		const save = encode({ v: written(old), after: 1 });
		const nothing = edit(save).set('v', null).bytes();
		assert.equal(open(nothing).get('v').type, 'Nil');
		const isTyped = old instanceof gdvar.TypedArray || old instanceof gdvar.TypedDictionary;
		for (const [value, type] of own) {
			assert.equal(after(nothing, value), type);
			assert.equal(after(save, new Bytes(encode(value))), type);
			// The elements of a typed container decide.
			if (isTyped && type === place) continue;
			if (type === place || kept.includes(`${type} ${place}`)) assert.equal(after(save, value), place);
			else assert.throws(() => after(save, value), { name: 'GdvarError', code: 'Fit', message: new RegExp(place) }, `${type} in place of ${place}`);
		}
		for (const [value, type] of typed) assert.equal(after(save, value), type, `${type} in place of ${place}`);
	}
	assert.throws(() => after(encode({ v: new gdvar.Vector2(1, 2) }), [3, 4]), { path: '$.v', message: /Vector2 is there, and this Array.*new Bytes\(encode\(value\)\)/ });
	assert.equal(after(encode({ v: new gdvar.ObjectId(0n) }), 'x'), 'String');
	const ints = encode({ v: gdvar.TypedArray.of({ builtin: 'Int' }, [1]) });
	for (const value of [null, 'x', 1.5]) assert.throws(() => edit(ints).set('v[0]', value).bytes(), { code: 'Fit' });
});
