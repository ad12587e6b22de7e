// No view of memory outlives a call into WebAssembly: all that other files test, with memory that moves at each call.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const home = fileURLToPath(new URL('..', import.meta.url));

for (const file of ['vectors', 'reject', 'use', 'floats', 'refuse', 'key', 'file', 'packet']) {
	test(`memory that moves at each call: ${file}.test.js`, () => {
		const { NODE_TEST_CONTEXT, ...env } = process.env;
		const args = ['--import', './test/moving.js', '--test-reporter=tap', `test/${file}.test.js`];
		const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: home, env, encoding: 'utf8', maxBuffer: 1 << 28 });
		assert.equal(status, 0, stdout + stderr);
		assert.ok(/^ok 1 /m.test(stdout));
	});
}

test('one file makes views of memory', () => {
	const src = new URL('../src/', import.meta.url);
	const makers = readdirSync(src).filter((name) => /memory\b[^;]*\.buffer|\{ buffer \}/.test(readFileSync(new URL(name, src), 'utf8')));
	assert.deepEqual(makers, ['memory.js']);
});
