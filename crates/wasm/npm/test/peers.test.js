/*
 * Other packages for the same bytes: they read what gdvar writes, gdvar reads what they write. The
 * engine says which value is right: every value here is a vector of an engine, and gdvar's bytes for it are the engine's (vectors.test.js).
 * PEERS names the folder into which the packages were installed; UPDATE_DOCS=1 writes ../../PEERS.md.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import * as gdvar from 'gdvar';
import { hex, lines, unhex } from './data.js';
import { tagged } from './tagged.js';

const folder = process.env.PEERS;
const installed = (name) => folder !== undefined && existsSync(join(folder, 'node_modules', name, 'package.json'));
const versionOf = (name) => JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;

const PEERS = ['@gd-com/utils', 'godot-binary-serialization'];
const ENGINES = [
	{ name: 'Godot 4.6.3', file: 'godot4.jsonl', dialect: 'godot4' },
	{ name: 'Godot 3.2.3', file: 'godot3.jsonl', dialect: 'godot3' },
];
/** No value here needs so long, even on a busy machine. */
const PATIENCE = 4000;

/** A peer in a worker, which is ended if it does not come back. */
class Peer {
	constructor(name) {
		this.name = name;
	}
	async ask(bytes, kind) {
		this.worker ??= this.begin();
		let timer;
		const answer = await new Promise((resolve) => {
			this.answered = resolve;
			timer = setTimeout(resolve, PATIENCE, undefined);
			this.worker.postMessage({ bytes, kind });
		});
		clearTimeout(timer);
		if (answer === undefined) await this.end();
		return answer;
	}
	begin() {
		const worker = new Worker(new URL('peer.js', import.meta.url), {
			workerData: { name: this.name, folder },
			resourceLimits: { maxOldGenerationSizeMb: 96 },
		});
		worker.on('message', (answer) => this.answered(answer));
		// For instance: it has used up its memory.
		worker.on('error', () => this.answered(undefined));
		return worker;
	}
	async end() {
		await this.worker?.terminate();
		this.worker = undefined;
	}
}

/** A value of ours in the forms that peer.js gives theirs. */
function plain(value) {
	if (value === null || typeof value !== 'object') return value;
	const { type } = value;
	const vectors = (...all) => all.flatMap((vector) => Object.values(vector));
	const rows = ({ x, y, z }) => [x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z];
	switch (type) {
		case 'StringName':
			return value.name;
		case 'NodePath':
			return value.toString();
		case 'Basis':
			return { numbers: rows(value) };
		case 'Transform3D':
			return { numbers: [...rows(value.basis), ...vectors(value.origin)] };
		case 'Plane':
			return { numbers: [...vectors(value.normal), value.d] };
		case 'Rect2':
		case 'Rect2i':
		case 'AABB':
		case 'Transform2D':
		case 'Projection':
			return { numbers: vectors(...Object.values(value)) };
	}
	if (value instanceof Uint8Array) return { numbers: [...value] };
	if (ArrayBuffer.isView(value) || Array.isArray(value)) return Array.from(value, plain);
	if (value instanceof Map) return { pairs: Array.from(value, ([key, item]) => [plain(key), plain(item)]) };
	if (value.data !== undefined) return Array.from(value, plain);
	if (type !== undefined) return { numbers: Object.values(value) };
	return { pairs: Object.entries(value).map(([key, item]) => [key, plain(item)]) };
}

const isNumber = (value) => typeof value === 'number' || typeof value === 'bigint';

/** An Int and a Float of the same number are the same here: neither peer tells them apart. */
function same(ours, theirs) {
	if (isNumber(ours) && isNumber(theirs)) {
		return typeof ours === typeof theirs ? ours === theirs || (ours !== ours && theirs !== theirs) : ours == theirs;
	}
	if (ours === null || theirs === null || typeof ours !== 'object' || typeof theirs !== 'object') return ours === theirs;
	if (Array.isArray(ours)) return Array.isArray(theirs) && ours.length === theirs.length && ours.every((item, n) => same(item, theirs[n]));
	if (ours.numbers) return theirs.numbers !== undefined && same(ours.numbers, theirs.numbers);
	return ours.pairs !== undefined && theirs.pairs !== undefined && same(ours.pairs, theirs.pairs);
}

