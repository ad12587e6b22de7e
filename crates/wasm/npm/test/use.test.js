// Tasks that people have for it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { deflateSync, gzipSync } from 'node:zlib';
import * as gdvar from 'gdvar';
import * as forms from 'gdvar/forms';
import { instantiate, moduleOf } from '../src/wasm.js';
import { file, hex, lines, unhex } from './data.js';

const { decode, encode, open } = gdvar;

test('values of JavaScript come back', () => {
	const value = {
		name: 'Änne 🗡',
		hp: 80,
		big: 2n ** 60n,
		ratio: 0.5,
		none: null,
		yes: true,
		pos: new gdvar.Vector2(1.5, -2),
		cell: new gdvar.Vector3i(1, -2, 3),
		where: new gdvar.Transform3D(),
		tint: new gdvar.Color(1, 0.5, 0, 1),
		path: new gdvar.NodePath('/root/Player:position:x'),
		tag: new gdvar.StringName('enemy'),
		bag: [1, 'two', [3]],
		bytes: new Uint8Array([1, 2, 3]),
		floats: new Float32Array([1, 2.5]),
		longs: new BigInt64Array([-1n, 2n ** 62n]),
		names: gdvar.PackedStringArray.of('a', ''),
		points: gdvar.PackedVector2Array.of(new gdvar.Vector2(1, 2), new gdvar.Vector2(3, 4)),
		typed: gdvar.TypedArray.of({ builtin: 'Int' }, [1, 2]),
		gold: new gdvar.TypedDictionary({ builtin: 'String' }, { builtin: 'Int' }, [['a', 1]]),
		byNumber: new Map([[7, 'seven']]),
		signal: new gdvar.Signal('hit', 3n),
	};
	const back = decode(encode(value));
	assert.deepEqual(back, value);
	assert.deepEqual(back.points.at(-1), new gdvar.Vector2(3, 4));
	assert.equal(String(back.path), '/root/Player:position:x');
	assert.equal(gdvar.typeOf(back.typed), 'Array');
	assert.ok(gdvar.isTyped(back.pos) && !gdvar.isTyped({ type: 'Color' }) && !gdvar.isTyped([]));
	assert.equal(gdvar.typeOf({ type: 'Color' }), 'Dictionary');
	assert.equal(hex(encode(new gdvar.Float(1))), '030000000000803f');
	assert.equal(hex(encode(1)), '0200000001000000');
	assert.equal(decode(encode(2 ** 53)), 2 ** 53);
	assert.equal(decode(encode(2n ** 53n)), 2n ** 53n);
});

test('looked at without decoding', () => {
	const bytes = encode({ party: [{ hp: 80, pos: new gdvar.Vector2(1, 2) }, { hp: 7 }], names: gdvar.PackedStringArray.of('x', 'y') });
	const save = open(bytes);
	assert.equal(save.type, 'Dictionary');
	assert.equal(save.length, 2);
	assert.equal(save.get('party[1].hp').toJS(), 7);
	assert.equal(save.get('party[-1].hp').toJS(), 7);
	assert.equal(save.get('party[0].pos.y').toJS(), 2);
	assert.equal(save.get('names[1]').toJS(), 'y');
	assert.equal(save.get('party[9]'), undefined);
	assert.deepEqual([...save].map(([key, value]) => [key.toJS(), value.type]), [['party', 'Array'], ['names', 'PackedStringArray']]);
	assert.deepEqual(decode(save.get('party[0]').bytes()), decode(bytes).party[0]);
	assert.throws(() => save.get('party['), { code: 'Path' });
});

/*
 * floats.txt has the bits of a Float and its text in a path: what Rust prints, `{:?}`, with all digits of the double.
 * JavaScript lends the functions, and the texts must be those of the command.
 */
test('floats as keys, in paths and in messages', () => {
	const rows = readFileSync(new URL('floats.txt', import.meta.url), 'utf8').trim().split('\n');
	assert.ok(rows.length > 100);
	for (const row of rows) {
		const [bits, text] = row.split(' ');
		const view = new DataView(unhex(bits).buffer);
		const bytes = encode(new Map([[new gdvar.Float(view.getFloat64(0)), 'here']]));
		assert.equal(open(bytes).get(`[${text}]`)?.toJS(), 'here', row);
		assert.throws(() => decode(bytes.subarray(0, -4)), { path: `$[${text}]` }, row);
	}
	const tiles = encode(new Map([[new gdvar.Vector2(0.1, -0), 'floor'], [new gdvar.Vector2i(5, -9), 'wall'], [NaN, 'none']]));
	assert.equal(open(tiles).get('[Vector2(0.1, 0)]').toJS(), 'floor');
	assert.equal(open(tiles).get('[Vector2i(5,-9)]').toJS(), 'wall');
	assert.equal(open(tiles).get('[nan]').toJS(), 'none');
	assert.throws(() => open(tiles).get('[1.2.3]'), { code: 'Path' });
	for (const [end, path] of [[32, '$[Vector2(0.1, -0)]'], [56, '$[Vector2i(5, -9)]'], [tiles.length - 4, '$[nan]']]) {
		assert.throws(() => decode(tiles.subarray(0, end)), { path });
	}
});

