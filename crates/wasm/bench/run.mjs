// Decoding, looking up and checking against JSON.parse and @msgpack/msgpack, side by side in one run.
//
//	crates/wasm/build && node crates/wasm/bench/run.mjs [--write]
//
// Each number is the shortest of many runs, in blocks by turns, so that a busy machine is busy for all of them.
// --write renews bench/README.md and bench/chart.svg.
import { writeFileSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { cpus } from 'node:os';
import * as gdvar from '../npm/index.node.js';
import { chart } from './chart.mjs';
import { decode as unpack, encode as pack } from '../npm/node_modules/@msgpack/msgpack/dist.esm/index.mjs';

/** The shortest time of each, in microseconds. They take turns by blocks, so that each runs warm and none has the quiet moments alone. */
function race(ways, blocks, runs) {
	const best = Object.fromEntries(Object.keys(ways).map((name) => [name, Infinity]));
	for (let block = 0; block < blocks; block++) {
		for (const [name, { run, times = 1 }] of Object.entries(ways)) {
			for (let n = 0; n < runs; n++) {
				const began = performance.now();
				for (let n = 0; n < times; n++) run();
				if (n > 2) best[name] = Math.min(best[name], ((performance.now() - began) / times) * 1000);
			}
		}
	}
	return best;
}

const records = Array.from({ length: 10_322 }, (_, n) => ({ id: n, name: `player_${n}`, hp: n % 100, x: n * 0.5, alive: n % 2 === 0 }));
// Half of the `x` are Floats without a fraction.
const bytes = gdvar.encode(records.map((record) => ({ ...record, x: new gdvar.Float(record.x) })));
const json = JSON.stringify(records);
const packed = pack(records);
const middle = '[5000].name';

function look() {
	const file = gdvar.open(bytes);
	const name = file.get(middle).toJS();
	file.free();
	return name;
}

const packet = { type: 'move', id: 7, pos: [1.5, -2.25], tick: 12_345 };
const small = gdvar.encode(packet);
const smallPacked = pack(packet);
const smallJson = JSON.stringify(packet);

const large = race(
	{
		'JSON.parse': { run: () => JSON.parse(json) },
		'@msgpack/msgpack decode': { run: () => unpack(packed) },
		'gdvar decode': { run: () => gdvar.decode(bytes) },
		'gdvar validate': { run: () => gdvar.validate(bytes) },
		'gdvar open, get the name of record 5000, free': { run: look },
	},
	8,
	40,
);
const tiny = race(
	{
		'JSON.parse': { run: () => JSON.parse(smallJson), times: 1000 },
		'@msgpack/msgpack decode': { run: () => unpack(smallPacked), times: 1000 },
		'gdvar decode': { run: () => gdvar.decode(small), times: 1000 },
		'@msgpack/msgpack encode': { run: () => pack(packet), times: 1000 },
		'gdvar encode': { run: () => gdvar.encode(packet), times: 1000 },
	},
	6,
	20,
);

const size = (name) => gzipSync(readFileSync(new URL(`../npm/${name}`, import.meta.url)), { level: 9 }).length;
const table = (rows, base) =>
	[
		'| | µs | times the base |',
		'|---|---:|---:|',
		...Object.entries(rows).map(([name, time]) => `| ${name} | ${time.toFixed(time < 100 ? 2 : 0)} | ${(time / rows[base]).toFixed(2)} |`),
	].join('\n');

const report = `# How fast the package is

Made by \`node crates/wasm/bench/run.mjs --write\` after \`crates/wasm/build\`: Node ${process.versions.node}, ${cpus().length} × ${cpus()[0].model}. Each number is
the shortest of many runs, in blocks by turns. Run it again on your own machine before you rely on it.

![The figures below as bars, the fastest first](chart.svg)

## ${records.length} records

\`{ id, name, hp, x, alive }\`: ${bytes.length} bytes of Variant, ${json.length} of JSON, ${packed.length} of MessagePack. The base is
\`JSON.parse\` of the string.

${table(large, 'JSON.parse')}

## One packet

\`${smallJson}\`: ${small.length} bytes of Variant, ${smallPacked.length} of MessagePack.

${table(tiny, '@msgpack/msgpack decode')}

## Size

gdvar.wasm ${size('gdvar.wasm')} bytes with gzip -9; gdvar-forms.wasm, loaded for \`gdvar/forms\` alone, ${size('gdvar-forms.wasm')};
gdvar-packet.wasm, for \`gdvar/packet\`, ${size('gdvar-packet.wasm')}.
`;
const picture = chart('JavaScript: gdvar, JSON and MessagePack', `Node ${process.versions.node}: the shortest of many runs, shorter is better`, [
	{ title: `${records.length} records`, rows: large },
	{ title: 'One packet', rows: tiny },
]);
if (process.argv.includes('--write')) {
	writeFileSync(new URL('README.md', import.meta.url), report);
	writeFileSync(new URL('chart.svg', import.meta.url), picture);
} else console.log(report);
