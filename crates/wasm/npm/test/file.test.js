// A file that is changed keeps its form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as gdvar from 'gdvar';
import * as forms from 'gdvar/forms';
import { file, unhex } from './data.js';

/** A String, whatever type its place has. */
const text = (string) => new forms.Bytes(gdvar.encode(string));

const { openFile } = forms;
const about = (name) => JSON.parse(Buffer.from(file(`saves/${name}.json`)).toString());

/** The records of a file, out of all its layers. */
async function values(bytes, password, dialect) {
	const opened = await forms.contents(bytes, { password });
	return { layers: opened.layers.map(({ kind, mode, form }) => [kind, mode, form]), values: Array.from(gdvar.records(opened.bytes, { dialect, objects: 'inert' }), (value) => value.toJS()) };
}

/** The first key of a record. */
const firstKey = (value) => (value instanceof Map ? [...value.keys()] : Object.keys(value))[0];

test('every save: one value is changed, all else stays', async () => {
	const names = ['rpg4.sav', 'camp4.sav', 'rpg3.sav', 'camp3.sav', 'objects4.sav', 'camp4.fastlz.gcpf', 'camp4.deflate.gcpf', 'camp4.gzip.gcpf', 'camp3.fastlz.gcpf', 'rpg4.pass.gdec', 'rpg3.pass.gdec', 'camp4.key.gdec', 'camp3.key.gdec'];
	for (const name of names) {
		const dialect = name.includes('3') ? 'godot3' : 'godot4';
		const { password, pass, key_hex: key } = about(name);
		const secret = key ? Uint8Array.from(key.match(/../g), (pair) => Number.parseInt(pair, 16)) : (password ?? pass);
		const bytes = file(`saves/${name}`);
		const before = await values(bytes, secret, dialect);
		const opened = openFile(bytes, { password: secret });
		assert.equal(opened.framing, 'len32', name);
		assert.ok([opened.dialect, ...opened.same].includes(dialect), name);
		assert.equal(opened.values.length, before.values.length);
		const last = before.values.findLastIndex((value) => value instanceof Map || Object.getPrototypeOf(value ?? 0) === Object.prototype);
		const where = firstKey(before.values[last]);
		const after = await values(opened.edit(last).set(where, text('changed')).save(), secret, dialect);
		assert.deepEqual(after.layers, before.layers, name);
		const expected = before.values;
		if (expected[last] instanceof Map) expected[last].set(where, 'changed');
		else expected[last][where] = 'changed';
		assert.deepEqual(after.values, expected, name);
		// Nothing changed is nothing changed, but for the initial vector of Godot 4's encryption and for other compressors.
		if (!/gdec|deflate|gzip/.test(name)) assert.equal(Buffer.compare(opened.edit(0).save(), bytes), 0, name);
	}
});

test('one value, settings, records of big-endian lengths', () => {
	const value = gdvar.encode({ hp: 80, list: [1] });
	assert.deepEqual(gdvar.decode(openFile(value).edit().set('hp', 99).append('list', 2).save()), { hp: 99, list: [1, 2] });

	const project = file('projects/godot4.binary');
	const settings = openFile(project);
	assert.deepEqual([settings.layers.map(({ name }) => name), settings.values.length], [['project-settings'], 1]);
	assert.equal(Buffer.compare(settings.edit().save(), project), 0);
	const path = '["application/config/name"]';
	const changed = openFile(settings.edit().set(path, 'another').save());
	assert.equal(changed.values[0].get(path).toJS(), 'another');
	assert.equal(changed.values[0].length, settings.values[0].length + 1);
	assert.throws(() => settings.edit(1), RangeError);

	const big = gdvar.writeRecords([{ a: 1 }, { b: 2 }], { bigEndian: true });
	const found = openFile(big);
	assert.equal(found.framing, 'len32be');
	const saved = found.edit(0).set('a', text('longer than before')).save();
	assert.deepEqual(Array.from(gdvar.records(saved, { bigEndian: true }), (one) => one.toJS()), [{ a: 'longer than before' }, { b: 2 }]);
});

test('every layer that games put around by hand is taken off and put back', () => {
	for (const [name, dialect] of [['godot4', 'godot4'], ['godot3', 'godot3']]) {
		const rows = Buffer.from(file(`layers/${name}.jsonl`)).toString().trim().split('\n').map((line) => JSON.parse(line));
		assert.ok(rows.length > 50);
		for (const { hex, layers, header } of rows) {
			const opened = openFile(unhex(hex), { password: 'secret' });
			assert.equal(opened.dialect, dialect, String(layers));
			assert.deepEqual(opened.layers.map(({ name }) => name), layers.map((own) => ({ hex: 'text:hex', base64: 'text:base64' })[own] ?? own.replace(/^fastlz:.*/, 'fastlz')));
			assert.equal((opened.layers[0]?.header ?? opened.header).length, header, String(layers));
			assert.equal(opened.values[0].get('hp').toJS(), 80);
			const changes = opened.edit(0).set('hp', text('a text'));
			if (layers.some((layer) => layer.includes('zstd'))) {
				assert.throws(() => changes.save(), { name: 'GdvarError' });
				continue;
			}
			const again = openFile(changes.save(), { password: 'secret' });
			assert.deepEqual(again.layers.map(({ name }) => name), opened.layers.map(({ name }) => name));
			assert.equal(again.values[0].get('hp').toJS(), 'a text');
			assert.equal(again.values[0].get('name').toJS(), opened.values[0].get('name').toJS());
		}
	}
});

