// One question to the command, to Python, to Node and to the page's own module: what is this file, what is in it, and what is damaged?
// node tests/openings/compare.mjs GDVAR PYTHON: the program, and a Python that has the package. All must answer alike.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { openFile, var_to_str } from '../../crates/wasm/npm/forms.node.js';
import { Save } from '../../crates/wasm/page/src/save.js';

const [program, python] = process.argv.slice(2);
const testdata = (name) => fileURLToPath(new URL(`../../testdata/${name}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gdvar-openings-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

const FRAMINGS = ['bare', 'len32', 'len32be', 'hex', 'base64'];

/** The files: `{ name, path, password, key, framing }`. */
const rows = [];
function add(name, bytes, secret = {}, framings = [undefined]) {
	const path = join(folder, String(rows.length));
	writeFileSync(path, bytes);
	for (const framing of framings) rows.push({ name: framing ? `${name}, given ${framing}` : name, path, framing, ...secret });
}

const lines = (name) => readFileSync(testdata(name), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
const unhex = (hex) => Buffer.from(hex, 'hex');

for (const name of ['godot4', 'godot3.2', 'godot3.6']) {
	lines(`files/${name}.jsonl`).forEach(({ hex, type, form, shape }, n) => add(`files/${name}.jsonl:${n + 1} ${type} ${form} ${shape}`, unhex(hex)));
}
for (const name of ['godot4', 'godot3']) {
	lines(`layers/${name}.jsonl`).forEach(({ hex, layers, shape, header }, n) => add(`layers/${name}.jsonl:${n + 1} ${shape} ${layers} header ${header}`, unhex(hex), { password: 'secret' }, [undefined, ...FRAMINGS]));
}
for (const name of readdirSync(testdata('saves')).sort()) {
	if (/\.(json|md)$/.test(name)) continue;
	const about = JSON.parse(readFileSync(testdata(`saves/${name}.json`), 'utf8'));
	add(`saves/${name}`, readFileSync(testdata(`saves/${name}`)), { password: about.password ?? about.pass, key: about.key_hex });
}
for (const name of ['projects/godot4.binary', 'projects/godot3.binary', 'scripts/godot4.gdc', 'scripts/godot3.gdc', 'scripts/godot4.zstd.gdc']) add(name, readFileSync(testdata(name)));

for (const name of ['documents', 'resources']) {
	for (const path of readdirSync(testdata(name), { recursive: true }).sort()) {
		if (/\.(cfg|godot|tres|tscn|res|scn|pck)$/.test(path)) add(`${name}/${path}`, readFileSync(testdata(`${name}/${path}`)), { password: 'secret' });
	}
}

// Layers and headers by hand, around a save of each engine; and what is no save.
const framed = (value, order = 'LE') => {
	const length = Buffer.alloc(4);
	length[`writeUInt32${order}`](value.length);
	return Buffer.concat([length, value]);
};
for (const number of [4, 3]) {
	const save = readFileSync(testdata(`saves/rpg${number}.sav`));
	const value = save.subarray(4);
	const part = framed(openFile(save).values[0].get('party').bytes());
	const small = readFileSync(testdata(`saves/settings${number}.cfg`));
	const word = (n) => Buffer.from(Uint32Array.of(n).buffer);
	const hex = part.subarray(4).toString('hex');
	const cases = {
		'cut in half': save.subarray(0, save.length >> 1),
		'one value': value,
		'big-endian': Buffer.concat([framed(value, 'BE'), framed(part.subarray(4), 'BE')]),
		'version 2 in front': Buffer.concat([word(2), save]),
		'version 29 in front': Buffer.concat([word(29), save]),
		'a magic in front': Buffer.concat([Buffer.from('MYGAME'), save]),
		'a Pascal string in front': Buffer.concat([word(6), Buffer.from('v1.2.3'), save]),
		'a line of JSON in front': Buffer.concat([Buffer.from('{"version": 3}\n'), save]),
		'a size in front': Buffer.concat([Buffer.from('GSAV'), word(save.length), save]),
		'lines of hex': Buffer.from(`${hex}\n${hex}\n`),
		'lines of base64': Buffer.from(`${part.subarray(4).toString('base64')}\n`.repeat(2)),
		'one line of base64 of gzip': Buffer.from(gzipSync(save).toString('base64')),
		'hex of several lines': Buffer.from(part.toString('hex').replace(/.{64}/g, '$&\n')),
		'a list of numbers': Buffer.from(JSON.stringify([...part])),
		'gzip in gzip': gzipSync(gzipSync(save)),
		'gzip that is cut': gzipSync(save).subarray(0, 200),
		'zeros after the record': Buffer.concat([save, Buffer.alloc(64)]),
		'text after the record': Buffer.concat([save, Buffer.from('end')]),
		'several values': small,
	};
	for (const [what, bytes] of Object.entries(cases)) add(`by hand: ${what}, Godot ${number}`, bytes, {}, [undefined, ...FRAMINGS]);
}

/** Copies of a file of records with damage in it. */
function damaged(save) {
	const starts = [];
	for (let at = 0; at + 4 <= save.length; at += 4 + save.readUInt32LE(at)) starts.push(at + 4);
	const copy = (...places) => {
		const bytes = Buffer.from(save);
		for (const at of places) bytes.fill(255, at, at + 4);
		return bytes;
	};
	const middle = starts[starts.length >> 1];
	return {
		'in the middle record': copy(middle),
		'in every third record': copy(...starts.filter((_, n) => n % 3 === 1)),
		'inside the file': copy((save.length >> 1) & ~3),
		'in the length of the middle record': copy(middle - 4),
		'at the end, which is missing': save.subarray(0, -5),
	};
}
for (const name of readdirSync(testdata('saves')).sort()) {
	if (/\.(json|md)$/.test(name) || JSON.parse(readFileSync(testdata(`saves/${name}.json`), 'utf8')).container !== 'plain') continue;
	for (const [where, bytes] of Object.entries(damaged(readFileSync(testdata(`saves/${name}`))))) {
		add(`saves/${name}: damage ${where}`, bytes);
		add(`saves/${name}: gzip, damage ${where}`, gzipSync(bytes));
		add(`saves/${name}: base64, damage ${where}`, Buffer.from(bytes.toString('base64')), {}, ['len32']);
	}
}
const others = { empty: '', zeros: Buffer.alloc(64), 'all ones': Buffer.alloc(64, 255), 'text': 'Hello, this is no save.\n', JSON: '{"a": 1, "b": [1, 2]}', 'eight bytes': unhex('0400000000000000'), 'a Plane or a Color': unhex('0e000000000000000000803f0000000000000040'), noise: Buffer.from(Uint8Array.from({ length: 100 }, (_, n) => 100 + n)), 'a picture': unhex('89504e470d0a1a0a0000000d49484452') };
for (const [what, bytes] of Object.entries(others)) add(`by hand: ${what}`, Buffer.from(bytes));

const secretOf = ({ password, key }) => (key ? Uint8Array.from(unhex(key)) : password);

/** The answer of the package for Node. */
function node(row) {
	try {
		const file = openFile(readFileSync(row.path), { password: secretOf(row), framing: row.framing });
		const text = (value) => {
			try {
				return var_to_str(value, { dialect: file.dialect, objects: 'inert' });
			} catch {
				return null;
			}
		};
		const damage = file.damage.map(({ record, code, offset, path }) => [record, code, offset, path]);
		return { ...named(file), header: file.header.length, values: file.values.map(text), damage };
	} catch (error) {
		return { error: error.code ?? String(error) };
	}
}

const named = ({ layers, header, framing, dialect, certainty, same }) => ({ layers: layers.map(({ name }) => name), header, framing, dialect, certainty, same });

/** The answer of the page: what it opens, and the text that it shows. */
async function page(row) {
	try {
		const asked = [];
		const save = await Save.open(row.name, new Uint8Array(readFileSync(row.path)), { password: () => (asked.push(1), asked.length > 4 ? null : secretOf(row)) });
		const text = (held) => {
			try {
				return held.text(0, 0);
			} catch {
				return null;
			} finally {
				held.free();
			}
		};
		return { ...named(save), values: save.values.map(text) };
	} catch (error) {
		return { error: error.code ?? String(error) };
	}
}

const run = promisify(execFile);

/** The answer of the command, as far as it tells it. */
async function command(row) {
	const secrets = row.framing ? ['--framing', row.framing] : [];
	if (row.password) secrets.push('--password', row.password);
	if (row.key) {
		writeFileSync(`${row.path}.key`, unhex(row.key));
		secrets.push('--key-file', `${row.path}.key`);
	}
	const said = async (...args) => {
		const done = await run(program, [...args, ...secrets, row.path], { maxBuffer: 1 << 30, env: { ...process.env, NO_COLOR: '1' } }).catch((failed) => failed);
		return { code: done.code ?? 0, out: done.stdout, err: done.stderr };
	};
	const { out, err } = await said('info', '--json', '--objects', 'inert');
	const info = JSON.parse(out.split('\n')[0] || '{}');
	if (info.error || info.framing === undefined) return { error: info.error ?? err };
	const { out: checked } = await said('check', '--json', '--objects', 'inert', '--max-errors', '0');
	const damage = checked.split('\n').filter(Boolean).map((line) => JSON.parse(line)).filter(({ read }) => read === false).map(({ record, error, offset, path }) => [record, error, offset, path]);
	const { out: text } = await said('view', '--format', 'godot', '--objects', 'inert');
	return { layers: info.container ? info.container.split(', ') : [], header: info.header, framing: info.framing, dialect: info.dialect, certainty: info.sure, same: info.also, count: info.records, bad: info.bad, damage, text };
}

/** Answers of the Python package, in order. */
function pythons() {
	const input = rows.map((row) => JSON.stringify(row)).join('\n');
	const script = fileURLToPath(new URL('answers.py', import.meta.url));
	return execFileSync(python, [script], { input, maxBuffer: 1 << 30, encoding: 'utf8' }).trim().split('\n').map((line) => JSON.parse(line));
}

async function commands() {
	const answers = [];
	let next = 0;
	const work = async () => {
		while (next < rows.length) {
			const n = next++;
			answers[n] = await command(rows[n]);
		}
	};
	await Promise.all(Array.from({ length: availableParallelism() }, work));
	return answers;
}

/** In which points the command differs from an answer, by name. */
function differs(told, answer) {
	if (told.error !== undefined || answer.error !== undefined) return told.error === answer.error ? [] : [`error ${told.error} / ${answer.error}`];
	// The packages show a damaged value as far as it goes.
	const damaged = new Set(answer.damage?.map(([record]) => record));
	const whole = answer.values.filter((text, record) => text !== null && !damaged.has(record));
	const pairs = {
		layers: [told.layers, answer.layers],
		header: [told.header, answer.header],
		framing: [told.framing, answer.framing],
		dialect: [told.dialect, answer.dialect],
		certainty: [told.certainty, answer.certainty],
		same: [told.same, answer.same.filter((name) => name !== answer.dialect)],
		count: [told.count - told.bad, whole.length],
		damage: [told.damage, answer.damage],
	};
	if (told.bad === 0 && whole.length === answer.values.length) pairs.text = [told.text.trimEnd(), whole.join('\n').trimEnd()];
	return Object.entries(pairs)
		.filter(([, [one, other]]) => JSON.stringify(one) !== JSON.stringify(other))
		.map(([name, [one, other]]) => `${name} ${JSON.stringify(one)?.slice(0, 200)} / ${JSON.stringify(other)?.slice(0, 200)}`);
}

const answers = { Python: pythons(), Node: rows.map(node), page: [], command: await commands() };
// The page has no option for the framing.
for (const row of rows) answers.page.push(row.framing ? undefined : await page(row));

let different = 0;
for (const [n, { name }] of rows.entries()) {
	const node_ = answers.Node[n];
	const own = Object.keys(node_).sort();
	const sorted = (answer) => JSON.stringify(answer, [...own]);
	for (const who of ['Python', 'page']) {
		const answer = answers[who][n];
		if (answer === undefined) continue;
		// The page shows damage in its tree.
		if (who === 'page' && !answer.error) answer.damage = node_.damage;
		if (sorted(answer) === sorted(node_) && Object.keys(answer).length === own.length) continue;
		different++;
		console.log(`${name}: ${who} ${JSON.stringify(answers[who][n]).slice(0, 400)}\n  Node ${JSON.stringify(node_).slice(0, 400)}`);
	}
	const found = differs(answers.command[n], node_);
	if (found.length === 0) continue;
	different++;
	console.log(`${name}: the command / Node: ${found.join('; ')}`);
}
const opened = answers.Node.filter(({ error }) => error === undefined).length;
console.log(`${rows.length} files (${opened} opened, ${rows.length - opened} refused) asked of the command, Python, Node and the page: ${different} different answers`);
process.exitCode = different === 0 ? 0 : 1;
