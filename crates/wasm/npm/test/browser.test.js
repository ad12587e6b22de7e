/*
 * Every vector, every refusal and every hostile input in a browser: vectors.test.js and reject.test.js as they are, from a server
 * on the loopback, with the package as a page loads it. The browser must pass the tests that Node passes, and print the counts that Node prints.
 * And every entry point, as in sizes.test.js.
 * CHROMIUM and FIREFOX name the programs; without them those of the system are taken.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch as launchFirefox } from '../../page/test/firefox.js';
import * as outside from './outside.js';
import { ENTRIES } from './sizes.js';

const FILES = ['vectors.test.js', 'reject.test.js'];
const MODULES = ['esbuild', 'assert', 'playwright-core'];
const { SIZES } = process.env;
/** Each browser needs a few seconds for small sizes; a busy machine has two minutes. */
const PATIENCE = SIZES ? 1_800_000 : 120_000;

const home = new URL('../', import.meta.url);
const root = new URL('../../../', home);
const missing = MODULES.filter((name) => !existsSync(new URL(`node_modules/${name}`, home)));
const program = (given, ...places) => given || places.find(existsSync);

const BROWSERS = [
	{
		name: 'Chromium',
		executablePath: program(process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'),
		launch: async (options) => (await import('playwright-core')).chromium.launch({ ...options, args: ['--no-sandbox'] }),
	},
	{ name: 'Firefox', executablePath: program(process.env.FIREFOX, '/usr/bin/firefox-esr'), launch: launchFirefox },
];

/** node:assert/strict for a page: the package `assert`, which is Node's own for elsewhere. */
async function assertForPages() {
	const { build } = await import('esbuild');
	const { outputFiles } = await build({
		stdin: { contents: "import { strict } from 'assert/'; export default strict;", resolveDir: fileURLToPath(home) },
		banner: { js: 'const process = { env: {} };' },
		define: { global: 'globalThis' },
		bundle: true,
		format: 'esm',
		write: false,
	});
	return outputFiles[0].text;
}

/** A page that loads the package by `entry` and sets its text to what `script` leaves in `report`. */
const page = (entry, script) => `<!doctype html><meta charset="utf-8"><title>running</title><pre></pre>
<script type="importmap">
${JSON.stringify({
	imports: {
		gdvar: `/crates/wasm/npm/${entry}`,
		'gdvar/forms': '/crates/wasm/npm/forms.js',
		'gdvar/packet': '/crates/wasm/npm/packet.js',
		'/crates/wasm/npm/test/outside.js': '/crates/wasm/npm/test/browser/outside.js',
		'node:assert/strict': '/assert.js',
		'node:fs': '/crates/wasm/npm/test/browser/fs.js',
		'node:test': '/crates/wasm/npm/test/browser/collect.js',
	},
})}
</script>
<script type="module">
let report;
try {
	${script}
} catch (error) {
	report = { passed: [], failed: [String(error)], lines: [] };
}
document.querySelector('pre').textContent = JSON.stringify(report);
document.title = 'ended';
</script>`;

const SCRIPTS = {
	vectors: () => `
	for (const file of ${JSON.stringify(FILES)}) await import('/crates/wasm/npm/test/' + file);
	report = await (await import('node:test')).run();`,
	sizes: (sizes, ...entries) => `
	const { run } = await import('/crates/wasm/npm/test/sizes.js');
	report = { passed: [], failed: [] };
	for (const entry of ${JSON.stringify(entries)}) {
		await run(entry, ${JSON.stringify(sizes.split(',').map(Number))});
		report.passed.push(entry);
	}`,
};

const TYPES = { js: 'text/javascript', wasm: 'application/wasm', bytes: 'application/octet-stream' };

/** The package and the vectors under their paths in the repository, to this machine alone. */
function serve(assertModule) {
	const server = createServer(async (request, response) => {
		const { pathname, search } = new URL(request.url, 'http://localhost');
		const parts = search.slice(1).split('&').map(decodeURIComponent);
		const give = (type, body) => response.writeHead(200, { 'content-type': type }).end(body);
		if (pathname === '/') {
			const [entry, script, ...args] = parts;
			return give('text/html', page(entry, SCRIPTS[script](...args)));
		}
		if (pathname === '/outside') {
			const body = Buffer.concat(await request.toArray());
			const [name, key = ''] = parts;
			return give(TYPES.bytes, outside[name](body, Uint8Array.from(key.split(','), Number)));
		}
		if (pathname === '/assert.js') return give(TYPES.js, assertModule);
		const file = new URL(`.${pathname}`, root);
		if (!/^\/(crates\/wasm\/npm|testdata)\//.test(pathname) || !existsSync(file)) return response.writeHead(404).end();
		give(TYPES[pathname.split('.').pop()] ?? TYPES.bytes, readFileSync(file));
	});
	return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

/** The same files in Node: the names of their tests, and the lines that they print. */
function inNode() {
	const { NODE_TEST_CONTEXT, ...env } = process.env;
	const passed = [];
	const lines = [];
	for (const file of FILES) {
		const path = fileURLToPath(new URL(file, import.meta.url));
		const { status, stdout, stderr } = spawnSync(process.execPath, ['--test-reporter=tap', path], { env, encoding: 'utf8' });
		assert.equal(status, 0, stdout + stderr);
		passed.push(...Array.from(stdout.matchAll(/^ok \d+ - (.*)$/gm), ([, name]) => name));
		lines.push(...stdout.match(/^# (?!Subtest:|(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ).*$/gm));
	}
	return { passed, lines };
}

/** The bits of a NaN are each browser's own matter; all other counts are those of Node. */
const counts = ({ lines }) => lines.filter((line) => !line.includes('other bits in a NaN'));

/** What the page says when it has ended. */
async function reportOf(tab) {
	const end = Date.now() + PATIENCE;
	while ((await tab.evaluate(() => document.title)) !== 'ended') {
		assert.ok(Date.now() < end, `the page has not ended after ${PATIENCE / 1000} seconds`);
		await new Promise((done) => setTimeout(done, 50));
	}
	return JSON.parse(await tab.textContent('pre'));
}

let server;
let expected;

before(async () => {
	if (missing.length > 0) return;
	server = await serve(await assertForPages());
	expected = inNode();
});
after(() => server?.close());

/** Whether a browser is missing, or what it needs; says so. */
function isMissing(t, name, executablePath) {
	const what = missing.length > 0 ? `${missing.join(', ')} from npm is not installed` : executablePath ? undefined : `there is no ${name}`;
	if (what) t.skip(`SKIPPED: ${what}`);
	return what !== undefined;
}

/** What a new page of the browser reports: `parts` are the way in, the name of a script, and its arguments. */
async function visit(browser, ...parts) {
	const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
	const tab = await context.newPage();
	await tab.goto(`http://127.0.0.1:${server.address().port}/?${parts.map(encodeURIComponent).join('&')}`);
	const report = await reportOf(tab);
	await context.close?.();
	assert.equal(report.failed.length, 0, `${report.failed.length} failed\n${report.failed.join('\n')}`);
	return report;
}

for (const { name, executablePath, launch } of BROWSERS) {
	describe(name, () => {
		let browser;
		before(async () => {
			if (missing.length === 0 && executablePath) browser = await launch({ executablePath });
		});
		after(() => browser?.close());

		// The module is fetched, or is text in the package.
		for (const entry of ['index.js', 'inline.js']) {
			test(`${name}, ${entry}: all vectors as in Node`, async (t) => {
				if (isMissing(t, name, executablePath)) return;
				const report = await visit(browser, entry, 'vectors');
				assert.equal(report.passed.join('\n'), expected.passed.join('\n'));
				assert.equal(counts(report).join('\n'), counts(expected).join('\n'));
				const own = report.lines.filter((line) => !counts(report).includes(line));
				console.log([`# ${name}, ${entry}: ${report.passed.length} tests and ${counts(report).length} counts as in Node`, ...own].join('\n'));
			});
		}

		const entries = Object.keys(ENTRIES);
		for (const some of SIZES ? entries.map((entry) => [entry]) : [entries]) {
			test(`${name}: ${some.length === 1 ? some[0] : 'all entry points'}`, async (t) => {
				if (isMissing(t, name, executablePath)) return;
				for (const sizes of SIZES?.split(' ') ?? ['0.1']) {
					assert.deepEqual((await visit(browser, 'index.js', 'sizes', sizes, ...some)).passed, some);
				}
			});
		}
	});
}
