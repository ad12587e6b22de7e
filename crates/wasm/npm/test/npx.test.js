// `npx gdvar` runs the command where it is installed, and otherwise says how to get it: GDVAR=PROGRAM.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = process.env.GDVAR;
const script = fileURLToPath(new URL('../bin/gdvar.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gdvar-npx-'));

// As npm links it, and in front of the command.
const shims = join(folder, 'node_modules', '.bin');
mkdirSync(shims, { recursive: true });
symlinkSync(script, join(shims, 'gdvar'));

const run = (path, ...args) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env: { ...process.env, PATH: [shims, ...path].join(delimiter) } });

test('without the command', () => {
	const { status, stdout, stderr } = run([], 'check', 'slot1.save');
	assert.deepEqual([status, stdout], [127, '']);
	assert.match(stderr, /the command is not on PATH[^]*= help: https:/);
});

test('with the command', { skip: !existsSync(program ?? '') && 'SKIPPED: GDVAR names no program' }, () => {
	const installed = join(folder, 'bin');
	mkdirSync(installed);
	symlinkSync(program, join(installed, 'gdvar'));
	for (const args of [['--version'], ['check', join(folder, 'nothing')], ['no-such-verb']]) {
		const own = spawnSync(program, args, { encoding: 'utf8' });
		const { status, stdout, stderr } = run([installed], ...args);
		assert.deepEqual([status, stdout, stderr], [own.status, own.stdout, own.stderr]);
	}
});