test('every save of plain records, through records and back', () => {
	for (const name of ['rpg4.sav', 'camp4.sav', 'replay4.rec', 'rpg3.sav', 'camp3.sav']) {
		const dialect = name.includes('3') ? 'godot3' : 'godot4';
		const bytes = file(`saves/${name}`);
		const about = JSON.parse(Buffer.from(file(`saves/${name}.json`)).toString());
		const values = [...gdvar.records(bytes, { dialect })];
		assert.equal(values.length, about.records, name);
		const exact = values.map((value) => value.toJS({ numbers: 'exact', maps: 'always' }));
		const again = gdvar.writeRecords(exact, { target: dialect, numbers: 'exact' });
		const clean = bytes.slice();
		for (const at of about.dirty ?? []) clean[at] = 0;
		assert.equal(Buffer.compare(again, clean), 0, name);
		// Values that are not decoded keep all their bytes.
		assert.equal(Buffer.compare(gdvar.writeRecords(values), bytes), 0, name);
	}
});

test('a stream in pieces of any size', async () => {
	const values = [1, 'two', { three: [3] }, null];
	const bytes = gdvar.writeRecords(values);
	for (const size of [1, 3, 7, bytes.length]) {
		const source = new ReadableStream({
			start(controller) {
				for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
				controller.close();
			},
		});
		const got = [];
		for await (const value of source.pipeThrough(new gdvar.RecordStream())) got.push(value);
		assert.deepEqual(got, values);
	}
	const hostile = new ReadableStream({
		start(controller) {
			controller.enqueue(new Uint8Array([255, 255, 255, 127]));
		},
	});
	const reader = hostile.pipeThrough(new gdvar.RecordStream()).getReader();
	await assert.rejects(reader.read(), { code: 'TooLong' });
});

