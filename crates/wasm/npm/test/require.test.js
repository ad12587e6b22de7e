// The package in each runtime that it is for (runtimes.js), by `require` and by `import`, and bundled.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { others, own, run } from './runtimes.js';

const home = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gdvar-require-'));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(home, join(folder, 'node_modules', 'gdvar'), 'junction');
// Deno looks for packages that a package.json names.
writeFileSync(join(folder, 'package.json'), '{ "private": true, "dependencies": { "gdvar": "*" } }');

const text = async (program, ...args) => (await run(program, args, { cwd: folder })).stdout.trim();

const CALLS = `
const value = gdvar.decode(gdvar.encode({ hp: 80, at: new gdvar.Vector2i(1, 2) }));
const bytes = forms.edit(gdvar.encode(value)).set('hp', 99).bytes();
const closed = forms.close(bytes, [{ kind: 'encrypted', form: 4, password: 'secret' }]);
const packet = packets.Packet.decode(Buffer.from('000301020264040000000400000066697265', 'hex'));
console.log(forms.toJSON(bytes), packet.args.join(), closed.length);
`;
const ANSWER = '{"hp":99,"at":[1,2]} 100,fire 108';

writeFileSync(join(folder, 'required.cjs'), `
const gdvar = require('gdvar');
const forms = require('gdvar/forms');
const packets = require('gdvar/packet');
${CALLS}`);
writeFileSync(join(folder, 'imported.mjs'), `
import * as gdvar from 'gdvar';
import * as forms from 'gdvar/forms';
import * as packets from 'gdvar/packet';
${CALLS}`);
writeFileSync(join(folder, 'both.mjs'), `
import { createRequire } from 'node:module';
import * as gdvar from 'gdvar';
console.log(createRequire(import.meta.url)('gdvar').Vector2 === gdvar.Vector2);`);
writeFileSync(join(folder, 'modules.mjs'), 'console.log(Boolean(process.features.require_module));');
writeFileSync(join(folder, 'inline.mjs'), "import { decode, encode } from 'gdvar/inline'; console.log(decode(encode([1, 'two'])).join());");
writeFileSync(join(folder, 'inline.cjs'), "const { decode, encode } = require('gdvar/inline'); console.log(decode(encode([1, 'two'])).join());");
const SAVE = `console.log(openFile(store_var([1, 'two'])).values[0].toJS().join());`;
writeFileSync(join(folder, 'forms.mjs'), `import { store_var } from 'gdvar/inline'; import { openFile } from 'gdvar/forms/inline'; ${SAVE}`);
writeFileSync(join(folder, 'forms.cjs'), `const { store_var } = require('gdvar/inline'); const { openFile } = require('gdvar/forms/inline'); ${SAVE}`);

for (const { name, script, tests } of [own, ...others]) {
	test(`${name}: require and import`, async () => {
		for (const entry of ['inline.mjs', 'inline.cjs', 'forms.mjs', 'forms.cjs']) assert.equal(await text(script, entry), '1,two', entry);
		assert.equal(await text(script, 'required.cjs'), ANSWER);
		assert.equal(await text(script, 'imported.mjs'), ANSWER);
		// Where require takes modules there is one package, not two.
		if (await text(script, 'modules.mjs') === 'true') assert.equal(await text(script, 'both.mjs'), 'true');
	});

	// This Node runs these files anyway.
	if (name !== own.name) {
		test(`${name}: all vectors and refusals`, async () => {
			for (const file of ['vectors', 'identity', 'reject', 'floats', 'refuse', 'use']) await run(tests, [`./test/${file}.test.js`], { cwd: home });
		});
	}
}

test('gdvar/inline and gdvar/forms/inline in a bundle', async (t) => {
	if (!existsSync(join(home, 'node_modules', 'esbuild'))) return t.skip('SKIPPED: esbuild is not installed');
	const { buildSync } = await import('esbuild');
	for (const entry of ['inline.mjs', 'inline.cjs', 'forms.mjs', 'forms.cjs']) {
		for (const format of ['cjs', 'iife', 'esm']) {
			const outfile = join(folder, `bundle.${format === 'esm' ? 'mjs' : 'cjs'}`);
			buildSync({ entryPoints: [join(folder, entry)], bundle: true, format, outfile, logLevel: 'silent' });
			for (const { name, script } of [own, ...others]) assert.equal(await text(script, outfile), '1,two', `${entry} as ${format} in ${name}`);
		}
	}
});
