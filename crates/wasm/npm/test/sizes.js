// Calls one entry point with inputs of growing or shrinking size, in an instance that has done nothing else; each result is held
// against what big.js, zlib and OpenSSL say. Runs in Node, Deno, Bun and pages.
import assert from 'node:assert/strict';
import * as big from './big.js';
import { encrypted, inflated } from './outside.js';

/** Bytes that one player takes, about. */
const PLAYER = 124;

/** The words of bytes, those at their end filled up with zeros. */
const words = (bytes) => {
	const all = new Uint32Array(Math.ceil(bytes.length / 4));
	new Uint8Array(all.buffer).set(bytes);
	return all;
};

/** Pages have no `Buffer.compare`, and words are compared sooner than bytes. */
function same(one, other, what) {
	assert.equal(one.length, other.length, what);
	const [left, right] = [words(one), words(other)];
	for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) assert.fail(`${what}: other bytes from ${4 * at} on`);
}

const alike = (one, other, what) => assert.ok(one === other, `${what}: another text`);

const gdvar = () => import('gdvar');
const forms = () => import('gdvar/forms');
const packet = () => import('gdvar/packet');

const record = (bytes) => {
	const file = new Uint8Array(4 + bytes.length);
	new DataView(file.buffer).setUint32(0, bytes.length, true);
	file.set(bytes, 4);
	return file;
};

const thrown = (work) => {
	try {
		work();
	} catch (error) {
		return error;
	}
	return undefined;
};

const players = (count) => Array.from({ length: count }, (_, n) => big.player(n));

