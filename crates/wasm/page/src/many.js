// One value for all places that a search found.
import { ask, element, table } from './dialog.js';
import { Trails, inWords, textOf } from './trail.js';
import { Typed } from './typed.js';

/** Places that are listed when they cannot take the value. */
const LISTED = 100;

const count = (number) => `${number} value${number === 1 ? '' : 's'}`;

/**
 * Sorts the places of a search by what a new value would replace, each sort with its `label` and `ways`: keys or values that
 * are the text, or have it inside, or values at which a pattern of paths ends. Sorts that are empty, or equal to the one before, are left out.
 */
function choices(save, places, text) {
	const trails = new Trails(save);
	const [keys, parts, values, holders, ends] = [new Map(), new Map(), new Map(), new Map(), new Map()];
	for (const [number, offset, role] of places) {
		const way = trails.to(number, offset);
		const id = `${number} ${way.at}`;
		if (role === 3) {
			ends.set(id, way);
			continue;
		}
		(role === 0 ? holders : parts).set(id, way);
		if (role !== 0 && way.key === text) keys.set(id, way);
		if (role === 0) {
			const line = way.loaded.preview(way.at, way.level, 200);
			if (line === text || textOf(line) === text) values.set(id, way);
		}
	}
	const sort = (ways, also, label) => (ways.size === 0 || ways.size === also?.size ? [] : [{ label: `${count(ways.size)} ${label}`, ways: [...ways.values()] }]);
	return [
		...sort(ends, undefined, `at “${text}”`),
		...sort(keys, undefined, `of the key “${text}”`),
		...sort(parts, keys, `of keys with “${text}” inside`),
		...sort(values, undefined, `equal to “${text}”`),
		...sort(holders, values, `with “${text}” inside`),
	];
}

/** Splits places by whether they can take a value: `{ changes: [way, bytes] …, refused: [way, why] … }`. */
function plan(ways, typed) {
	const [changes, refused] = [[], []];
	for (const way of ways) {
		try {
			changes.push([way, typed.keeping(way.loaded, way.at, way.level)]);
		} catch (error) {
			refused.push([way, error.message]);
		}
	}
	return { changes, refused };
}

/**
 * Asks for the places and the value. `whole` is false if the search has found more places than these. Returns the changes, each
 * `[way, bytes]`, or null to give up.
 */
export async function askMany(save, { places, text, whole }) {
	const all = choices(save, places, text);
	const which = element('select', { id: 'which' }, ...all.map(({ label }, n) => element('option', { value: n, textContent: label })));
	const inside = element('input', { id: 'inside', type: 'text', autocomplete: 'off', spellcheck: false, placeholder: 'everywhere' });
	const value = element('input', { id: 'value', type: 'text', className: 'mono', autocomplete: 'off', spellcheck: false });
	const outcome = element('p', { role: 'status' });
	const refusals = element('div');
	const body = [
		element('label', {}, 'Which', which),
		element('label', {}, 'Only where the place contains, for instance “party”', inside),
		element('label', {}, 'New value, as in a script', value),
		outcome,
		refusals,
	];
	if (!whole) {
		const textContent = `The search stopped after ${places.length} places. Those after them keep their values.`;
		body.unshift(element('p', { className: 'damage', textContent }));
	}
	const done = ask('Set many values', body, [['ok', 'Set'], ['', 'Cancel']]);
	const button = document.querySelector('#dialog button[value=ok]');
	let changes = [];
	const show = () => {
		const part = inside.value.toLowerCase();
		const ways = all[Number(which.value)].ways.filter(({ words }) => inWords(words).toLowerCase().includes(part));
		changes = [];
		let refused = [];
		let wrong = '';
		if (value.value.trim() !== '') {
			try {
				const typed = new Typed(save, value.value);
				({ changes, refused } = plan(ways, typed));
				typed.free();
			} catch (error) {
				wrong = error.message;
			}
		}
		outcome.className = wrong ? 'damage' : '';
		outcome.textContent = wrong || `${count(ways.length)} chosen. Each keeps its type.`;
		if (refused.length > 0) outcome.textContent = `${count(refused.length)} of ${ways.length} cannot take it, and keep what they have:`;
		const lines = refused.slice(0, LISTED).map(([{ loaded, words, at, level }, why]) => [inWords(words, true), loaded.preview(at, level, 60), why]);
		if (refused.length > LISTED) lines.push([`and ${refused.length - LISTED} more`, '', '']);
		refusals.replaceChildren(...(lines.length ? [table(['Where', 'Value', 'Why'], lines)] : []));
		button.textContent = `Set ${count(changes.length)}`;
		button.disabled = changes.length === 0;
	};
	which.addEventListener('change', show);
	inside.addEventListener('input', show);
	value.addEventListener('input', show);
	show();
	value.focus();
	return (await done) === 'ok' ? changes : null;
}
