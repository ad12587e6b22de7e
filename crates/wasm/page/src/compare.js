// Two saves side by side: which is which, and where they differ.
import { diff } from '../../npm/src/forms.js';
import { ask, element } from './dialog.js';
import { Trails, inWords } from './trail.js';

/** Differences that are found. */
const MOST = 10_000;
/** Lines that are shown, and added by `Show more`. */
const PAGE = 200;

/** Returns the differences, each `{ number, path, change, from, to }`. */
function differences(save, other) {
	const all = [];
	const most = Math.max(save.values.length, other.values.length);
	for (let number = 0; number < most && all.length < MOST; number++) {
		const [mine, theirs] = [save.values[number], other.values[number]];
		if (!mine) all.push({ number, path: '$', change: 'added', to: theirs.line(0, 0, 120) });
		else if (!theirs) all.push({ number, path: '$', change: 'removed', from: mine.line(0, 0, 120) });
		else {
			const options = { dialect: save.dialect, objects: 'inert', limit: MOST - all.length };
			for (const one of diff(mine.bytes, theirs.bytes, options)) all.push({ number, ...one });
		}
	}
	return all;
}

const seconds = (time) => Math.floor(time / 1000);
const dated = (time) => new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** Says what is known of a save, for whoever asks which of two it is. */
function card(save, other, side) {
	const facts = [`${save.size.toLocaleString()} bytes`, `${save.describe()}, ${save.dialect}`];
	if (save.modified) facts.push(`written ${dated(save.modified)}`);
	const body = [element('strong', { textContent: save.name }), ...facts.map((textContent) => element('span', { textContent }))];
	if (seconds(save.modified) > seconds(other.modified)) body.push(element('span', { className: 'later', textContent: 'the later one' }));
	return element('div', { className: `card ${side}` }, ...body);
}

/** Returns the sentence above the differences. */
function summary(save, other, all) {
	if (all.length === 0) return `${save.name} and ${other.name} hold the same values.`;
	const count = (change) => all.filter((one) => one.change === change).length;
	const [removed, added] = [count('removed'), count('added')];
	const parts = [[all.length - removed - added, 'changed'], [removed, 'only on the left'], [added, 'only on the right']];
	const said = parts.filter(([number]) => number > 0).map((part) => part.join(' '));
	return `${all.length === MOST ? `The first ${MOST}` : all.length} difference${all.length === 1 ? '' : 's'}: ${said.join(', ')}.`;
}

/**
 * Shows the differences. Returns the place in `save` that was picked, `{ number, at }`, or undefined. `other` is converted if it
 * is for another engine.
 */
export async function compare(save, other) {
	const was = other.dialect;
	if (was !== save.dialect) other.convert(save.dialect);
	const all = differences(save, other);
	const trails = [new Trails(save), new Trails(other)];
	let picked;
	const line = ({ number, path, change, from, to }) => {
		const side = change === 'added' ? 1 : 0;
		const at = [save, other][side].values[number].find(path);
		// A part of a value, such as an element of a packed array, has no way of its own.
		const words = at === undefined ? path.replace(/^\$\.?/, '') : inWords(trails[side].to(number, at).words);
		const record = Math.max(save.values.length, other.values.length) > 1 ? `#${number} ` : '';
		const go = element('button', { type: 'button', className: 'link', textContent: record + words, title: path });
		go.disabled = side === 1 || at === undefined;
		go.addEventListener('click', () => {
			picked = { number, at };
			document.getElementById('dialog').close();
		});
		const cell = (text) =>
			text === undefined
				? element('td', { className: 'quiet', textContent: 'not there' })
				: element('td', { className: 'mono' }, element('div', { className: 'clamp', textContent: text, title: text }));
		const cells = [cell(change === 'added' ? undefined : from), cell(change === 'removed' ? undefined : to)];
		return element('tr', { className: change }, element('th', { scope: 'row' }, go), ...cells);
	};
	const heads = ['Where', save.name, other.name].map((textContent) => element('th', { scope: 'col', textContent }));
	const lines = element('tbody');
	const more = element('button', { type: 'button', textContent: 'Show more' });
	const show = () => {
		const shown = lines.children.length;
		lines.append(...all.slice(shown, shown + PAGE).map(line));
		more.hidden = lines.children.length === all.length;
	};
	more.addEventListener('click', show);
	show();
	const cards = element('div', { className: 'cards' }, card(save, other, 'left'), card(other, save, 'right'));
	const body = [cards, element('p', { textContent: summary(save, other, all) })];
	if (was !== other.dialect) {
		const textContent = `${other.name} is of ${was}. It was converted to ${save.dialect} for this.`;
		body.push(element('p', { className: 'quiet', textContent }));
	}
	if (all.length > 0) body.push(element('table', { className: 'sides' }, element('thead', {}, element('tr', {}, ...heads)), lines), more);
	await ask('Two saves side by side', body, [['ok', 'Close']], 'wide');
	return picked;
}