test('the values of a socket, and all answers after its client has sent everything', { timeout: 30_000 }, async () => {
	const values = [1, 'two', { three: [3] }, null, new Uint8Array(15 << 20)];
	const errors = [];
	const server = createServer(async (socket) => {
		try {
			for await (const value of gdvar.RecordStream.from(socket)) socket.write(gdvar.put_var(value));
			socket.end();
		} catch (error) {
			errors.push(error.code);
			socket.destroy();
		}
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const talk = async (bytes) => {
		const client = connect({ port: server.address().port, host: '127.0.0.1', allowHalfOpen: true });
		client.end(bytes);
		// The server has read everything before the first of its answers is read.
		await setTimeout(200);
		const pieces = [];
		for await (const piece of client) pieces.push(piece);
		return Buffer.concat(pieces);
	};
	const bytes = gdvar.writeRecords(values);
	assert.equal(Buffer.compare(await talk(bytes), bytes), 0);
	await talk(new Uint8Array([255, 255, 255, 127]));
	await talk(bytes.subarray(0, 30));
	assert.deepEqual(errors, ['TooLong', 'Truncated']);
	server.close();
});

test('changes leave all other bytes alone', () => {
	const bytes = file('saves/rpg4.sav');
	const [save] = gdvar.records(bytes);
	const before = save.bytes();
	const old = save.get('party[0].xp').toJS();
	const after = forms.edit(save).set('party[0].xp', old + 1).bytes();
	assert.equal(open(after).get('party[0].xp').toJS(), old + 1);
	const differences = forms.diff(before, after);
	assert.deepEqual(differences.map(({ path, change, to }) => [path, change, to]), [['$.party[0].xp', 'set', String(old + 1)]]);
	assert.equal(hex(forms.edit(after).set('party[0].xp', old).bytes()), hex(before));
	// A Float stays one.
	const floats = encode({ speed: new gdvar.Float(2) });
	assert.equal(open(forms.edit(floats).set('speed', 3).bytes()).get('speed').type, 'Float');
	const list = forms.edit(encode({ a: [1, 2] })).append('a', 3).insertPair('', 'b', 'new').remove('a[0]').bytes();
	assert.deepEqual(decode(list), { a: [2, 3], b: 'new' });
	assert.throws(() => forms.edit(floats).set('nowhere.at.all', 1).bytes(), { name: 'GdvarError', code: 'NoPlace' });
});

test('other forms', () => {
	const bytes = encode({ hp: 80, pos: new gdvar.Vector2(10, 20) });
	assert.equal(forms.toJSON(bytes), '{"hp":80,"pos":[10.0,20.0]}');
	assert.equal(forms.lossesOfJSON(bytes), '1 type');
	const native = forms.toJSON(bytes, { style: 'native' });
	assert.equal(hex(forms.fromJSON(native, { style: 'native' })), hex(bytes));
	assert.equal(forms.var_to_str(bytes), '{\n"hp": 80,\n"pos": Vector2(10, 20)\n}');
	assert.equal(hex(forms.str_to_var('{"hp": 80, "pos": Vector2(10, 20)}')), hex(bytes));
	assert.throws(() => forms.str_to_var('{"hp": '), { code: 'Text' });
	const three = encode({ hp: 80, name: new gdvar.StringName('x') }, { target: 'godot4' });
	const { bytes: old, report } = forms.convert(three, { from: 'godot4', to: 'godot3' });
	assert.deepEqual(decode(old, { dialect: 'godot3' }), { hp: 80, name: 'x' });
	assert.equal(report[0].what, 'became String');
	assert.equal(forms.detect(bytes).readings[0].dialect, 'godot4');
	assert.equal(forms.locate(bytes, 24), '$.hp');
});

test('every vector as tagged JSON and back, and as text', () => {
	let texts = 0;
	const printed = new Map(lines('text4.jsonl').map(({ hex, text }) => [hex, text]));
	for (const vector of lines('godot4.jsonl')) {
		const bytes = unhex(vector.hex);
		const tagged = forms.toJSON(bytes, { style: 'tagged', objects: 'inert' });
		assert.equal(hex(forms.fromJSON(tagged, { style: 'tagged' })), vector.hex, vector.id);
		const text = printed.get(vector.hex);
		if (text === undefined || vector.full_objects) continue;
		assert.equal(forms.var_to_str(bytes), text, vector.id);
		texts++;
	}
	assert.ok(texts > 500);
});

test('the text of each release', () => {
	for (const [name, dialect] of [['text3.jsonl', 'godot3.2'], ['text3.6.jsonl', 'godot3.6'], ['text3.6.jsonl', 'godot3'], ['text4.jsonl', 'godot4.6']]) {
		// Halves of surrogate pairs are listed as codes: no text of JavaScript's TextDecoder has them.
		const all = lines(name).filter(({ text }) => typeof text === 'string');
		for (const { id, hex, text } of all) {
			let printed;
			try {
				printed = forms.var_to_str(unhex(hex), { dialect, objects: 'inert' });
			} catch (error) {
				assert.fail(`${dialect} ${id}: ${error.message}`);
			}
			assert.ok(printed === text, `${dialect} ${id}: ${printed} is not ${text}`);
		}
		assert.ok(all.length > 500);
	}
	const infinite = encode([-Infinity], { target: 'godot3' });
	assert.equal(forms.var_to_str(infinite, { dialect: 'godot3.2' }), '[ -inf.0 ]');
	assert.equal(forms.var_to_str(infinite, { dialect: 'godot3' }), '[ inf_neg ]');
	// A release reads as its engine does: 3.2 has no limit of depth.
	const deep = new Uint8Array(new Uint32Array(8 * 2000).map((_, n) => (n % 2 ? 1 : 19)).buffer.slice(0, 8 * 2000 + 4));
	new DataView(deep.buffer).setUint32(8 * 2000, 0, true);
	assert.throws(() => gdvar.validate(deep, { dialect: 'godot3' }), { code: 'DepthExceeded' });
	assert.equal(gdvar.validate(deep, { dialect: 'godot3.2' }), deep.length);
	assert.throws(() => gdvar.validate(deep, { dialect: 'godot4.99' }), { name: 'TypeError', message: /godot3\.2/ });
});

test('a compressed file becomes no larger than is allowed', async () => {
	const save = gdvar.store_var({ map: new Uint8Array(1 << 20) });
	for (const [name, small] of [['gzip', gzipSync(save)], ['GCPF', file('saves/camp4.gzip.gcpf')]]) {
		const size = forms.openFile(small).values[0].bytes().length;
		for (const maxUnpacked of [0, 1000, size >> 1]) {
			assert.throws(() => forms.openFile(small, { maxUnpacked }), { name: 'GdvarError', code: 'TooLong' }, `${name} ${maxUnpacked}`);
			await assert.rejects(forms.contents(small, { maxUnpacked }), { name: 'GdvarError', code: 'TooLong' });
		}
		for (const maxUnpacked of [2 * size, 2 ** 32, Infinity]) assert.ok(forms.openFile(small, { maxUnpacked }).values.length > 0);
	}
	// zlib is known by what it unpacks to.
	assert.throws(() => forms.openFile(deflateSync(save), { maxUnpacked: 1000 }), { name: 'GdvarError' });
});

test('compressed and encrypted files, in and out', async () => {
	for (const number of [3, 4]) {
		const dialect = `godot${number}`;
		const plain = file(`saves/rpg${number}.sav`);
		for (const mode of ['fastlz', 'deflate', 'gzip', 'zstd']) {
			const name = `saves/camp${number}.${mode}.gcpf`;
			const { bytes, layers } = await forms.contents(file(name));
			assert.equal(Buffer.compare(bytes, file(`saves/camp${number}.sav`)), 0, name);
			assert.deepEqual(layers, [{ name: `compressed:${mode}`, kind: 'compressed', mode, blockSize: 4096 }]);
			assert.ok([...gdvar.records(bytes, { dialect })].length > 0);
			if (mode === 'zstd') assert.throws(() => forms.close(bytes, layers), { name: 'GdvarError' });
			else {
				const again = forms.close(bytes, layers);
				if (mode === 'fastlz') assert.equal(Buffer.compare(again, file(name)), 0, 'FastLZ is the engine’s own');
				assert.equal(Buffer.compare((await forms.contents(again)).bytes, bytes), 0, name);
			}
		}
		const about = JSON.parse(Buffer.from(file(`saves/rpg${number}.pass.gdec.json`)).toString());
		const password = about.password ?? about.pass;
		const encrypted = file(`saves/rpg${number}.pass.gdec`);
		const asked = [];
		const { bytes, layers } = await forms.contents(encrypted, {
			password(about) {
				asked.push(about.error?.code);
				return asked.length === 1 ? 'wrong' : password;
			},
		});
		assert.deepEqual(asked, [undefined, 'WrongKey']);
		// Godot 3 leaves padding unset, so the values are compared.
		const values = (bytes) => [...gdvar.records(bytes, { dialect })].map((value) => value.toJS());
		assert.deepEqual(values(bytes), values(plain));
		assert.equal(layers[0].form, number);
		const again = forms.close(bytes, layers);
		if (number === 3) assert.equal(Buffer.compare(again, encrypted), 0);
		assert.equal(Buffer.compare((await forms.contents(again, { password })).bytes, bytes), 0);
		await assert.rejects(forms.contents(encrypted), { code: 'PasswordNeeded' });
		await assert.rejects(forms.contents(encrypted, { password: 'no' }), { code: 'WrongKey' });
	}
});

test('settings of a project are the Dictionary that they are in the engine', async () => {
	const file_ = file('projects/godot4.binary');
	const { bytes, layers } = await forms.contents(file_);
	assert.deepEqual(layers.map(({ kind }) => kind), ['project']);
	assert.ok(open(bytes, { objects: 'inert' }).length > 3);
	assert.equal(Buffer.compare(forms.close(bytes, layers), file_), 0);
});

test('a key that a Dictionary has twice: strict in gdvar/forms finds it, strict in gdvar does not', () => {
	// Dictionary of two pairs, both with the key "a".
	const twice = unhex(`1b00000002000000${'0400000001000000610000000200000007000000'.repeat(2)}`);
	assert.equal(twice.length, 48);
	assert.throws(() => forms.validate(twice, { strict: true }), { code: 'DuplicateKey', offset: 28 });
	assert.equal(forms.validate(twice), 48);
	assert.equal(gdvar.validate(twice, { strict: true }), 48);
	assert.deepEqual(decode(twice, { strict: true }), { a: 7 });
	// All else strict finds in both: an int of 64 bits that fits 32.
	const wide = unhex('020001000100000000000000');
	for (const { validate } of [gdvar, forms]) {
		assert.equal(validate(wide), 12);
		assert.throws(() => validate(wide, { strict: true }), { code: 'NonCanonical' });
	}
});

test('one instance has one Module, and so one scratch buffer', () => {
	const bytes = readFileSync(new URL('../gdvar.wasm', import.meta.url));
	const instance = instantiate(bytes);
	const one = moduleOf(instance);
	const other = moduleOf(instance);
	const dialect = (module) => module.call.dialect(module.text('pandemonium5'));
	const number = dialect(one);
	assert.ok(number > 0);
	// The scratch buffer grows, and so moves, through one name; through the other it is still found.
	other.scratch(new Uint8Array(1 << 25));
	assert.equal(dialect(one), number);
	other.settle();
	assert.equal(dialect(one), number);
	assert.notEqual(moduleOf(instantiate(bytes)), one);
});
