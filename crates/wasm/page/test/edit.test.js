// How values are changed.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as gdvar from '../../npm/index.node.js';
import * as forms from '../../npm/forms.node.js';
import { find, given, keep, saved, scratch, test, unharmed, visit } from './visit.js';

/** Writes a record of a value as a script has it, and opens it. */
async function written(tab, name, text) {
	const file = join(scratch, name);
	const value = forms.str_to_var(text);
	const length = Buffer.alloc(4);
	length.writeUInt32LE(value.length);
	writeFileSync(file, Buffer.concat([length, value]));
	await given(tab, file);
	await tab.waitForFunction((name) => document.querySelector('#what').textContent.startsWith(name), name);
}

/** What the page saves, as a script has it. It is kept as `name` for a real engine. */
async function script(tab, name) {
	const bytes = await saved(tab);
	if (name) keep(name, bytes);
	return forms.var_to_str(bytes.subarray(4)).replaceAll('\n', ' ');
}

test('number fields have steps, and a value keeps its type', async () => {
	const tab = await visit();
	await written(tab, 'numbers.sav', '{"hp": 80, "top": 9223372036854775806, "speed": 2.5, "small": 0.05, "sum": 0.1, "far": 1e20, "gone": nan, "whole": 7.0, "title": &"ann", "bag": Array[int]([1]), "none": null}');
	const number = () => tab.$eval('#number', (field) => field.value);
	const press = async (name, ...keys) => {
		await find(tab, name);
		await tab.focus('#number');
		for (const key of keys) await tab.keyboard.press(key);
		return number();
	};
	assert.equal(await press('hp', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'PageUp'), '91');
	await tab.keyboard.press('Enter');
	// 64 bits, to the last one.
	assert.equal(await press('top', 'ArrowUp', 'ArrowUp'), '9223372036854775807');
	assert.equal(await press('speed', 'ArrowUp'), '2.6');
	assert.equal(await tab.$eval('#up', (button) => button.title), 'Up by 0.1 (arrow up)');
	await tab.click('#up');
	await tab.click('#down');
	await tab.click('#down');
	assert.equal(await number(), '2.5');
	assert.equal(await press('small', 'ArrowDown'), '0.049');
	assert.equal(await press('sum', 'ArrowUp', 'ArrowUp'), '0.12');
	assert.equal(await press('far', 'ArrowUp'), '110000000000000000000.0');
	assert.equal(await press('gone', 'ArrowUp'), 'nan');
	const field = await tab.$eval('#number', ({ role, ariaValueText }) => ({ role, ariaValueText }));
	assert.deepEqual(field, { role: 'spinbutton', ariaValueText: 'nan' });

	// A whole number is a Float where a Float was, a Float is refused where an Int was.
	await find(tab, 'whole');
	await tab.fill('#number', '100000000000000000000');
	await tab.click('#apply');
	await find(tab, 'hp');
	await tab.fill('#number', '91.5');
	await tab.click('#apply');
	assert.equal(await tab.textContent('#mistake'), 'the new value is a Float, and the value here is an Int; untick “Keep the type” to put it here');
	await find(tab, 'title');
	await tab.fill('#text', '"bob"');
	await tab.click('#apply');
	await find(tab, 'bag');
	await tab.fill('#text', '["a"]');
	await tab.click('#apply');
	assert.match(await tab.textContent('#mistake'), /the new Array is of other types than the Array here, which begins with Array\[int\]/);
	await tab.fill('#text', 'Array[int]([1, 2])');
	await tab.click('#apply');
	await find(tab, 'none');
	await tab.fill('#text', '"some"');
	await tab.click('#apply');
	const all = (hp) => `{ "bag": Array[int]([1, 2]), "far": 1e+20, "gone": nan, "hp": ${hp}, "none": "some", "small": 0.05, "speed": 2.5, "sum": 0.1, "title": &"bob", "top": 9223372036854775806, "whole": 1e+20 }`;
	assert.equal(await script(tab, 'typed.sav'), all('91'));
	// Unless the type may change.
	await find(tab, 'hp');
	await tab.click('#same');
	await tab.fill('#text', '[91.5]');
	await tab.click('#apply');
	assert.equal(await script(tab), all('[91.5]'));
	await unharmed(tab);
});

