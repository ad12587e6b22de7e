// The declarations for TypeScript fit the programs that use them: types.ts, and every example of the README, in strict mode.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const home = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(home, 'node_modules/typescript/bin/tsc');
const options = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2022', '--lib', 'es2022,esnext.disposable,dom,dom.iterable', '--module', 'nodenext'];

test('types.ts, and every example of the README, as a module and by require', (t) => {
	const needed = [compiler, join(home, 'node_modules/@types/node'), join(home, 'node_modules/valibot'), join(home, 'index.d.cts')];
	if (!needed.every(existsSync)) return t.skip('SKIPPED: TypeScript, @types/node, valibot or index.d.cts is not there');
	const folder = mkdtempSync(join(tmpdir(), 'gdvar-types-'));
	mkdirSync(join(folder, 'node_modules'));
	symlinkSync(home, join(folder, 'node_modules/gdvar'), 'junction');
	for (const name of ['@types', 'valibot']) symlinkSync(join(home, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
	const examples = [...readFileSync(join(home, 'README.md'), 'utf8').matchAll(/```[jt]s\n(.*?)```/gs)].map(([, code]) => code);
	assert.ok(examples.length >= 8);
	const files = examples.flatMap((code, n) => {
		// `import` in a .cts is a `require`.
		for (const kind of ['mts', 'cts']) writeFileSync(join(folder, `example${n}.${kind}`), `${code}\nexport {};\n`);
		return [`example${n}.mts`, `example${n}.cts`];
	});
	// Once for all: most of the time goes into the declarations of browsers and of Node.
	const { status, stdout } = spawnSync(process.execPath, [compiler, ...options, join(home, 'test/types.ts'), ...files], { cwd: folder, encoding: 'utf8' });
	assert.equal(status, 0, stdout);
});
