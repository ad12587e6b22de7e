// The package gives what the command gives, byte for byte, for real saves many times over: GDVAR=PROGRAM.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as big from './big.js';
import { file } from './data.js';

const program = process.env.GDVAR;
const skip = !existsSync(program ?? '') && 'SKIPPED: GDVAR names no program';
const folder = mkdtempSync(join(tmpdir(), 'gdvar-command-'));
const home = fileURLToPath(new URL('..', import.meta.url));

/** An Array of `count` copies of the record in a save. */
function copies(name, type, count) {
	const record = file(`saves/${name}`).subarray(4);
	const bytes = new Uint8Array(8 + count * record.length);
	new Uint32Array(bytes.buffer, 0, 2).set([type, count]);
	for (let n = 0; n < count; n++) bytes.set(record, 8 + n * record.length);
	const path = join(folder, `${name}.${count}`);
	writeFileSync(path, bytes);
	return path;
}

function command(...args) {
	const { status, stdout, stderr } = spawnSync(program, args, { maxBuffer: 1 << 30 });
	// 1: there were losses.
	assert.ok(status === 0 || status === 1, `${args}: ${stderr}`);
	return stdout;
}

/** The same by the package, in a process that does nothing else. */
function ours(path, expression) {
	const code = `
		import { readFileSync, writeFileSync } from 'node:fs';
		import * as forms from 'gdvar/forms';
		const bytes = readFileSync(${JSON.stringify(path)});
		writeFileSync(${JSON.stringify(`${path}.out`)}, ${expression});`;
	execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: home });
	return readFileSync(`${path}.out`);
}

const SHOWN = 200;

function same(one, other, what) {
	if (Buffer.compare(one, other) === 0) return;
	const at = one.findIndex((byte, n) => byte !== other[n]);
	const part = (bytes) => bytes.subarray(Math.max(0, at - 20), at + SHOWN).toString();
	assert.fail(`${what}: of ${one.length} and ${other.length} bytes other ones from ${at} on: ${part(one)} … ${part(other)}`);
}

for (const count of [1, 12, 60]) {
	test(`as the command: ${count} copies of a save`, { skip }, () => {
		for (const [name, type, dialect] of [['rpg4.sav', 28, 'godot4'], ['rpg3.sav', 19, 'godot3']]) {
			const path = copies(name, type, count);
			const reading = ['-d', dialect, '--framing', 'bare', path];
			const options = `dialect: '${dialect}', objects: 'inert'`;
			for (const style of ['plain', 'native', 'tagged']) {
				// The command says in the first member of tagged JSON where the value came from, and ends with a line feed.
				const json = command('json', '--style', style, ...reading).toString().replace(/^\{"gdvar":"[^"]*",/, '{').trimEnd();
				same(ours(path, `forms.toJSON(bytes, { style: '${style}', ${options} })`), Buffer.from(json), `${name} ${style}`);
			}
			const text = command('view', '--full', '--format', 'godot', ...reading).toString().trimEnd();
			same(ours(path, `forms.var_to_str(bytes, { ${options} })`), Buffer.from(text), `${name} var_to_str`);
			const to = dialect === 'godot4' ? 'godot3' : 'godot4';
			const converted = join(folder, 'converted');
			command('convert', '--to', to, '-o', converted, ...reading);
			same(ours(path, `forms.convert(bytes, { from: '${dialect}', to: '${to}' }).bytes`), readFileSync(converted), `${name} to ${to}`);
		}
	});
}

// The command says of large values what sizes.test.js holds the package to.
for (const megabytes of (process.env.SIZES ?? '0.1').split(/[ ,]/).map(Number)) {
	test(`the command at ${megabytes} MB`, { skip }, () => {
		const count = Math.round((megabytes * 1e6) / 124);
		const bare = ['-d', 'godot4', '--framing', 'bare'];
		const [path, to] = ['one', 'other'].map((name) => join(folder, name));
		const { bytes } = big.list(count);
		const changed = count >> 1;
		writeFileSync(path, bytes);
		const json = command('json', '--style', 'plain', ...bare, path);
		same(json.subarray(0, -1), Buffer.from(big.json(count)), 'json');
		same(command('view', '--full', '--format', 'godot', ...bare, path).subarray(0, -1), Buffer.from(big.text(count)), 'text');
		command('convert', '--to', 'godot3', '-o', to, ...bare, path);
		same(readFileSync(to), big.list(count, { engine: 'godot3' }).bytes, 'convert');
		command('set', '-o', to, ...bare, path, `[${changed}].hp=7777`);
		same(readFileSync(to), big.list(count, { changed }).bytes, 'set');
		writeFileSync(path, big.file(count));
		same(command('json', '--style', 'plain', '-d', 'godot4', '--framing', 'len32', path), Buffer.from(big.json(count).slice(1, -1).replaceAll('},{', '}\n{') + '\n'), 'records');
	});
}
