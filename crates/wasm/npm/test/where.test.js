// An error about a value in a file says where it is in the file: the byte, and of several records which one.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { test } from 'node:test';
import * as gdvar from 'gdvar';
import { openFile } from 'gdvar/forms';

const COUNT = 7;
/** The type of the value of `gold`, from the start of its record's value. */
const BROKEN = 44;

const value = () => gdvar.encode({ name: 'Ann', gold: 7 });
const broken = (() => {
	const bytes = value();
	assert.equal(bytes[BROKEN], 2);
	bytes[BROKEN] = 119;
	return bytes;
})();

/** A file of records of which one is broken, and the offset at which it is. */
function file(which, { count = COUNT, bigEndian = false } = {}) {
	const parts = Array.from({ length: count }, (_, n) => {
		const bytes = n === which ? broken : value();
		const record = new Uint8Array(4 + bytes.length);
		new DataView(record.buffer).setUint32(0, bytes.length, !bigEndian);
		record.set(bytes, 4);
		return record;
	});
	return { bytes: Buffer.concat(parts), offset: which * parts[0].length + 4 + BROKEN };
}

/** What reads all of a value, or the broken part of it. */
const USES = {
	toJS: (one) => one.toJS(),
	'toJS of a child': (one) => one.get('name').toJS() && one.get('gold'),
	bytes: (one) => one.bytes(),
	iteration: (one) => [...one].map(([key, item]) => [key.toJS(), item.toJS()]),
};

const about = ({ code, offset, record }) => ({ code, offset, record });

function failure(call) {
	try {
		call();
	} catch (error) {
		assert.ok(error instanceof gdvar.GdvarError, error);
		return error;
	}
	assert.fail('no error');
}

test('records', () => {
	for (const bigEndian of [false, true]) {
		for (let which = 0; which < COUNT; which++) {
			const { bytes, offset } = file(which, { bigEndian });
			const all = [...gdvar.records(bytes, { bigEndian })];
			for (const [name, use] of Object.entries(USES)) {
				const error = failure(() => use(all[which]));
				assert.deepEqual(about(error), { code: 'UnknownType', offset, record: which }, name);
				assert.equal(bytes[error.offset], 119);
				assert.match(error.message, new RegExp(`\\(in record ${which} at byte ${offset}`));
			}
			if (which > 0) use(all[0]);
		}
	}
	function use(one) {
		assert.deepEqual(one.toJS(), { name: 'Ann', gold: 7 });
	}
	// One record has no index.
	const { bytes, offset } = file(0, { count: 1 });
	for (const call of [() => gdvar.get_var(bytes), () => [...gdvar.records(bytes)][0].toJS()]) {
		assert.deepEqual(about(failure(call)), { code: 'UnknownType', offset, record: undefined });
	}
	assert.equal(failure(() => gdvar.get_var(file(0).bytes)).offset, offset);
	assert.equal(failure(() => gdvar.open(broken).toJS()).offset, BROKEN);
});

test('files: the same byte and record as in the damage', () => {
	for (let which = 0; which < COUNT; which++) {
		const { bytes } = file(which);
		const lines = Array.from({ length: COUNT }, (_, n) => Buffer.from(n === which ? broken : value()).toString('hex')).join('\n');
		const inputs = {
			plain: [bytes],
			gzip: [gzipSync(bytes)],
			'a header of the game': [Buffer.concat([Buffer.from('GAME\x01\x02'), bytes]), { skip: 6 }],
			'big-endian': [file(which, { bigEndian: true }).bytes, { framing: 'len32be' }],
			'lines of hex': [Buffer.from(lines), { framing: 'hex' }],
		};
		for (const [name, [input, options]] of Object.entries(inputs)) {
			const opened = openFile(input, { dialect: 'godot4', ...options });
			const [damage] = opened.damage;
			assert.equal(damage.record, which, name);
			assert.equal(opened.values.length, COUNT);
			for (const [how, use] of Object.entries(USES)) assert.deepEqual(about(failure(() => use(opened.values[which]))), about(damage), `${name}, ${how}`);
		}
	}
	const one = openFile(broken, { dialect: 'godot4', framing: 'bare' });
	assert.deepEqual(about(failure(() => one.values[0].toJS())), { code: 'UnknownType', offset: BROKEN, record: undefined });
});

test('streams', async () => {
	for (let which = 0; which < COUNT; which++) {
		const { bytes, offset } = file(which);
		for (const size of [1, 100, bytes.length]) {
			const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
			const source = () => new ReadableStream({ start: (controller) => (pieces.forEach((piece) => controller.enqueue(piece)), controller.close()) });
			for (const values of [gdvar.RecordStream.from(pieces), source().pipeThrough(new gdvar.RecordStream())]) {
				let count = 0;
				await assert.rejects(
					async () => {
						for await (const one of values) count += one.gold === 7 ? 1 : 0;
					},
					{ code: 'UnknownType', offset, record: which },
				);
				assert.equal(count, which);
			}
		}
	}
});
