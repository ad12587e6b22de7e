// Firefox with the few functions of playwright that the tests use, by Marionette: the protocol that Firefox itself speaks.
// Scripts run beside the page, so its content security policy stays as it is.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const KEYS = {
	ArrowDown: '\ue015', ArrowLeft: '\ue012', ArrowRight: '\ue014', ArrowUp: '\ue013', Control: '\ue009', End: '\ue010', Enter: '\ue007',
	Escape: '\ue00c', Home: '\ue011', PageUp: '\ue00e',
};
const PATIENCE = 15_000;
const pause = (time) => new Promise((done) => setTimeout(done, time));

/** Asks again until there is an answer. */
async function until(what, work) {
	const end = Date.now() + PATIENCE;
	for (let last; ; await pause(30)) {
		try {
			const answer = await work();
			if (answer) return answer;
		} catch (error) {
			last = error;
		}
		if (Date.now() > end) throw new Error(`waited in vain for ${what}`, { cause: last });
	}
}

async function freePort() {
	const server = createServer().listen(0, '127.0.0.1');
	await new Promise((done) => server.once('listening', done));
	const { port } = server.address();
	await new Promise((done) => server.close(done));
	return port;
}

/** Questions and answers, each a list as JSON behind its length in bytes. */
class Marionette {
	#socket;
	#rest = Buffer.alloc(0);
	#waiting = new Map();
	#number = 0;

