// What is found, and what is done with it.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as gdvar from '../../npm/index.node.js';
import * as forms from '../../npm/forms.node.js';
import { data, find, given, scratch, test, unharmed, visit } from './visit.js';

test('a search shows values and what they belong to, in words', async () => {
	const tab = await visit();
	const hits = () => tab.$$eval('.hit', (all) => all.map((hit) => [...hit.children].map((part) => part.textContent)));
	await given(tab, data('saves/rpg4.sav'));
	await find(tab, 'xp');
	// The values are those of the document beside the save.
	const party = ['Aldis', 'Børge', '紅葉', 'Zoë'];
	const [save] = gdvar.records(readFileSync(data('saves/rpg4.sav')));
	const expected = party.map((name, n) => [`party › ${name} › xp`, String(save.get(`party[${n}].xp`).toJS()), 'the key matches']);
	assert.deepEqual(expected[0], ['party › Aldis › xp', '8420962256', 'the key matches']);
	const all = await hits();
	assert.deepEqual(all.filter(([trail]) => trail.startsWith('party')), expected);
	assert.equal(await tab.textContent('#count'), `${all.length} found`);
	// The path is at hand for scripts.
	assert.equal(await tab.$eval('.hit', (hit) => hit.title), '$.party[0].xp');
	// After a change it shows the new value.
	await tab.fill('#number', '7');
	await tab.click('#apply');
	assert.deepEqual((await hits())[0], ['party › Aldis › xp', '7', 'the key matches']);
	await tab.click('#undo');
	assert.deepEqual((await hits())[0], expected[0]);
	// A value that matches needs no such words.
	await find(tab, 'Aldis');
	assert.deepEqual((await hits())[0], ['party › Aldis › name', '"Aldis"']);

	// Equal names have their numbers, elements without a name have nothing else, several records are told apart.
	const file = join(scratch, 'bags.sav');
	const bag = [{ id: 'potion', uses: 1 }, { id: 'potion', uses: 2 }, { uses: 3 }, { name: '', uses: 4 }];
	const many = Array.from({ length: 150 }, (_, n) => ({ id: `wolf ${n}`, teeth: n }));
	writeFileSync(file, Buffer.concat([gdvar.put_var({ bag, 'odd key': { uses: 5 } }), gdvar.put_var(many)]));
	await given(tab, file);
	await find(tab, 'uses');
	assert.deepEqual(await hits(), [
		['#0', 'bag › potion [0] › uses', '1', 'the key matches'],
		['#0', 'bag › potion [1] › uses', '2', 'the key matches'],
		['#0', 'bag › [2] › uses', '3', 'the key matches'],
		['#0', 'bag › [3] › uses', '4', 'the key matches'],
		['#0', 'odd key › uses', '5', 'the key matches'],
	]);
	await find(tab, 'teeth');
	assert.equal(await tab.textContent('#count'), '150 found, 100 shown');
	await tab.click('#more');
	assert.equal((await hits()).length, 150);
	assert.deepEqual((await hits())[149], ['#1', 'wolf 149 › teeth', '149', 'the key matches']);
	await tab.focus('#needle');
	await tab.keyboard.press('ArrowDown');
	await tab.keyboard.press('End');
	assert.equal(await tab.textContent('#path'), '#1  $[149].teeth');
	const active = await tab.$eval('#hits', (list) => document.getElementById(list.getAttribute('aria-activedescendant')).textContent);
	assert.match(active, /^#1wolf 149/);
	await tab.keyboard.press('Escape');
	assert.equal(await tab.$eval('#found', (found) => found.hidden), true);
	// Properties of an Object have names; so has a Resource among others.
	const object = join(scratch, 'object.sav');
	const value = forms.str_to_var('[Object(Resource,"resource_name":"sword","power":5)]');
	writeFileSync(object, Buffer.concat([Buffer.from(Uint32Array.of(value.length).buffer), value]));
	await given(tab, object);
	await find(tab, 'power');
	assert.deepEqual(await hits(), [['sword › power', '5', 'the name matches']]);
	await find(tab, 'nowhere');
	assert.equal(await tab.textContent('#count'), '“nowhere” is in no key and no value');
	await unharmed(tab);
});

test('favourites by path are kept for other saves, and never stop the page', async () => {
	const tab = await visit();
	await tab.evaluate(() => localStorage.clear());
	const lines = () => tab.$$eval('#starred .hit', (all) => all.map((one) => [one.title, ...[...one.children].map((part) => part.textContent)]));
	const pressed = () => tab.$eval('#star', (star) => star.ariaPressed);
	await given(tab, data('saves/rpg4.sav'));
	assert.equal(await tab.$eval('#favourites', (list) => list.hidden), true);
	await find(tab, 'Aldis');
	await find(tab, 'xp');
	assert.equal(await pressed(), 'false');
	await tab.click('#star');
	assert.equal(await pressed(), 'true');
	await find(tab, 'gold');
	await tab.waitForFunction(() => document.querySelector('#path').textContent === '$.gold');
	assert.equal(await pressed(), 'false');
	await tab.click('#star');
	assert.deepEqual(await lines(), [
		['$.party[0].xp', 'party › Aldis › xp', '8420962256'],
		['$.gold', 'gold', '5000000000'],
	]);
	await tab.click('#starred .hit');
	assert.equal(await tab.textContent('#path'), '$.party[0].xp');
	await tab.fill('#number', '12');
	await tab.press('#number', 'Enter');
	assert.equal((await lines())[0][2], '12');
	await tab.click('#undo');
	await tab.evaluate(() => document.querySelector('#save').click());

	// Later, with another save of the game: those that it has, with its values.
	await tab.evaluate(() => {
		window.old = true;
		location.reload();
	});
	await tab.waitForFunction(() => !window.old && document.body?.dataset.ready === 'yes');
	const file = join(scratch, 'later.sav');
	writeFileSync(file, gdvar.put_var({ party: [{ hp: 1 }], gold: 7 }));
	await given(tab, file);
	assert.deepEqual(await lines(), [['$.gold', 'gold', '7']]);
	await tab.click('#starred .hit');
	await tab.click('#star');
	assert.deepEqual(await lines(), []);
	// The browser keeps paths and nothing else.
	const kept = await tab.evaluate(() => Object.entries({ ...localStorage }));
	assert.deepEqual(kept, [['gdvar favourites', '[{"number":0,"path":"$.party[0].xp"}]']]);

	// What others wrote there, and no storage at all.
	await tab.evaluate(() => localStorage.setItem('gdvar favourites', '{"a":[1'));
	await given(tab, file);
	await tab.evaluate(() =>
		Object.defineProperty(window, 'localStorage', {
			get() {
				throw new DOMException('The operation is insecure.', 'SecurityError');
			},
		}),
	);
	await given(tab, file);
	await tab.waitForFunction(() => document.querySelector('#path').textContent === '$');
	await find(tab, 'gold');
	await tab.click('#star');
	assert.deepEqual(await lines(), [['$.gold', 'gold', '7']]);
	assert.match(await tab.$eval('#star', (star) => star.title), /until this page is closed/);
	await unharmed(tab);
});
