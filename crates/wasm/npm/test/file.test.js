// A file that is changed keeps its form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as gdvar from 'gdvar';
import * as forms from 'gdvar/forms';
import { file } from './data.js';

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
		const opened = openFile(bytes, { password: secret, dialect });
		assert.equal(opened.form, 'records', name);
		assert.equal(opened.values.length, before.values.length);
		const last = before.values.findLastIndex((value) => value instanceof Map || Object.getPrototypeOf(value ?? 0) === Object.prototype);
		const where = firstKey(before.values[last]);
		const after = await values(opened.edit(last).set(where, 'changed').save(), secret, dialect);
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
	const settings = openFile(project, { objects: 'inert' });
	assert.equal(settings.form, 'project');
	assert.equal(Buffer.compare(settings.edit(settings.names[0]).save(), project), 0);
	const named = settings.names.find((_, n) => settings.values[n].type === 'String');
	const changed = openFile(settings.edit(named).set('', 'another').save(), { objects: 'inert' });
	assert.deepEqual(changed.names, settings.names);
	assert.equal(changed.values[settings.names.indexOf(named)].toJS(), 'another');
	assert.throws(() => settings.edit('no/such/setting'), RangeError);

	const big = gdvar.writeRecords([{ a: 1 }, { b: 2 }], { bigEndian: true });
	const saved = openFile(big, { framing: 'records', bigEndian: true }).edit(0).set('a', 'longer than before').save();
	assert.deepEqual(Array.from(gdvar.records(saved, { bigEndian: true }), (one) => one.toJS()), [{ a: 'longer than before' }, { b: 2 }]);
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
	const tailed = openFile(Uint8Array.from([...gdvar.encode([1]), 7, 7, 7]), { framing: 'value' });
	assert.deepEqual([...tailed.edit().append('', 2).save()], [...gdvar.encode([1, 2]), 7, 7, 7]);
	for (const bytes of [new Uint8Array(), new TextEncoder().encode('{"a": 1, "b": [1, 2, 3]}'), Uint8Array.of(2, 0, 0, 0, ...gdvar.put_var({ a: 1 })), new Uint8Array(64).fill(255)]) {
		assert.throws(() => openFile(bytes), { code: 'NoValues', message: /dialect.*bytes of the game/ });
	}
	assert.throws(() => openFile(file('saves/rpg3.sav').subarray(0, 300)), { code: 'NoValues' });
	const encrypted = file('saves/rpg4.pass.gdec');
	assert.throws(() => openFile(encrypted), { code: 'PasswordNeeded' });
	assert.throws(() => openFile(encrypted, { password: 'no' }), { code: 'WrongKey' });
	const zstd = openFile(file('saves/camp4.zstd.gcpf'));
	assert.throws(() => zstd.edit(0).set(firstKey(zstd.values[0].toJS()), 1).save(), { name: 'GdvarError' });
	assert.throws(() => openFile(file('scripts/godot4.gdc')), { code: 'Script' });
});