const shown = (value) => {
	const text = JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `${item}n` : item));
	return text.length > 70 ? `${text.slice(0, 67)}…` : text;
};

async function compare(name, { file, dialect }) {
	const peer = new Peer(name);
	const typeNumbers = new Map();
	const types = new Map();
	const all = lines(file).filter(({ canonical, dirty, full_objects: whole, value, hex: digits }) => {
		return canonical && !dirty && !whole && digits.length <= 4000 && value.Nest === undefined;
	});
	for (const { id, hex: digits, value } of all) {
		const [kind] = Object.keys(value);
		const row = types.get(kind) ?? { vectors: 0, read: 0, kept: 0, bytes: 0, endless: 0, wrong: undefined };
		types.set(kind, row);
		row.vectors++;
		// It has shown that it does.
		if (row.endless >= 2) {
			row.endless++;
			continue;
		}
		const exact = { dialect, numbers: 'exact' };
		const ours = gdvar.decode(unhex(digits), exact);
		const bytes = gdvar.encode(ours, { target: dialect, numbers: 'exact' });
		// JavaScript keeps no bits of a NaN.
		if (!/nan|nonfinite/.test(id)) assert.equal(hex(bytes), digits, id);
		const answer = await peer.ask(bytes, kind);
		let said;
		if (answer === undefined) {
			row.endless++;
			said = 'does not come back';
		} else if (answer.value !== undefined && same(plain(ours), answer.value)) {
			row.read++;
			if (!answer.written) {
				said = `read, not written: ${answer.error}`;
			} else if (hex(answer.written) === hex(bytes)) {
				row.bytes++;
				row.kept++;
			} else {
				try {
					const back = gdvar.decode(answer.written, exact);
					assert.deepEqual(tagged(back, { typeNumbers }), tagged(ours, { typeNumbers }));
					row.kept++;
				} catch (error) {
					said = error.code === 'ERR_ASSERTION' ? 'read, written as another value or type' : `read, written as bytes that are refused (${error.code})`;
				}
			}
		} else {
			said = answer.value === undefined ? answer.error : shown(answer.value);
		}
		if (said !== undefined) row.wrong ??= { id, said };
	}
	await peer.end();
	return types;
}

const cell = (count, { vectors, endless }) => {
	if (endless === vectors) return 'hangs';
	return count === vectors ? 'all' : count === 0 ? '–' : `${count}`;
};

const TEXT = `# Other packages for these bytes

\`scripts/test-bindings\` installs the other packages from the registry into an empty folder and holds them against the
vectors of the engines: gdvar writes a value (its bytes are the engine's), the package reads it and writes it again, gdvar reads that.
This file is written by the test: \`UPDATE_DOCS=1 PEERS=FOLDER node --test test/peers.test.js\` in \`npm\`. npm has no package \`playgodot\`; the one
of Python's registry is in [the Python package's table](../python/PEERS.md).

- **reads**: how many vectors the package reads as the engine's value. Int and Float are not told apart, nor String and StringName, and
  of the classes of vectors only the numbers count: a Plane of Godot 4 that is read as a Color with its four numbers is read.
- **keeps**: how many of these it writes so that gdvar reads the value and the type again.
- **bytes**: how many of these it writes with the engine's bytes.
`;

test('the other packages, over the vectors of the engines', async (t) => {
	if (!PEERS.every(installed)) {
		t.skip('SKIPPED: the other packages are not installed (PEERS names a folder with them)');
		return;
	}
	let document = TEXT;
	for (const name of PEERS) {
		document += `\n## ${name} ${versionOf(name)}\n`;
		for (const engine of ENGINES) {
			const types = await compare(name, engine);
			const rows = [...types];
			const right = rows.filter(([, { read, kept, vectors }]) => read === vectors && kept === vectors).map(([kind]) => kind);
			document += `\n### ${engine.name}\n\nRight for every vector, both ways: ${right.join(', ') || 'nothing'}.\n\n`;
			document += '| type | vectors | reads | keeps | bytes | the first that is wrong |\n|---|---|---|---|---|---|\n';
			for (const [kind, row] of rows) {
				const wrong = row.wrong ? `\`${row.wrong.id}\`: ${row.wrong.said.replaceAll('|', '\\|')}` : '';
				document += `| ${kind} | ${row.vectors} | ${cell(row.read, row)} | ${cell(row.kept, row)} | ${cell(row.bytes, row)} | ${wrong} |\n`;
			}
			// A peer that is right nowhere was not asked.
			assert.ok(right.length > 0, `${name} for ${engine.name}`);
		}
	}
	const place = new URL('../../PEERS.md', import.meta.url);
	if (process.env.UPDATE_DOCS === '1') writeFileSync(place, document);
	// Messages of Node, which the last column repeats, differ by its version.
	const figures = (text) => text.replace(/[^|\n]*\|$/gm, '|');
	assert.equal(figures(document), figures(readFileSync(place, 'utf8')));
});

