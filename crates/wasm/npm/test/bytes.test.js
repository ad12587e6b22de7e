// Whatever holds bytes can be read: what it is makes no difference. types.ts says the same for TypeScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as gdvar from 'gdvar';
import * as forms from 'gdvar/forms';
import { Packet, Session } from 'gdvar/packet';

/** The views of bytes, of which there is a multiple of eight. */
function inputs(bytes) {
	const all = { Buffer: Buffer.from(bytes) };
	const buffers = { ArrayBuffer: new ArrayBuffer(bytes.length + 16), SharedArrayBuffer: new SharedArrayBuffer(bytes.length + 16) };
	for (const [name, buffer] of Object.entries(buffers)) {
		new Uint8Array(buffer).set(bytes, 8);
		all[name] = buffer.slice(8, 8 + bytes.length);
		const views = [DataView, Uint8Array, Uint8ClampedArray, Int8Array, Uint16Array, Int16Array, Uint32Array, Int32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array];
		for (const View of views) all[`${View.name} of ${name}`] = new View(buffer, 8, bytes.length / (View.BYTES_PER_ELEMENT ?? 1));
	}
	return all;
}

const drained = async (values) => {
	const all = [];
	for await (const value of values) all.push(value);
	return all;
};

const value = gdvar.encode({ hp: 80, names: ['Ann'] });
const twin = gdvar.encode({ hp: 81, names: ['Ann'] });
const record = gdvar.put_var({ hp: 80, n: [1, null] });
const key = Uint8Array.from({ length: 32 }, (_, n) => n);
const locked = forms.close(record, [{ kind: 'encrypted', form: 4, password: key }]);
const padded = (bytes) => Uint8Array.from({ length: 8 * Math.ceil(bytes.length / 8) }, (_, n) => bytes[n] ?? 0);

/** Every function that takes bytes, with the bytes that it takes. */
const CALLS = {
	decode: [value, gdvar.decode],
	validate: [value, gdvar.validate],
	open: [value, (bytes) => gdvar.open(bytes).get('names').toJS()],
	get_var: [record, gdvar.get_var],
	records: [record, (bytes) => [...gdvar.records(bytes)].map((one) => one.toJS())],
	'records, cut': [padded(gdvar.put_var([1, 2]).subarray(0, 24)), (bytes) => gdvar.records(bytes, { cut: true }).next().value.type],
	'RecordStream.from': [record, (bytes) => drained(gdvar.RecordStream.from([bytes]))],
	RecordStream: [
		record,
		async (bytes) => {
			const { readable, writable } = new gdvar.RecordStream();
			writable.getWriter().write(bytes).catch(() => {}); // The reader has the error, too.
			return (await readable.getReader().read()).value;
		},
	],
	'forms.validate': [value, forms.validate],
	toJSON: [value, forms.toJSON],
	lossesOfJSON: [value, forms.lossesOfJSON],
	var_to_str: [value, forms.var_to_str],
	convert: [value, (bytes) => forms.convert(bytes, { from: 'godot4', to: 'godot3' }).bytes],
	'diff, before': [value, (bytes) => forms.diff(bytes, twin)],
	'diff, after': [value, (bytes) => forms.diff(twin, bytes)],
	detect: [value, forms.detect],
	locate: [value, (bytes) => forms.locate(bytes, 24)],
	edit: [value, (bytes) => forms.edit(bytes).set('hp', 7).bytes()],
	Bytes: [value, (bytes) => forms.edit(twin).set('hp', new forms.Bytes(bytes)).bytes()],
	openFile: [record, (bytes) => forms.openFile(bytes).edit().set('hp', 7).save()],
	'openFile, password': [key, (password) => forms.openFile(locked, { password }).values[0].toJS()],
	contents: [record, async (bytes) => (await forms.contents(bytes)).bytes],
	'contents, password': [key, async (password) => (await forms.contents(locked, { password: () => password })).bytes],
	close: [record, (bytes) => forms.close(bytes, [{ kind: 'packed', mode: 'gzip' }])],
	'close, password': [key, (password) => forms.openFile(forms.close(record, [{ kind: 'encrypted', form: 4, password }]), { password: key }).values[0].toJS()],
	'Packet.decode': [padded([0x20, ...Array(7).fill(0)]), (bytes) => Packet.decode(bytes)],
	'Session.hear': [padded([1, 2, 3]), (bytes) => new Session('godot4', 'websocket').hear(bytes, 'to_server')],
};

test('every function reads bytes from whatever holds them', async () => {
	for (const [name, [bytes, call]] of Object.entries(CALLS)) {
		assert.equal(bytes.length % 8, 0, name);
		const own = await outcome(call, bytes);
		for (const [kind, input] of Object.entries(inputs(bytes))) assert.deepEqual(await outcome(call, input), own, `${name} of a ${kind}`);
		// A password may be a text, or missing.
		const others = [7, [1, 2], {}, ...(/password/.test(name) ? [] : ['text', undefined, null])];
		for (const odd of others) {
			const failed = await outcome(call, odd);
			assert.ok(failed instanceof TypeError, `${name} of ${String(odd)}: ${failed}`);
		}
	}
});

/** Returns the result of a call, or its error. */
async function outcome(call, input) {
	try {
		return await call(input);
	} catch (error) {
		return error;
	}
}

test('what is written as a PackedByteArray, and what is not', () => {
	const own = gdvar.encode(Uint8Array.of(1, 2));
	const same = { ArrayBuffer: Uint8Array.of(1, 2).buffer, Uint8ClampedArray: Uint8ClampedArray.of(1, 2), Buffer: Buffer.of(1, 2) };
	const before = gdvar.encode({ a: null });
	for (const [name, bytes] of Object.entries(same)) {
		assert.deepEqual(gdvar.encode(bytes), own, name);
		assert.equal(gdvar.typeOf(bytes), 'PackedByteArray', name);
		assert.equal(gdvar.keyOf(bytes), gdvar.keyOf(Uint8Array.of(1, 2)), name);
		assert.deepEqual(forms.edit(before).set('a', bytes).bytes(), gdvar.encode({ a: Uint8Array.of(1, 2) }), name);
	}
	const others = [new SharedArrayBuffer(2), new DataView(new ArrayBuffer(2)), ...[Int8Array, Uint16Array, Int16Array, Uint32Array, BigUint64Array].map((View) => new View(2))];
	for (const other of others) {
		const error = { name: 'GdvarError', code: 'Unrepresentable' };
		assert.throws(() => gdvar.encode(other), error, other.constructor.name);
		assert.throws(() => gdvar.keyOf(other), error, other.constructor.name);
	}
	for (const bytes of [new ArrayBuffer(8), [4, 0], new Uint8ClampedArray(8)]) assert.throws(() => gdvar.encode(new gdvar.Raw('String', bytes)), { code: 'Unrepresentable', message: /Uint8Array/ });
});
