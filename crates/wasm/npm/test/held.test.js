// Bytes that an opened value needs are its own, and opening many in one synchronous loop does not fill memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as gdvar from 'gdvar';
import * as forms from 'gdvar/forms';
import { core } from '../src/wasm.js';

const { decode, encode, open, records, store_var, writeRecords } = gdvar;

const LARGE = 4 << 20;
const save = (hp) => ({ hp, data: new Uint8Array(LARGE) });
const fails = (work) => {
	try {
		work();
	} catch (error) {
		assert.equal(error.name, 'GdvarError');
		assert.notEqual(error.code, 'OutOfMemory');
		return 80;
	}
	throw new Error('it is not refused');
};

test('a synchronous loop over saves keeps memory constant, in all that opens bytes', () => {
	const record = store_var(save(80));
	const value = record.subarray(4);
	const damaged = value.slice();
	damaged[0] = 99;
	const longPrefix = record.slice();
	longPrefix[3] = 0x7f;
	const ways = {
		decode: () => decode(value).hp,
		validate: () => gdvar.validate(value) && 80,
		get_var: () => gdvar.get_var(record).hp,
		'get_var of damaged bytes': () => fails(() => gdvar.get_var(longPrefix)),
		open: () => open(value).get('hp').toJS(),
		'open of damaged bytes': () => fails(() => open(damaged)),
		records: () => [...records(record)][0].get('hp').toJS(),
		'records that throw': () => fails(() => [...records(longPrefix)]),
		edit: () => open(forms.edit(value).set('hp', 80).bytes()).get('hp').toJS(),
		openFile: () => forms.openFile(record).values[0].get('hp').toJS(),
	};
	for (const [name, way] of Object.entries(ways)) {
		for (let n = 0; n < 90; n++) assert.equal(way(), 80, name);
		// The bound for opened values, and what one call needs.
		const used = core.views.u8.length;
		assert.ok(used < 300 << 20, `${name}: ${used >> 20} MB`);
		const { arrayBuffers } = process.memoryUsage();
		assert.ok(arrayBuffers < 600 << 20, `${name}: ${arrayBuffers >> 20} MB outside of WebAssembly`);
	}
});

test('values that are kept stay readable, however many there are', () => {
	const all = Array.from({ length: 60 }, (_, n) => open(encode(save(n))));
	for (let round = 0; round < 2; round++) all.forEach((value, n) => assert.equal(value.get('hp').toJS(), n));
	assert.ok(core.views.u8.length < 300 << 20);
	const parts = Array.from({ length: 100 }, (_, n) => open(encode(new gdvar.Vector2(n, 0))).get('x'));
	parts.forEach((part, n) => assert.equal(part.toJS(), n));
	all[0].free();
	all[0].free();
	const uses = {
		get: (value) => value.get('hp'),
		toJS: (value) => value.toJS(),
		bytes: (value) => value.bytes(),
		children: (value) => [...value],
		put_var: (value) => gdvar.put_var(value),
	};
	for (const [name, use] of Object.entries(uses)) {
		const value = open(encode(save(0)));
		value.free();
		assert.throws(() => use(value), { name: 'TypeError', message: /freed/ }, name);
	}
	assert.throws(() => all[0].get('hp'), { name: 'TypeError', message: /freed/ });
	assert.equal(all[1].get('hp').toJS(), 1);
});

const HOLDERS = {
	Buffer: (bytes) => [Buffer.from(bytes)],
	Uint8Array: (bytes) => [Uint8Array.from(bytes)],
	'a view inside a buffer': (bytes) => {
		const around = new Uint8Array(bytes.length + 7);
		const view = around.subarray(4, 4 + bytes.length);
		view.set(bytes);
		return [view];
	},
	ArrayBuffer: (bytes) => {
		const view = Uint8Array.from(bytes);
		return [view.buffer, view];
	},
	SharedArrayBuffer: (bytes) => {
		const view = new Uint8Array(new SharedArrayBuffer(bytes.length));
		view.set(bytes);
		return [view.buffer, view];
	},
	DataView: (bytes) => {
		const view = Uint8Array.from(bytes);
		return [new DataView(view.buffer), view];
	},
};

for (const [name, hold] of Object.entries(HOLDERS)) {
	test(`bytes that are used again do not change what was opened: ${name}`, async () => {
		const ann = encode({ hp: 1, who: 'Ann' });
		const bob = encode({ hp: 1, who: 'Bob' });
		const [value, valueBytes = value] = hold(ann);
		const edit = forms.edit(value);
		const opened = open(value);
		const bytes = new forms.Bytes(value);
		valueBytes.set(bob);
		assert.deepEqual(decode(edit.set('hp', 99).bytes()), { hp: 99, who: 'Ann' });
		assert.equal(opened.get('who').toJS(), 'Ann');
		assert.equal(decode(forms.edit(encode([1])).set('[0]', bytes).bytes())[0].who, 'Ann');

		const file = (who) => Uint8Array.from([1, 2, 3, 4, ...writeRecords([{ hp: 1 }, { who }])]);
		const [held, heldBytes = held] = hold(file('Ann'));
		const save = forms.openFile(held, { skip: 4 });
		const contents = forms.contents(held, { skip: 4 });
		const unpacked = await contents;
		heldBytes.set(file('Bob'));
		heldBytes.fill(9, 0, 4);
		assert.deepEqual([...save.header], [1, 2, 3, 4]);
		assert.deepEqual([...unpacked.bytes], [...file('Ann')]);
		assert.deepEqual([...save.edit(1).set('who', 'Ann').save()], [...file('Ann')]);
		assert.equal(save.values[1].get('who').toJS(), 'Ann');

		const numbers = Uint8Array.from({ length: 52 }, (_, n) => n);
		const all = gdvar.put_var(numbers);
		const pieces = async function* () {
			const [chunk, chunkBytes = chunk] = hold(new Uint8Array(16));
			for (let at = 0; at + 16 <= all.length; at += 16) {
				chunkBytes.set(all.subarray(at, at + 16));
				yield chunk;
			}
		};
		assert.equal(all.length % 16, 0);
		for await (const value of gdvar.RecordStream.from(pieces())) assert.deepEqual([...value], [...numbers]);
	});
}

test('free and Symbol.dispose, of a value, of records and of a file', async () => {
	const bytes = gdvar.writeRecords([{ hp: 1 }, { hp: 2 }]);
	const freed = { name: 'TypeError', message: /were freed/ };
	const both = { free: (one) => one.free(), ...(Symbol.dispose && { dispose: (one) => one[Symbol.dispose]() }) };
	for (const [how, end] of Object.entries(both)) {
		const value = gdvar.open(gdvar.encode({ hp: 1 }));
		end(value);
		end(value);
		assert.throws(() => value.toJS(), freed, how);
		// The records of one call are values of the same bytes.
		const [one, other] = gdvar.records(bytes);
		end(one);
		assert.throws(() => other.toJS(), freed, how);
		const file = forms.openFile(bytes);
		const edit = file.edit(1).set('hp', 3);
		end(file);
		end(file);
		for (const value of file.values) assert.throws(() => value.toJS(), freed, how);
		assert.throws(() => file.edit(0), freed, how);
		assert.deepEqual(file.damage, []);
		assert.deepEqual(edit.bytes(), gdvar.encode({ hp: 3 }));
	}
});
