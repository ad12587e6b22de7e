// Bytes that are refused, and hostile ones: always an error of this package, never a dead process.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GdvarError, decode, encode, get_var, open, records, validate } from 'gdvar';
import { lines, unhex } from './data.js';
import { readFileSync } from 'node:fs';

const bytesOf = (line) =>
	line.hex_parts ? unhex(line.hex_parts.map(([hex, times]) => hex.repeat(times)).join('')) : unhex(line.hex);

/** The vectors of which the libraries say something else than an engine on purpose, and why: crates/conformance/src/deliberate.rs. */
const DELIBERATE = [
	{ id: 'nodepath/counts-wrap', ours: 'InvalidLength' },
	{ id: 'depth/', engine: '3.2.3', ours: 'DepthExceeded' },
	{ id: 'projection/', engine: 'pandemonium-5.3', ours: 'accepted' },
	{ id: 'vector4', engine: 'pandemonium-5.3', ours: 'Truncated' },
	{ id: 'object/unknown-class', ours: 'accepted' },
	{ id: 'typed/script-missing-full', engine: '4.6.3', ours: 'accepted' },
];

function verdictOf(bytes, options) {
	try {
		validate(bytes, options);
		return 'accepted';
	} catch (error) {
		assert.ok(error instanceof GdvarError);
		return error.code;
	}
}

for (const [file, engines] of [
	['reject.jsonl', { '3.2.3': 'godot3', '4.6.3': 'godot4' }],
	['pandemonium5-reject.jsonl', { 'pandemonium-5.3': 'pandemonium5' }],
]) {
	test(`verdicts of ${file}`, () => {
		let refused = 0;
		let accepted = 0;
		for (const line of lines(file)) {
			const bytes = bytesOf(line);
			for (const [engine, verdict] of Object.entries(line.verdicts)) {
				const dialect = engines[engine];
				if (!dialect || verdict.crash) continue;
				const options = { dialect, objects: line.full_objects ? 'inert' : 'ids' };
				const where = `${line.id} for ${engine}`;
				const known = DELIBERATE.find(({ id, engine: only = engine }) => line.id.startsWith(id) && only === engine);
				if (known?.ours === verdictOf(bytes, options)) continue;
				if (!verdict.accepted) {
					let own;
					assert.throws(() => validate(bytes, options), (error) => ((own = error), error instanceof GdvarError), where);
					assert.ok(own.code && own.offset <= bytes.length, where);
					// Every way to read says the same.
					assert.throws(() => decode(bytes, options), { code: own.code, offset: own.offset }, where);
					refused++;
				} else if (verdict.value && !line.full_objects) {
					decode(bytes, options);
					accepted++;
				}
			}
		}
		assert.ok(refused > 10 && accepted > 10);
		console.log(`# ${file}: ${refused} refused, ${accepted} read`);
	});
}

/*
 * native.jsonl is what the command says of the vectors of both files: the answers of `gdvar check --json -f hex -d DIALECT
 * --objects ids` (for whole objects `inert`) to their hex digits, each with the vector's id.
 */
test('code, offset and path are those of the command', () => {
	const vectors = new Map();
	for (const file of ['reject.jsonl', 'pandemonium5-reject.jsonl']) {
		for (const line of lines(file)) vectors.set(`${file} ${line.id}`, line);
	}
	let refused = 0;
	for (const text of readFileSync(new URL('native.jsonl', import.meta.url), 'utf8').split('\n')) {
		if (text === '') continue;
		const { file, id, dialect, read, error, offset, path } = JSON.parse(text);
		const line = vectors.get(`${file} ${id}`);
		const options = { dialect, objects: line.full_objects ? 'inert' : 'ids' };
		if (read) {
			validate(bytesOf(line), options);
			continue;
		}
		for (const way of [validate, decode]) {
			assert.throws(() => way(bytesOf(line), options), { code: error, offset, path }, `${id} in ${dialect}`);
		}
		refused++;
	}
	assert.ok(refused > 200);
	console.log(`# ${refused} refused with the code, offset and path of the command`);
});

for (const [file, dialect] of [
	['mutants4.txt', 'godot4'],
	['mutants3.txt', 'godot3'],
]) {
	test(`damaged bytes of ${file}: as the engine, and decode as validate`, () => {
		const all = readFileSync(new URL(`../../../../testdata/vectors/${file}`, import.meta.url), 'utf8');
		let count = 0;
		for (const line of all.split('\n')) {
			if (!/^[+-]/.test(line)) continue;
			const bytes = unhex(line.slice(1));
			let own;
			try {
				validate(bytes, { dialect });
			} catch (error) {
				own = error;
			}
			// A NodePath whose two counts only fit because their sum wraps at 32 bits, see above.
			if (line[0] === '+' && verdictOf(bytes, { dialect }) === 'InvalidLength') continue;
			assert.equal(own === undefined, line[0] === '+', line.slice(0, 80));
			if (own) assert.throws(() => decode(bytes, { dialect }), { code: own.code, offset: own.offset }, line);
			else decode(bytes, { dialect });
			count++;
		}
		assert.ok(count > 2380);
		console.log(`# ${file}: ${count} as the engine says`);
	});
}