test('many values are set at once, each with its type', async () => {
	const tab = await visit();
	const text = '{ "boss": { "hp": "full" }, "hp": [], "party": [{ "hp": 80, "hp_max": 100, "name": "Ann" }, { "hp": 7.5, "hp_max": 100, "name": "Bo" }], "pet": { "hp": 3, "like": "hp" } }';
	await written(tab, 'many.sav', text);
	await find(tab, 'hp');
	await tab.click('#many');
	assert.deepEqual(await tab.$$eval('#which option', (all) => all.map((one) => one.textContent)), [
		'5 values of the key “hp”',
		'7 values of keys with “hp” inside',
		'1 value equal to “hp”',
	]);
	const button = () => tab.textContent('#dialog button[value=ok]');
	const refused = () => tab.$$eval('dialog tbody tr', (all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
	assert.equal(await tab.$eval('#dialog button[value=ok]', (button) => button.disabled), true);
	await tab.fill('#value', '99');
	assert.equal(await button(), 'Set 3 values');
	assert.deepEqual(await refused(), [
		['boss › hp', '"full"', 'the new value is an Int, and the value here is a String'],
		['hp', '[]', 'the new value is an Int, and the value here is an Array'],
	]);
	await tab.fill('#value', '99.5');
	assert.equal(await button(), 'Set 1 value');
	await tab.fill('#value', '99');
	await tab.click('dialog button[value=ok]');
	const all = text.replace('"hp": 80', '"hp": 99').replace('"hp": 7.5', '"hp": 99.0').replace('"hp": 3', '"hp": 99');
	assert.equal(await script(tab, 'many.sav'), all.replace(/\s/g, ' '));
	// The list shows them, and all go back in one step.
	assert.equal(await tab.$$eval('.hit .preview', (all) => all.filter(({ textContent }) => /^99(\.0)?$/.test(textContent)).length), 3);
	await tab.click('#undo');
	assert.equal(await script(tab), text);
	assert.equal(await tab.$eval('#undo', (undo) => undo.disabled), true);

	// Of all keys with the text, those on a way.
	await tab.click('#many');
	await tab.selectOption('#which', '1');
	await tab.fill('#inside', 'party › bo');
	await tab.fill('#value', '1');
	assert.equal(await button(), 'Set 2 values');
	await tab.click('dialog button[value=ok]');
	assert.equal(await script(tab), text.replace('"hp": 7.5, "hp_max": 100', '"hp": 1.0, "hp_max": 1'));
	// What is wrong with the text is told where it is typed; giving up changes nothing.
	await tab.click('#many');
	await tab.fill('#value', '{');
	assert.match(await tab.textContent('dialog .damage'), /line 1, column/);
	await tab.keyboard.press('Escape');
	await tab.click('#undo');
	assert.equal(await script(tab), text);
	await unharmed(tab);
});

test('many values at a pattern of paths', async () => {
	const tab = await visit();
	const text = '{ "boss": { "hp": 9 }, "party": [{ "hp": 80, "at": Vector2(1, 2) }, { "hp": 7.5 }, { "hp": "full" }], "price": "$.50" }';
	await written(tab, 'pattern.sav', text);
	// As the command's `set` reads them.
	for (const [pattern, places] of [['$.party[*].hp', 3], ['$.party[1:].hp', 2], ['$..hp', 4], ['$.boss.hp', 1], ['$.party[*]', 3], ['$.party[*].at', 1], ['$.50', 1], ['$.party[*].mp', 0], ['$.party[0].at.x', 0]]) {
		await find(tab, pattern);
		assert.equal((await tab.$$('.hit')).length, places, pattern);
	}
	assert.equal(await tab.textContent('#count'), 'no value is at “$.party[0].at.x”, and it is in none');
	await find(tab, '$.party[*].hp');
	await tab.click('#many');
	assert.deepEqual(await tab.$$eval('#which option', (all) => all.map((one) => one.textContent)), ['3 values at “$.party[*].hp”']);
	await tab.fill('#value', '99');
	assert.equal(await tab.textContent('#dialog button[value=ok]'), 'Set 2 values');
	await tab.click('dialog button[value=ok]');
	const want = text.replace('"hp": 80, "at": Vector2(1, 2)', '"at": Vector2(1, 2), "hp": 99').replace('"hp": 7.5', '"hp": 99.0');
	assert.equal(await script(tab, 'pattern.sav'), want.replace(/\s/g, ' '));
	await unharmed(tab);
});

test('many values of several records', async () => {
	const tab = await visit();
	const file = join(scratch, 'wolves.sav');
	const wolves = (hp) => Array.from({ length: 3000 }, (_, n) => ({ name: `wolf ${n}`, hp: hp ?? n }));
	writeFileSync(file, Buffer.concat([gdvar.put_var(wolves()), gdvar.put_var({ hp: 1 })]));
	await given(tab, file);
	await find(tab, 'hp');
	await tab.click('#many');
	await tab.fill('#value', '50');
	assert.equal(await tab.textContent('#dialog button[value=ok]'), 'Set 3001 values');
	await tab.press('#value', 'Enter');
	assert.equal(Buffer.compare(await saved(tab), Buffer.concat([gdvar.put_var(wolves(50)), gdvar.put_var({ hp: 50 })])), 0);
	await unharmed(tab);
});
