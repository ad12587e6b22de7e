// The package as people get it: packed, put into an empty folder, and the examples of the README and the guide run there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const home = fileURLToPath(new URL('..', import.meta.url));
const run = (program, args, cwd) => execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

test('npm pack, an empty folder, the examples of the README and the guide', () => {
	const folder = mkdtempSync(join(tmpdir(), 'gdvar-pack-'));
	const [{ filename, files }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], home));
	const names = files.map(({ path }) => path);
	for (const name of ['gdvar.wasm', 'gdvar-forms.wasm', 'gdvar-packet.wasm', 'index.d.ts', 'forms.d.ts', 'packet.d.ts', 'inline.js', 'forms.inline.js', 'gdvar-forms.wasm.base64.js', 'README.md', 'src/decode.js', 'index.cjs', 'forms.cjs', 'packet.cjs', 'all.cjs', 'index.d.cts', 'bin/gdvar.js']) {
		assert.ok(names.includes(name), name);
	}
	assert.ok(!names.some((name) => name.startsWith('test') || name.includes('node_modules')));
	run('tar', ['xzf', filename], folder);
	mkdirSync(join(folder, 'node_modules'));
	cpSync(join(folder, 'package'), join(folder, 'node_modules', 'gdvar'), { recursive: true });
	writeFileSync(join(folder, 'package.json'), '{"type":"module"}');

	const pages = [join(home, 'README.md'), join(home, '../../../docs/guide/javascript.md')].map((path) => readFileSync(path, 'utf8'));
	const examples = [...pages.join('\n').matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);
	assert.ok(examples.length >= 4);
	examples.forEach((code, n) => {
		// The comment behind a console.log is the text that it prints.
		const expected = [...code.matchAll(/console\.log\(.*?\); \/\/ (.*)/g)].map(([, text]) => text);
		assert.ok(expected.length > 0);
		writeFileSync(join(folder, `example${n}.js`), code);
		assert.deepEqual(run('node', [`example${n}.js`], folder).trim().split('\n'), expected);
	});
	writeFileSync(join(folder, 'inline.js'), "import { decode, encode } from 'gdvar/inline'; console.log(decode(encode([1, 'two'])));");
	assert.equal(run('node', ['inline.js'], folder).trim(), "[ 1, 'two' ]");
	run('npm', ['publish', '--dry-run'], join(folder, 'package'));
});

test('gdvar.wasm is small', () => {
	const size = gzipSync(readFileSync(join(home, 'gdvar.wasm')), { level: 9 }).length;
	assert.ok(size <= 90_000, `${size} bytes with gzip`);
});