test('a million nested arrays', () => {
	const bytes = new Uint8Array(8_000_000);
	const words = new Uint32Array(bytes.buffer);
	for (let n = 0; n < words.length; n += 2) {
		words[n] = 28;
		words[n + 1] = 1;
	}
	assert.throws(() => decode(bytes), { code: 'DepthExceeded', offset: 8200 });
	assert.throws(() => validate(bytes), { code: 'DepthExceeded' });
	// Without the engine's limit too.
	assert.throws(() => decode(bytes, { maxDepth: 1e9 }), { name: 'GdvarError' });
	assert.throws(() => open(bytes).get('[0]'.repeat(2000)), { code: 'DepthExceeded' });
});

test('claims of lengths', () => {
	for (const type of [4, 21, 27, 28, ...Array.from({ length: 10 }, (_, n) => 29 + n)]) {
		for (const count of [0xffff_ffff, 0x7fff_ffff, 0x4000_0000, 0x0100_0000]) {
			const bytes = new Uint8Array(20);
			new DataView(bytes.buffer).setUint32(0, type, true);
			new DataView(bytes.buffer).setUint32(4, count, true);
			// The engine takes a negative number of strings for none.
			if (type === 34 && count > 0x7fff_ffff) assert.deepEqual(decode(bytes).length, 0);
			else assert.throws(() => decode(bytes), { name: 'GdvarError' }, `${type} ${count}`);
		}
	}
	assert.throws(() => get_var(new Uint8Array([255, 255, 255, 255, 0, 0, 0, 0])), { name: 'GdvarError' });
});

test('what is cut anywhere', () => {
	const bytes = encode({ name: 'Ann', list: [1, 2.5, null], packed: new Float32Array(3) });
	for (let length = 0; length < bytes.length; length++) {
		assert.throws(() => decode(bytes.subarray(0, length)), { code: 'Truncated' });
	}
});

test('JavaScript that is no value', () => {
	const cycle = { list: [] };
	cycle.list.push(cycle);
	assert.throws(() => encode(cycle), { code: 'DepthExceeded' });
	assert.throws(() => encode({ a: [1, { b: undefined }] }), { code: 'Unrepresentable', path: '$.a[1].b' });
	assert.throws(() => encode([() => 1]), { path: '$[0]' });
	assert.throws(() => encode({ 'odd key': Symbol('x') }), { path: '$["odd key"]' });
	assert.throws(() => encode({ when: new Date() }), { path: '$.when' });
	assert.throws(() => encode([2n ** 63n]), { code: 'IntTooWide', path: '$[0]' });
	assert.throws(() => encode({ a: ['x', 'a\0b'] }), { code: 'EmbeddedNul', path: '$.a[1]' });
	assert.throws(() => encode('\ud800'), { code: 'InvalidText' });
	assert.deepEqual(encode('\ud800', { target: 'godot3' }).slice(8, 11), new Uint8Array([0xed, 0xa0, 0x80]));
	assert.throws(() => encode([new Float64Array(1)], { target: 'godot3' }), { code: 'Unrepresentable', path: '$[0]' });
	assert.throws(() => decode('text'), TypeError);
	assert.throws(() => decode(new Uint8Array(4), { dialect: 'godot5' }), TypeError);
});

test('odd keys do no harm', () => {
	const bytes = encode(new Map([['__proto__', new Map([['polluted', true]])], ['x', 1]]));
	const value = decode(bytes);
	assert.ok(value instanceof Map);
	assert.equal({}.polluted, undefined);
	// Numbers as text would move to the front of an object.
	assert.deepEqual([...decode(encode(new Map([['b', 1], ['1', 2]]))).keys()], ['b', '1']);
	for (const key of ['constructor', 'toString', 'hasOwnProperty']) assert.equal(decode(encode({ [key]: 1 }))[key], 1);
});

test('one record after the other, cut and too long', () => {
	const cut = (bytes) => () => [...records(new Uint8Array(bytes))];
	assert.throws(cut([8, 0, 0, 0, 2, 0, 0]), { code: 'Truncated', offset: 0, message: /a record of 8 bytes is cut.* 3 are left/ });
	assert.throws(cut([4, 0, 0, 0, 0, 0, 0, 0, 8, 0]), { code: 'Truncated', offset: 8, message: /and 2 are left/ });
	// As far as it goes, if that is asked for.
	const file = readFileSync(new URL('../../../../testdata/saves/rpg4.sav', import.meta.url));
	for (const length of [file.length - 1, 40_000, 5000, 100]) {
		const part = file.subarray(0, length);
		for (const read of [open, validate, decode]) assert.throws(() => read(part), { code: 'UnknownType', message: /a record of store_var that is cut: records/ });
		assert.throws(() => [...records(part)], { code: 'Truncated', message: /records\(bytes, \{ cut: true \}\)/ });
		const [value] = records(part, { cut: true });
		const pairs = [];
		assert.throws(() => {
			for (const [key, item] of value) pairs.push([key.toJS(), item.type]);
		}, { code: 'Truncated' });
		// The count of so few bytes is more than they can hold.
		assert.deepEqual(pairs.slice(0, 2), length > 100 ? [['version', 'Int'], ['game', 'String']] : []);
	}
	assert.equal([...records(file, { cut: true })].length, 1);
	assert.throws(() => [...records(file.subarray(0, 3), { cut: true })][0].type, { code: 'Truncated', offset: 0, message: /and 3 are left/ });
	// A file that is packed says how to read it.
	for (const [name, kind] of [['camp4.fastlz.gcpf', 'compressed'], ['rpg4.pass.gdec', 'encrypted']]) {
		const bytes = readFileSync(new URL(`../../../../testdata/saves/${name}`, import.meta.url));
		assert.throws(() => get_var(bytes), { code: 'Truncated', message: new RegExp(`${kind} file: contents`) });
	}
});
