/*
 * Every entry point in fresh processes, with inputs that grow and that shrink. Here they are small; `SIZES='0.1,1,20 50,1'`, in
 * megabytes, are those of scripts/checks/runtimes for all runtimes.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { others, own, run } from './runtimes.js';
import { ENTRIES } from './sizes.js';

const { SIZES } = process.env;
const program = fileURLToPath(new URL('sizes.run.js', import.meta.url));
const entries = Object.keys(ENTRIES);
/** One of each way to use memory: a call that takes more than 16 MB of it gives it back. */
const LARGE = ['decode', 'encode', 'open', 'toJSON', 'edit', 'contents and close', 'Packet.decode'];

function walk({ name, script }, orders, entries) {
	test(`${name}: ${entries.length === 1 ? entries[0] : 'all entry points'}`, async () => {
		for (const sizes of orders) assert.equal((await run(script, [program, sizes, ...entries])).stdout, 'done\n');
	});
}

describe('sizes', { concurrency: 2 }, () => {
	const small = (entry) => ['0.1,1', ...(LARGE.includes(entry) ? ['18,0.1'] : [])];
	for (const entry of entries) walk(own, SIZES?.split(' ') ?? small(entry), [entry]);
	for (const other of others) {
		if (!SIZES) walk(other, ['0.1'], entries);
		else for (const entry of entries) walk(other, SIZES.split(' '), [entry]);
	}
});
