/*
 * Every vector, every refusal and every hostile input in a browser: vectors.test.js and reject.test.js as they are, from a server
 * on the loopback, with the package as a page loads it. The browser must pass the tests that Node passes, and print the counts that Node prints.
 * CHROMIUM and FIREFOX name the programs; without them those of the system are taken.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch as launchFirefox } from '../../page/test/firefox.js';

const FILES = ['vectors.test.js', 'reject.test.js'];
const MODULES = ['esbuild', 'assert', 'playwright-core'];
/** Each browser needs a few seconds; a busy machine has two minutes. */
const PATIENCE = 120_000;

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

const page = (entry) => `<!doctype html><meta charset="utf-8"><title>running</title><pre></pre>
<script type="importmap">
${JSON.stringify({
	imports: {
		gdvar: `/crates/wasm/npm/${entry}`,
		'node:assert/strict': '/assert.js',
		'node:fs': '/crates/wasm/npm/test/browser/fs.js',
		'node:test': '/crates/wasm/npm/test/browser/collect.js',
	},
})}
</script>
<script type="module">
let report;
try {
	for (const file of ${JSON.stringify(FILES)}) await import('/crates/wasm/npm/test/' + file);
	report = await (await import('node:test')).run();
} catch (error) {
	report = { passed: [], failed: [String(error)], lines: [] };
}
document.querySelector('pre').textContent = JSON.stringify(report);
document.title = 'ended';
</script>`;

const TYPES = { js: 'text/javascript', wasm: 'application/wasm' };

/** The package and the vectors under their paths in the repository, to this machine alone. */
function serve(assertModule) {
	const server = createServer(({ url }, response) => {
		const { pathname, search } = new URL(url, 'http://localhost');
		const give = (type, body) => response.writeHead(200, { 'content-type': type }).end(body);
		if (pathname === '/') return give('text/html', page(search.slice(1)));
		if (pathname === '/assert.js') return give(TYPES.js, assertModule);
		const file = new URL(`.${pathname}`, root);
		if (!/^\/(crates\/wasm\/npm|testdata)\//.test(pathname) || !existsSync(file)) return response.writeHead(404).end();
		give(TYPES[pathname.split('.').pop()] ?? 'application/octet-stream', readFileSync(file));
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

for (const { name, executablePath, launch } of BROWSERS) {
	// The module is fetched, or is text in the package.
	for (const entry of ['index.js', 'inline.js']) {
		test(`${name}, ${entry}: all vectors as in Node`, async (t) => {
			if (missing.length > 0) return t.skip(`SKIPPED: ${missing.join(', ')} from npm is not installed`);
			if (executablePath === undefined) return t.skip(`SKIPPED: there is no ${name}`);
			const browser = await launch({ executablePath });
			try {
				const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
				const tab = await context.newPage();
				await tab.goto(`http://127.0.0.1:${server.address().port}/?${entry}`);
				const report = await reportOf(tab);
				assert.equal(report.failed.length, 0, `${report.failed.length} failed in ${name}\n${report.failed.join('\n')}`);
				assert.equal(report.passed.join('\n'), expected.passed.join('\n'));
				assert.equal(counts(report).join('\n'), counts(expected).join('\n'));
				const own = report.lines.filter((line) => !counts(report).includes(line));
				console.log([`# ${name}, ${entry}: ${report.passed.length} tests and ${counts(report).length} counts as in Node`, ...own].join('\n'));
			} finally {
				await browser.close();
			}
		});
	}
}
