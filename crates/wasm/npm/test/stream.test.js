// RecordStream in a pipe: every whole value arrives before the error after it, however the bytes come and however slow the reader is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { RecordStream, put_var, writeRecords } from 'gdvar';

const COUNT = 20;
const whole = writeRecords(Array.from({ length: COUNT }, (_, n) => ({ n })));
const damaged = put_var({ n: COUNT });
damaged[4] = 255;

/** What follows the whole records, and the error that ends the stream. */
const ENDS = [
	{ name: 'whole', rest: [] },
	{ name: 'cut in its value', rest: put_var({ n: COUNT }).subarray(0, 9), error: { code: 'Truncated', record: COUNT, offset: whole.length } },
	{ name: 'cut in its length', rest: [8, 0, 0], error: { code: 'Truncated', record: COUNT, offset: whole.length } },
	{ name: 'damaged', rest: [...damaged, ...put_var(1)], error: { code: 'UnknownType', record: COUNT, offset: whole.length + 4, path: '$' } },
	{ name: 'too long', rest: [255, 255, 255, 127, ...put_var(1)], error: { code: 'TooLong', record: COUNT, offset: whole.length } },
];

/** Cuts bytes into pieces, and counts those that were taken. */
function source(bytes, size) {
	let at = 0;
	const taken = { pieces: 0 };
	const stream = new ReadableStream(
		{
			pull(controller) {
				if (at >= bytes.length) return controller.close();
				controller.enqueue(bytes.slice(at, (at += size)));
				taken.pieces++;
			},
			cancel: (reason) => void (taken.reason = reason),
		},
		{ highWaterMark: 0 },
	);
	return { stream, taken };
}

const READERS = {
	fast: async (stream, got) => {
		for await (const { n } of stream) got.push(n);
	},
	slow: async (stream, got) => {
		const reader = stream.getReader();
		for (;;) {
			await setTimeout(1);
			const { done, value } = await reader.read();
			if (done) return;
			got.push(value.n);
		}
	},
	'with all reads at once': async (stream, got) => {
		const reader = stream.getReader();
		const all = await Promise.allSettled(Array.from({ length: 2 * COUNT }, () => reader.read()));
		for (const { value } of all) if (value?.done === false) got.push(value.value.n);
		const failed = all.find(({ status }) => status === 'rejected');
		if (failed) throw failed.reason;
	},
	'through another stream': async (stream, got) => {
		for await (const n of stream.pipeThrough(new TransformStream({ transform: ({ n }, controller) => controller.enqueue(n) }))) got.push(n);
	},
};

for (const { name, rest, error } of ENDS) {
	test(`all values before the end: ${name}`, async () => {
		const bytes = Uint8Array.from([...whole, ...rest]);
		for (const size of [1, 16, 1000, bytes.length]) {
			for (const [how, read] of Object.entries(READERS)) {
				const got = [];
				const { stream, taken } = source(bytes, size);
				const reading = read(stream.pipeThrough(new RecordStream()), got);
				if (error) await assert.rejects(reading, { name: 'GdvarError', ...error }, `${size} ${how}`);
				else await reading;
				assert.deepEqual(got, Array.from({ length: COUNT }, (_, n) => n), `${how} reader, pieces of ${size}`);
				// The source hears of what cannot be read, and only of that.
				await setTimeout(0);
				if (taken.reason !== undefined) assert.equal(taken.reason.code, error?.code);
			}
			const got = [];
			const reading = READERS.fast(RecordStream.from(source(bytes, size).stream), got);
			if (error) await assert.rejects(reading, { name: 'GdvarError', ...error });
			else await reading;
			assert.equal(got.length, COUNT, `from, pieces of ${size}`);
		}
	});
}

test('a slow reader holds its source back', async () => {
	for (const size of [1, 16, 1000]) {
		const { stream, taken } = source(Uint8Array.from(Array.from({ length: 40 }, () => [...whole]).flat()), size);
		const reader = stream.pipeThrough(new RecordStream()).getReader();
		await setTimeout(20);
		assert.ok(taken.pieces <= 2, `${taken.pieces} pieces of ${size} before the first read`);
		for (let n = 0; n < 3; n++) assert.deepEqual((await reader.read()).value, { n });
		await setTimeout(20);
		const needed = Math.ceil((3 * whole.length) / COUNT / size);
		assert.ok(taken.pieces <= needed + 2, `${taken.pieces} pieces of ${size} for three values`);
		await reader.cancel('enough');
		await setTimeout(0);
		assert.equal(taken.reason, 'enough');
	}
});

test('the writer of a stream is told of an error, and of the end', async () => {
	const stream = new RecordStream();
	const got = [];
	const reading = READERS.slow(stream.readable, got);
	const writer = stream.writable.getWriter();
	await writer.write(whole.subarray(0, 30));
	await writer.write(whole.slice(30).buffer);
	await writer.close();
	await reading;
	assert.equal(got.length, COUNT);
	// A write ends with the last of its values, not with the read after it.
	const one = new RecordStream();
	const writing = one.writable.getWriter();
	const ended = writing.write(put_var(1));
	assert.equal((await one.readable.getReader().read()).value, 1);
	await ended;
	for (const [bytes, code] of [[damaged, 'UnknownType'], [Uint8Array.of(255, 255, 255, 127), 'TooLong']]) {
		const { readable, writable } = new RecordStream();
		const read = assert.rejects(readable.getReader().read(), { code });
		await assert.rejects(writable.getWriter().write(bytes), { code });
		await read;
	}
	const { readable, writable } = new RecordStream();
	const cut = writable.getWriter();
	const read = assert.rejects(readable.getReader().read(), { code: 'Truncated' });
	await cut.write(whole.subarray(0, 5));
	await assert.rejects(cut.close(), { code: 'Truncated' });
	await read;
	for (const piece of ['text', undefined, null, [1]]) {
		const odd = new RecordStream();
		const reads = assert.rejects(odd.readable.getReader().read(), TypeError);
		await assert.rejects(odd.writable.getWriter().write(piece), TypeError);
		await reads;
	}
	const left = new RecordStream();
	await left.writable.abort(new Error('gone'));
	await assert.rejects(left.readable.getReader().read(), { message: 'gone' });
});