/*
 * godot-binary-serialization ships its own tests, which call its readers with the bytes behind a header. They are run
 * here as they are, with gdvar's reader where theirs was: `require` of a reader gives one of these.
 */
const NUMBERS = { array: 19, bool: 1, color: 14, dictionary: 18, node_path: 15, string: 4 };
const MATH = { VECTOR2: 5, RECT2: 6, VECTOR3: 7, TRANSFORM2D: 8, PLANE: 9, QUAT: 10, AABB: 11, BASIS: 12, TRANSFORM: 13 };

test('the tests of godot-binary-serialization, with gdvar in its place', (t) => {
	const name = 'godot-binary-serialization';
	if (!installed(name)) {
		t.skip(`SKIPPED: ${name} is not installed (PEERS names a folder with it)`);
		return;
	}
	const home = join(folder, 'node_modules', name, 'lib', 'decode', '__tests__');
	const own = createRequire(join(home, 'array.js'));
	/** Bytes behind a header, as gdvar reads them, and how many they are. */
	const read = (number, payload, flag = 0) => {
		const bytes = new Uint8Array([number, 0, flag, 0, ...payload]);
		const options = { dialect: 'godot3' };
		return { variant: gdvar.decode(bytes, options), byteLength: gdvar.validate(bytes, options) - 4 };
	};
	/** A value of ours as an instance of the peer's class. */
	const asTheirs = (Class, value) => Class.from(plain(value).numbers);
	const replaced = {
		math: (type, payload) => asTheirs(own(`../../math/${type.toLowerCase()}`), read(MATH[type], payload).variant),
		color: (payload) => asTheirs(own('../../misc/color'), read(NUMBERS.color, payload).variant),
		node_path: (payload) => {
			const { variant } = read(NUMBERS.node_path, payload);
			return new (own('../../misc/node_path'))(variant.toString());
		},
	};
	replaced.dictionary = (payload) => read(NUMBERS.dictionary, payload);
	replaced.array = (payload) => {
		const { variant, byteLength } = read(NUMBERS.array, payload);
		// Theirs does not count the word in front of the elements.
		return { variant, byteLength: byteLength - 4 };
	};
	replaced.bool = (payload, offset = 0) => read(NUMBERS.bool, payload.subarray(offset));
	replaced.string = { get_string: (payload) => read(NUMBERS.string, payload) };
	let run = 0;
	const expect = (value) => ({
		toBe: (other) => assert.ok(Object.is(value, other), `${value} is not ${other}`),
		toEqual: (other) => assert.equal(JSON.stringify(value), JSON.stringify(other)),
		toBeInstanceOf: (Class) => assert.ok(value instanceof Class),
		toBeUndefined: () => assert.equal(value, undefined),
	});
	for (const file of readdirSync(home)) {
		const reader = file.replace('.js', '');
		if (!(reader in replaced)) continue;
		const code = readFileSync(join(home, file), 'utf8');
		const require = (path) => (path === `../${reader}` ? replaced[reader] : own(path));
		const describe = (_, body) => body();
		const each = (title, body) => {
			try {
				body();
			} catch (error) {
				error.message = `${file}: ${title}: ${error.message}`;
				throw error;
			}
			run++;
		};
		new Function('require', 'describe', 'test', 'expect', code)(require, describe, each, expect);
	}
	console.log(`# ${run} tests of the package`);
	assert.ok(run >= 17);
});
