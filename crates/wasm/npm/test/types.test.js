// The declarations for TypeScript fit a program that uses them.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const home = fileURLToPath(new URL('..', import.meta.url));
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

test('types', (t) => {
	if (!existsSync(compiler)) return t.skip('TypeScript is not installed');
	const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--module', 'nodenext', 'test/types.ts'];
	execFileSync(process.execPath, [compiler, ...options], { cwd: home, stdio: 'inherit' });
});
