// The site in a real Chromium: look.mjs SITE PICTURES [AXE]. Dark and light, at the widths of a phone, a laptop and a
// large screen: no page is wider than its window, nothing comes from another site, the search finds something, and axe
// (the text of axe-core's axe.min.js) finds no fault. Pictures of some pages are kept.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '../../crates/wasm/npm/node_modules/playwright-core/index.mjs';

const [site, pictures, axe] = process.argv.slice(2);
const program = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
const TYPES = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml', '.png': 'image/png', '.woff2': 'font/woff2', '.wasm': 'application/wasm' };
const PAGES = ['index', 'guide/rust', 'guide/scale', 'cli/look', 'BENCHMARKS', 'open/index'];
// Of its kind, and so long that axe takes half a minute: only its width is looked at.
const LONG = ['FORMAT', 'guide/errors', 'crates/wasm/PEERS'];
const KEPT = new Set(['index', 'guide/rust', 'FORMAT', 'BENCHMARKS']);
const WIDTHS = [390, 1100, 1600];

const save = (name) => fileURLToPath(new URL(`../../testdata/saves/${name}`, import.meta.url));

const server = createServer((request, answer) => {
	let path = join(site, normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname)));
	if (existsSync(path) && statSync(path).isDirectory()) path = join(path, 'index.html');
	if (!existsSync(path)) return answer.writeHead(404).end();
	answer.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(readFileSync(path));
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const home = `http://127.0.0.1:${server.address().port}`;
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
const wrong = [];
let looked = 0;

/** Notes what axe finds. */
async function examine(tab, where) {
	const { violations } = await tab.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'] }));
	for (const { id, nodes } of violations) {
		wrong.push(`${where}: ${id}, ${nodes.length} times: ${nodes[0].html.slice(0, 120)} ${nodes[0].failureSummary.split('\n')[1] ?? ''}`);
	}
}

/** The page that opens saves, with one: what was found, a favourite, and its dialogs. */
async function openSave(tab, where) {
	await tab.setInputFiles('#file', save('rpg4.sav'));
	await tab.waitForSelector('#work:not([hidden])');
	await tab.fill('#needle', 'hp');
	await tab.press('#needle', 'Enter');
	await tab.click('#star');
	await examine(tab, `${where}, found`);
	await tab.click('#many');
	await tab.fill('#value', '99.5');
	await examine(tab, `${where}, many values`);
	await tab.keyboard.press('Escape');
	await tab.setInputFiles('#file2', save('camp4.sav'));
	await tab.waitForSelector('dialog[open] table');
	await examine(tab, `${where}, two saves`);
}

for (const colorScheme of ['light', 'dark']) {
	for (const width of WIDTHS) {
		const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
		const tab = await context.newPage();
		tab.on('request', (request) => request.url().startsWith('http') && !request.url().startsWith(home) && wrong.push(`a request to ${request.url()}`));
		for (const name of [...PAGES, ...LONG]) {
			const where = `${name}, ${width} px, ${colorScheme}`;
			if (!existsSync(join(site, `${name}.html`))) continue;
			await tab.goto(`${home}/${name}.html`);
			await tab.waitForLoadState('networkidle');
			looked += 1;
			const wide = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
			if (wide > 0) wrong.push(`${where}: wider than the window by ${wide} px`);
			if (axe && PAGES.includes(name)) {
				await tab.evaluate(readFileSync(axe, 'utf8'));
				await examine(tab, where);
				if (name === 'open/index') await openSave(tab, where);
			}
			if (KEPT.has(name) && width !== 1600) await tab.screenshot({ path: join(pictures, `${name.replaceAll('/', '-')}-${width}-${colorScheme}.png`) });
		}
		await context.close();
	}
}

// A reader closes the table of contents, and searches.
const context = await browser.newContext({ viewport: { width: 1100, height: 900 } });
const tab = await context.newPage();
await tab.goto(`${home}/index.html`);
await tab.waitForLoadState('networkidle');
const isOpen = () => tab.getAttribute('#mdbook-sidebar-toggle', 'aria-expanded');
const before = await isOpen();
await tab.click('#mdbook-sidebar-toggle');
if ((await isOpen()) === before) wrong.push('the button of the table of contents does nothing');
await tab.click('#mdbook-search-toggle');
await tab.locator('#mdbook-searchbar').pressSequentially('Truncated');
const found = tab.locator('#mdbook-searchresults li a').first();
const first = await found.textContent({ timeout: 60_000 }).catch(() => '');
if (!first) wrong.push('the search finds nothing');
await tab.screenshot({ path: join(pictures, 'search.png') });
await browser.close();
server.close();

console.log(`${looked} views; the search for "Truncated" finds "${first.trim()}" first${axe ? '' : '; without axe'}`);
for (const fault of [...new Set(wrong)]) console.log(fault);
assert.equal(wrong.length, 0, `${wrong.length} faults`);
