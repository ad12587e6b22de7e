// The page in a real Chromium, or with FIREFOX=PROGRAM in a real Firefox: opened from the disk, without a server.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test as testOnce } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from '../../npm/node_modules/playwright-core/index.mjs';
import * as firefox from './firefox.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
export const data = (name) => here(`../../../../testdata/${name}`);
const program = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
export const scratch = mkdtempSync(join(tmpdir(), 'gdvar-page-'));
/** Pictures for the documentation go here; `PICTURES=docs/page` renews them. */
const pictures = process.env.PICTURES;

// The one file is alone in its folder, as somebody has it who got it by mail.
const alone = join(scratch, 'mailed page.html');
copyFileSync(here('../dist/gdvar.html'), alone);
export const FORMS = { 'as files': new URL('../dist/index.html', import.meta.url).href, 'as one file': pathToFileURL(alone).href };
let page;

const { FIREFOX, FORMS: whichForms } = process.env;
/** The forms differ in how their parts get into the browser. So each browser runs all tests in one of them, and those about that in both. */
const ownForm = FIREFOX ? 'as one file' : 'as files';

/** Runs a test over the page as files and as one file. */
export function testBoth(name, work) {
	for (const form of Object.keys(FORMS)) testIn(form, name, work);
}

/** Runs a test over the page in this browser's form; with `FORMS=both` in both. */
export const test = (name, work) => (whichForms === 'both' ? testBoth(name, work) : testIn(ownForm, name, work));

function testIn(form, name, work) {
	testOnce(`${name} (${form})`, () => {
		page = FORMS[form];
		return work();
	});
}

let browser;
let context;
let errors;

before(async () => {
	browser = FIREFOX ? await firefox.launch({ executablePath: FIREFOX }) : await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
});
after(() => browser?.close());

/** Opens the page, and closes the one before. What goes wrong in it, and each attempt to talk to anybody, is for `unharmed`. */
export async function visit(options = {}, address = page) {
	await context?.close?.();
	context = await browser.newContext({ acceptDownloads: true, viewport: { width: 1100, height: 720 }, ...options });
	const tab = await context.newPage();
	errors = [];
	tab.on('pageerror', (error) => errors.push(String(error)));
	tab.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
	tab.on('request', (request) => /^(https?|wss?):/.test(request.url()) && errors.push(`request to ${request.url()}`));
	await tab.goto(address);
	await tab.waitForSelector('body[data-ready]');
	return tab;
}

/** Nothing went wrong in it. */
export const unharmed = async (tab) => assert.deepEqual([...errors, ...((await tab.mistakes?.()) ?? [])], []);

export const given = async (tab, path) => {
	await tab.setInputFiles('#file', path);
	await tab.waitForSelector('#work:not([hidden])');
};

export const what = (tab) => tab.textContent('#what');
export const rows = (tab) => tab.$$eval('.row', (all) => all.map((row) => row.textContent));

/** Finds a text, which selects the first hit. */
export async function find(tab, text) {
	await tab.fill('#needle', text);
	await tab.press('#needle', 'Enter');
}

export async function saved(tab, button = '#save') {
	const [download] = await Promise.all([tab.waitForEvent('download'), tab.click(button)]);
	return new Uint8Array(readFileSync(await download.path()));
}

/** Files for a real engine to read: `KEEP=FOLDER` (scripts/test-engines). */
export const keep = (name, bytes) => process.env.KEEP && writeFileSync(join(process.env.KEEP, name), bytes);

export const picture = async (tab, name) => {
	if (pictures) await tab.screenshot({ path: here(`../../../../${pictures}/${name}.png`) });
};
