// Questions in a dialog, and long answers.

import { unhex } from './unhex.js';

const dialog = () => document.getElementById('dialog');

export function element(name, properties = {}, ...children) {
	const made = Object.assign(document.createElement(name), properties);
	made.append(...children);
	return made;
}

/** Shows a dialog. Returns the name of the button that was pressed, or '' for none. `form` is a class of its looks. */
export function ask(title, body, buttons, form = '') {
	const box = dialog();
	box.className = form;
	box.querySelector('h2').textContent = title;
	box.querySelector('.body').replaceChildren(...body);
	box.querySelector('.buttons').replaceChildren(...buttons.map(([value, text]) => element('button', { value, textContent: text, className: value && 'main' })));
	box.returnValue = '';
	box.showModal();
	// A long answer is read from its top, and closed by Enter.
	if (!box.querySelector('.body :is(input, select)')) box.querySelector('.buttons button').focus();
	return new Promise((done) => box.addEventListener('close', () => done(box.returnValue), { once: true }));
}

/** Parses a key of hex digits, or throws what is wrong with it. */
function keyOf(text) {
	const key = unhex(text);
	if (key.length !== 32) throw new Error(`a key has 32 bytes, which are 64 hex digits; these are ${key.length} bytes`);
	return key;
}

/** Asks for the password or the key of a file. Returns null to give up. */
export async function password({ error }) {
	const field = element('input', { type: 'password', name: 'password', autocomplete: 'off' });
	const kind = element('select', { name: 'kind' });
	kind.append(element('option', { value: 'password', textContent: 'a password (open_encrypted_with_pass)' }));
	kind.append(element('option', { value: 'key', textContent: 'a key of 64 hex digits (open_encrypted)' }));
	let wrong = error && `That is not the ${typeof error.secret === 'string' ? 'password' : 'key'}, or the file is damaged.`;
	for (;;) {
		const body = [
			element('label', {}, 'This file is encrypted. The password or key that the game uses:', field),
			element('label', {}, 'It is ', kind),
		];
		if (wrong) body.unshift(element('p', { className: 'damage', textContent: wrong }));
		const open = ask('A password is needed', body, [['ok', 'Open'], ['', 'Cancel']]);
		field.focus();
		if ((await open) !== 'ok') return null;
		if (kind.value === 'password') return field.value;
		try {
			return keyOf(field.value);
		} catch (mistake) {
			wrong = mistake.message;
		}
	}
}

/** Asks for texts. `fields` are labels. Returns the texts, or null. */
export async function texts(title, fields, button) {
	const inputs = fields.map(() => element('input', { type: 'text', className: 'mono', autocomplete: 'off', spellcheck: false }));
	const body = fields.map((label, n) => element('label', {}, label, inputs[n]));
	const done = ask(title, body, [['ok', button], ['', 'Cancel']]);
	inputs[0].focus();
	return (await done) === 'ok' ? inputs.map((input) => input.value) : null;
}

/** Asks to choose one of several options. Returns null to give up. */
export async function choose(title, label, options, button) {
	const select = element('select', {}, ...options.map(([value, text]) => element('option', { value, textContent: text })));
	const done = ask(title, [element('label', {}, label, select)], [['ok', button], ['', 'Cancel']]);
	select.focus();
	return (await done) === 'ok' ? select.value : null;
}

/** Asks which of several readings is meant. Returns undefined to give up. */
export async function choice({ choices }) {
	const said = ({ options, reads }) => `${Object.entries(options).map((pair) => pair.join(' ')).join(', ')}: ${reads}`;
	const options = choices.map((one, n) => [String(n), said(one)]);
	const chosen = await choose('This file can be read in several ways', 'As what?', options, 'Open');
	return chosen === null ? undefined : choices[Number(chosen)];
}

/** Makes a table of texts. */
export function table(heads, rows) {
	const head = element('tr', {}, ...heads.map((name) => element('th', { textContent: name, scope: 'col' })));
	const lines = rows.map((row) => element('tr', {}, ...row.map((cell) => element('td', { textContent: cell }))));
	return element('table', {}, element('thead', {}, head), element('tbody', {}, ...lines));
}

/** Shows a text, and a table if there is one. */
export function tell(title, text, heads, rows) {
	const body = [element('p', { textContent: text })];
	if (rows?.length) body.push(table(heads, rows));
	return ask(title, body, [['ok', 'Close']]);
}