test('a header of the game’s own stays, and a size in it is the new one', () => {
	const record = gdvar.put_var({ name: 'Ann', hp: 80 });
	const size = new Uint8Array(4);
	new DataView(size.buffer).setUint32(0, record.length, true);
	for (const header of [[2, 0, 0, 0], [...new TextEncoder().encode('MYGAME')], [71, 83, 65, 86, ...size]]) {
		const opened = openFile(Uint8Array.from([...header, ...record]));
		assert.deepEqual([...opened.header], header);
		const again = openFile(opened.edit().set('name', 'a longer name').save());
		assert.deepEqual(again.values[0].toJS(), { name: 'a longer name', hp: 80 });
		assert.deepEqual([...again.header.subarray(0, 4)], header.slice(0, 4));
		if (header.length === 8) assert.equal(new DataView(again.header.buffer).getUint32(4, true), record.length + 12);
	}
});

test('two readings are an error that names both, with what chooses', () => {
	const plane = new Uint8Array(20);
	new DataView(plane.buffer).setUint32(0, 14, true);
	new DataView(plane.buffer).setFloat32(8, 1, true);
	const doubtful = Uint8Array.from([29, 0, 0, 0, ...gdvar.put_var({ name: 'Ann', hp: 80 })]);
	const cases = [
		[unhex('0400000000000000'), 'AmbiguousFraming', [{ framing: 'bare' }, { framing: 'len32' }]],
		[plane, 'AmbiguousDialect', [{ dialect: 'godot4' }, { dialect: 'godot3' }]],
		[doubtful, 'AmbiguousFraming', [{ framing: 'bare' }, { skip: 4 }]],
	];
	for (const [bytes, code, readings] of cases) {
		let error;
		assert.throws(() => openFile(bytes), (thrown) => ((error = thrown), true));
		assert.equal(error.code, code);
		const found = new Set();
		for (const reading of readings) {
			const [[name, value]] = Object.entries(reading);
			const { options, reads } = error.choices.find(({ options }) => options[name] === value);
			assert.ok(error.message.includes(`"${name}":${JSON.stringify(value)}`) && error.message.includes(reads), error.message);
			const opened = openFile(bytes, options);
			found.add(`${opened.framing} ${opened.values[0].type} ${opened.header.length}`);
		}
		assert.equal(found.size, 2);
	}
});

test('a save that ends early, lines of text', () => {
	const half = openFile(file('saves/rpg4.sav').subarray(0, 30_000));
	assert.deepEqual([half.framing, half.dialect, half.damage[0].code, half.values[0].type], ['len32', 'godot4', 'Truncated', 'Dictionary']);
	const values = [{ name: 'Ann', bag: ['torch'] }, [1, 2, 3]].map((value) => Buffer.from(gdvar.encode(value)));
	for (const framing of ['hex', 'base64']) {
		const lines = openFile(new TextEncoder().encode(values.map((value) => value.toString(framing)).join('\n')));
		assert.deepEqual([lines.framing, lines.values.length], [framing, 2]);
		assert.deepEqual(openFile(lines.edit(1).append('', 4).save()).values.map((value) => value.toJS()), [{ name: 'Ann', bag: ['torch'] }, [1, 2, 3, 4]]);
	}
});

test('what cannot be saved says why', () => {
	const two = gdvar.writeRecords([{ a: 1 }, { b: [1, 2, 3] }]);
	assert.throws(() => openFile(two).edit(), { name: 'TypeError', message: /2 values: edit\(0\)/ });
	// A whole record can be changed in front of one that is cut, whose bytes stay.
	const cut = two.subarray(0, -4);
	const opened = openFile(cut);
	assert.equal(opened.values.length, 2);
	const saved = opened.edit(0).set('a', 2).save();
	assert.equal(saved.length, cut.length);
	assert.deepEqual(gdvar.get_var(saved), { a: 2 });
	assert.throws(() => opened.edit(1).save(), { name: 'GdvarError' });
	// What follows the one value stays too.
	const tailed = openFile(Uint8Array.from([...gdvar.encode([1]), 7, 7, 7]), { framing: 'bare' });
	assert.deepEqual([...tailed.edit().append('', 2).save()], [...gdvar.encode([1, 2]), 7, 7, 7]);
	const others = [[new Uint8Array(), 'Empty'], [new TextEncoder().encode('{"a": 1, "b": [1, 2, 3]}'), 'Json'], [new Uint8Array(64).fill(255), 'Blank'], [Uint8Array.from({ length: 100 }, (_, n) => 100 + n), 'Unreadable']];
	for (const [bytes, code] of others) assert.throws(() => openFile(bytes), { code });
	assert.throws(() => openFile(two, { framing: 'records' }), { code: 'BadOption', message: /len32 or/ });
	assert.throws(() => openFile(two, { skip: 1000 }), { code: 'SkipTooLong' });
	const encrypted = file('saves/rpg4.pass.gdec');
	assert.throws(() => openFile(encrypted), { code: 'PasswordNeeded' });
	assert.throws(() => openFile(encrypted, { password: 'no' }), { code: 'WrongKey' });
	const zstd = openFile(file('saves/camp4.zstd.gcpf'));
	assert.throws(() => zstd.edit(0).set(firstKey(zstd.values[0].toJS()), 1n).save(), { name: 'GdvarError', code: 'ReadOnly', message: /Zstandard is only read.*deflate.*command gdvar/ });
	const compiled = openFile(file('scripts/godot4.gdc'));
	assert.equal(compiled.values[0].type, 'Array');
	assert.throws(() => compiled.edit().append('', 1).save(), { code: 'ReadOnly', message: /compiled script/ });
});