	constructor(socket) {
		this.#socket = socket;
		socket.on('data', (piece) => {
			this.#rest = Buffer.concat([this.#rest, piece]);
			for (let colon; (colon = this.#rest.indexOf(':')) > 0; ) {
				const end = colon + 1 + Number(this.#rest.subarray(0, colon));
				if (this.#rest.length < end) break;
				const answer = JSON.parse(this.#rest.subarray(colon + 1, end));
				this.#rest = this.#rest.subarray(end);
				if (!Array.isArray(answer)) continue; // The greeting.
				const [, number, error, value] = answer;
				const { done, failed } = this.#waiting.get(number);
				this.#waiting.delete(number);
				if (error) failed(new Error(`${error.error}: ${error.message}`));
				else done(value !== null && 'value' in value ? value.value : value);
			}
		});
	}

	ask(name, parameters = {}) {
		const number = ++this.#number;
		const text = JSON.stringify([0, number, name, parameters]);
		this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
		return new Promise((done, failed) => this.#waiting.set(number, { done, failed }));
	}

	/** Runs a function in the page. */
	run(work, ...args) {
		return this.ask('WebDriver:ExecuteScript', { script: `return (${work})(...arguments)`, args, sandbox: null });
	}

	/** Runs a function in the browser itself. */
	async runInside(work, ...args) {
		await this.ask('Marionette:SetContext', { value: 'chrome' });
		const answer = await this.run(work, ...args);
		await this.ask('Marionette:SetContext', { value: 'content' });
		return answer;
	}
}

export async function launch({ executablePath }) {
	const folder = mkdtempSync(join(tmpdir(), 'gdvar-firefox-'));
	const downloads = join(folder, 'downloads');
	mkdirSync(downloads);
	const port = await freePort();
	const settings = {
		'marionette.port': port,
		'browser.download.folderList': 2,
		'browser.download.dir': downloads,
		'browser.download.alwaysOpenPanel': false,
		'app.normandy.enabled': false,
		'datareporting.policy.dataSubmissionEnabled': false,
	};
	const lines = Object.entries(settings).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`);
	writeFileSync(join(folder, 'user.js'), lines.join(''));
	const options = ['--headless', '--no-remote', '--marionette', '--remote-allow-system-access', '--profile', folder];
	const program = spawn(executablePath, options, { stdio: 'ignore' });
	const socket = await until('Firefox', () => {
		const socket = connect(port, '127.0.0.1');
		return new Promise((done, failed) => socket.once('connect', () => done(socket)).once('error', failed));
	});
	const marionette = new Marionette(socket);
	await marionette.ask('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } });
	return {
		newContext: async (options) => ({ newPage: () => Tab.open(marionette, downloads, options) }),
		async close() {
			const ended = new Promise((done) => program.once('exit', done));
			await marionette.ask('Marionette:Quit', { flags: ['eForceQuit'] });
			socket.destroy();
			await ended;
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

class Tab {
	#marionette;
	#downloads;

	static async open(marionette, downloads, { viewport, colorScheme }) {
		const tab = new Tab();
		tab.#marionette = marionette;
		tab.#downloads = downloads;
		const { handle } = await marionette.ask('WebDriver:NewWindow', { type: 'window' });
		await marionette.ask('WebDriver:CloseWindow');
		await marionette.ask('WebDriver:SwitchToWindow', { handle });
		const dark = colorScheme === 'dark' ? 0 : 1;
		await marionette.runInside((dark) => Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', dark), dark);
		// The window has borders, and no less than a width of its own.
		await marionette.ask('WebDriver:SetWindowRect', { width: viewport.width, height: viewport.height + 85 });
		await marionette.runInside(() => Services.console.reset());
		return tab;
	}

	/** Nothing is told while it happens: `mistakes` asks afterwards. */
	on() {}

	/** What went wrong in the page so far, refused connections included. */
	mistakes() {
		return this.#marionette.runInside(() =>
			Services.console
				.getMessageArray()
				.filter((entry) => entry instanceof Ci.nsIScriptError && entry.sourceName.startsWith('file:') && !(entry.flags & 1))
				.map((entry) => entry.errorMessage),
		);
	}

	#run(work, ...args) {
		return this.#marionette.run(work, ...args);
	}

	/** The element at a selector, which may end with the number among several: ` >> nth=1`. */
	#find(selector) {
		const [value, nth = 0] = selector.split(' >> nth=');
		return until(selector, async () => {
			const all = await this.#marionette.ask('WebDriver:FindElements', { using: 'css selector', value });
			return all[nth];
		});
	}

	async #with(selector, work, ...args) {
		return this.#run(work, await this.#find(selector), ...args);
	}

	goto(url) {
		return this.#marionette.ask('WebDriver:Navigate', { url });
	}

	evaluate(work) {
		return this.#run(work);
	}

	waitForFunction(work, arg) {
		return until(work, () => this.#run(work, arg));
	}

	waitForSelector(selector) {
		return until(selector, () => this.#run((selector) => document.querySelector(selector)?.checkVisibility(), selector));
	}

	waitForTimeout(time) {
		return pause(time);
	}

	textContent(selector) {
		return this.#with(selector, (element) => element.textContent);
	}

	$$(selector) {
		return this.$$eval(selector, (all) => all.map(() => true));
	}

	async $(selector) {
		return (await this.$$(selector))[0];
	}

	$eval(selector, work) {
		return this.#with(selector, `(element) => (${work})(element)`);
	}

	$$eval(selector, work) {
		return this.#run(`(selector) => (${work})([...document.querySelectorAll(selector)])`, selector);
	}

	focus(selector) {
		return this.#with(selector, (element) => element.focus());
	}

	async #element(selector, name, parameters = {}) {
		await until(selector, async () => {
			const [id] = Object.values(await this.#find(selector));
			await this.#marionette.ask(`WebDriver:Element${name}`, { id, ...parameters });
			return true;
		});
	}

	click(selector) {
		return this.#element(selector, 'Click');
	}

	setInputFiles(selector, path) {
		return this.#element(selector, 'SendKeys', { text: path });
	}

	fill(selector, text) {
		return this.#with(
			selector,
			(element, text) => {
				element.focus();
				element.value = text;
				element.dispatchEvent(new Event('input', { bubbles: true }));
			},
			text,
		);
	}

	selectOption(selector, value) {
		return this.#with(
			selector,
			(element, value) => {
				element.value = value;
				element.dispatchEvent(new Event('change', { bubbles: true }));
			},
			value,
		);
	}

	async press(selector, key) {
		await this.focus(selector);
		await this.keyboard.press(key);
	}

	keyboard = {
		press: async (keys) => {
			const values = keys === '+' ? ['+'] : keys.split('+').map((key) => KEYS[key] ?? key);
			const actions = [
				...values.map((value) => ({ type: 'keyDown', value })),
				...values.toReversed().map((value) => ({ type: 'keyUp', value })),
			];
			await this.#marionette.ask('WebDriver:PerformActions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
		},
		type: async (text) => {
			for (const key of text) await this.keyboard.press(key);
		},
	};

	/** The next file that arrives whole. */
	async waitForEvent() {
		const before = new Set(readdirSync(this.#downloads));
		const path = await until('a download', () => {
			const names = readdirSync(this.#downloads);
			const [name] = names.filter((name) => !before.has(name) && !name.endsWith('.part'));
			const path = name && join(this.#downloads, name);
			return path && !names.includes(`${name}.part`) && statSync(path).size > 0 && path;
		});
		return { path: async () => path };
	}
}