/** Entry points by name: `(count, bytes)`, the number of players and the bytes of an Array of them. */
export const ENTRIES = {
	async decode(count, bytes) {
		const { decode } = await gdvar();
		big.check(decode(bytes), count, 'decode');
		big.check(decode(bytes, { maps: 'always' }).map((map) => Object.fromEntries(map)), count, 'decode, maps');
	},
	async encode(count, bytes) {
		const { encode, decode } = await gdvar();
		same(encode(players(count)), bytes, 'encode');
		same(encode(300), Uint8Array.of(2, 0, 0, 0, 44, 1, 0, 0), 'a small value after a large one');
		same(encode(decode(bytes)), bytes, 'encode of what was decoded');
	},
	async 'encode of bytes'(count, bytes) {
		const { encode } = await gdvar();
		const packed = encode(bytes);
		same(packed.subarray(8, 8 + bytes.length), bytes, 'encode');
		same(encode([true]), Uint8Array.of(28, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0), 'a small value after large bytes');
	},
	async validate(count, bytes) {
		const { validate } = await gdvar();
		assert.equal(validate(bytes), bytes.length);
		const error = thrown(() => validate(bytes.subarray(0, -8)));
		assert.deepEqual([error.code, error.path], ['Truncated', `$[${count - 1}].alive`]);
	},
	async get_var(count, bytes) {
		const { get_var, put_var } = await gdvar();
		big.check(get_var(record(bytes)), count, 'get_var');
		same(put_var(players(count)), record(bytes), 'put_var');
	},
	async records(count) {
		const { records, writeRecords } = await gdvar();
		const file = big.file(count);
		const values = [...records(file)];
		big.check(values.map((value) => value.toJS()), count, 'records');
		same(writeRecords(values), file, 'writeRecords of Values');
		same(writeRecords(players(count)), file, 'writeRecords');
	},
	async 'records of a cut file'(count) {
		const { records } = await gdvar();
		const file = big.file(count);
		let n = 0;
		const error = thrown(() => {
			for (const value of records(file.subarray(0, -5))) n += value.length === 5 ? 1 : 0;
		});
		assert.equal(n, count - 1);
		assert.equal(error?.code, 'Truncated');
	},
	async open(count, bytes) {
		const { open } = await gdvar();
		const value = open(bytes);
		assert.deepEqual([value.type, value.length], ['Array', count]);
		const middle = count >> 1;
		assert.equal(value.get(`[${middle}].name`).toJS(), `player_${middle}`);
		big.check([...value].map((one) => one.toJS()), count, 'open');
		big.check(value.toJS(), count, 'toJS');
		same(value.bytes(), bytes, 'Value.bytes');
		assert.deepEqual(value.get('[1]').toJS(), big.player(1));
		value.free();
	},
	async 'iteration of a damaged Array'(count, bytes) {
		const { open } = await gdvar();
		const damaged = bytes.slice();
		const middle = bytes.length >> 1;
		damaged.fill(255, middle, middle + 2 * PLAYER);
		let n = 0;
		const error = thrown(() => {
			for (const one of open(damaged)) n += one.type === 'Dictionary' ? 1 : 0;
		});
		assert.ok(n > count / 3 && n < count, `${n} of ${count}`);
		assert.equal(error?.name, 'GdvarError');
	},
	async RecordStream(count) {
		const { RecordStream } = await gdvar();
		const file = big.file(count);
		const source = new ReadableStream({
			start(controller) {
				for (let at = 0; at < file.length; at += 65_536) controller.enqueue(file.slice(at, at + 65_536));
				controller.close();
			},
		});
		const values = [];
		for await (const value of source.pipeThrough(new RecordStream())) values.push(value);
		big.check(values, count, 'RecordStream');
	},
	async 'RecordStream of a cut file'(count) {
		const { RecordStream } = await gdvar();
		const file = big.file(count);
		const source = new ReadableStream({
			start(controller) {
				controller.enqueue(file.subarray(0, file.length - 1));
				controller.close();
			},
		});
		const reader = source.pipeThrough(new RecordStream()).getReader();
		let n = 0;
		let error;
		try {
			while (!(await reader.read()).done) n++;
		} catch (failed) {
			error = failed;
		}
		assert.deepEqual([n, error?.code, error?.record], [count - 1, 'Truncated', count - 1]);
	},
	async 'forms: validate, locate, detect'(count, bytes) {
		const { validate, locate, detect } = await forms();
		assert.equal(validate(bytes, { strict: true }), bytes.length);
		assert.equal(locate(bytes, big.list(count).at), `$[${count - 1}].hp`);
		assert.equal(detect(bytes).readings[0].dialect, 'godot4');
	},
	async toJSON(count, bytes) {
		const { toJSON, lossesOfJSON } = await forms();
		alike(toJSON(bytes), big.json(count), 'toJSON');
		assert.equal(lossesOfJSON(bytes), '');
	},
	async fromJSON(count, bytes) {
		const { fromJSON, toJSON } = await forms();
		same(fromJSON(big.json(count)), bytes, 'fromJSON');
		for (const style of ['native', 'tagged']) same(fromJSON(toJSON(bytes, { style }), { style }), bytes, style);
	},
	async var_to_str(count, bytes) {
		const { var_to_str, str_to_var } = await forms();
		alike(var_to_str(bytes), big.text(count), 'var_to_str');
		assert.equal(str_to_var(big.text(count)).length, bytes.length);
	},
	async convert(count, bytes) {
		const { convert } = await forms();
		const old = big.list(count, { engine: 'godot3' }).bytes;
		const made = convert(old);
		same(made.bytes, bytes, 'convert');
		assert.deepEqual(made.report, []);
		same(convert(bytes, { from: 'godot4', to: 'godot3' }).bytes, old, 'convert back');
	},
	async diff(count, bytes) {
		const { diff } = await forms();
		const changed = count >> 1;
		const found = diff(bytes, big.list(count, { changed }).bytes);
		assert.deepEqual(found, [{ path: `$[${changed}].hp`, change: 'set', from: String(changed % 100), to: '7777' }]);
		assert.equal(diff(big.list(2).bytes, bytes, { limit: 1e9 }).length, count - 2);
	},
	async edit(count, bytes) {
		const { edit } = await forms();
		const changed = count >> 1;
		same(edit(bytes).set(`[${changed}].hp`, 7777).bytes(), big.list(count, { changed }).bytes, 'edit');
	},
	async 'contents and close'(count, bytes) {
		const { contents, close } = await forms();
		const packed = close(bytes, [{ kind: 'compressed', mode: 'deflate' }]);
		same(inflated(packed), bytes, 'close, by zlib');
		same((await contents(packed)).bytes, bytes, 'contents');
		const key = Uint8Array.from({ length: 32 }, (_, n) => 7 * n);
		const opened = await contents(encrypted(bytes, key), { password: key });
		same(opened.bytes, bytes, 'contents, encrypted by OpenSSL');
		assert.deepEqual(opened.layers.map(({ kind, form }) => [kind, form]), [['encrypted', 4]]);
	},
	async project(count) {
		const { openFile } = await forms();
		const bytes = big.project(count);
		const settings = openFile(bytes);
		assert.equal(settings.values[0].length, count);
		same(settings.edit().save(), bytes, 'a project');
	},
	async 'openFile, records'(count) {
		const { openFile } = await forms();
		const file = big.file(count);
		const opened = openFile(file);
		big.check(opened.values.map((value) => value.toJS()), count, 'openFile');
		same(opened.edit(count >> 1).save(), file, 'openFile, save');
	},
	async 'Packet.decode'(count, bytes) {
		const { Packet } = await packet();
		// CALL of node 3, method 1, with one argument: docs/PACKETS.md.
		const call = new Uint8Array(4 + bytes.length);
		call.set([0, 3, 1, 1]);
		call.set(bytes, 4);
		const { command, node, method, args } = Packet.decode(call);
		assert.deepEqual([command, node, method, args.length], ['CALL', 3, 1, 1]);
		big.check(args[0], count, 'Packet.decode');
	},
	async 'Session.hear'(count) {
		const { Session } = await packet();
		const session = new Session('godot4', 'records');
		const items = session.hear(big.file(count), 'to_server');
		big.check(items.map(({ args }) => args[0]), count, 'Session.hear');
		session.free();
	},
};

/** Calls an entry point with each size in turn, in megabytes. */
export async function run(entry, sizes) {
	for (const megabytes of sizes) {
		const count = Math.round((megabytes * 1e6) / PLAYER);
		try {
			await ENTRIES[entry](count, big.list(count).bytes);
		} catch (error) {
			error.message = `${entry}, ${megabytes} MB of ${sizes}: ${error.message}`;
			throw error;
		}
	}
}
