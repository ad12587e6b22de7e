// What the page does with files; visit.js has how it is opened.
import assert from 'node:assert/strict';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as once } from 'node:test';
import * as gdvar from '../../npm/index.node.js';
import * as forms from '../../npm/forms.node.js';
import { FORMS, data, find, given, keep, picture, rows, saved, scratch, test, testBoth, unharmed, visit, what } from './visit.js';

testBoth('a save: what it is, its tree, a change, back again', async () => {
	const tab = await visit();
	await picture(tab, 'start');
	const original = new Uint8Array(readFileSync(data('saves/rpg4.sav')));
	await given(tab, data('saves/rpg4.sav'));
	assert.match(await what(tab), /rpg4\.sav: 1 record of store_var, godot4/);
	assert.ok((await rows(tab)).some((row) => row.includes('party')), 'the tree shows the keys');
	// Unchanged, the file comes back as it was.
	assert.equal(Buffer.compare(await saved(tab), original), 0);

	await find(tab, 'xp');
	assert.ok((await tab.$$('.hit')).length > 1);
	await tab.waitForFunction(() => document.querySelector('#path').textContent.endsWith('.xp'));
	const path = (await tab.textContent('#path')).trim().replace('$.', '');
	await picture(tab, 'tree');
	await tab.fill('#number', '4321');
	await tab.click('#apply');
	assert.match(await what(tab), /changed/);
	const changed = await saved(tab);
	keep('edited.sav', changed);
	const [value] = gdvar.records(changed);
	assert.equal(value.get(path).toJS(), 4321);
	// Everywhere else the bytes are the same.
	const [old] = gdvar.records(original);
	const differences = forms.diff(old, value, { objects: 'inert' });
	assert.deepEqual(differences.map(({ path }) => path), [`$.${path}`]);

	await tab.click('#undo');
	assert.equal(Buffer.compare(await saved(tab), original), 0);
	// A text that is not a value is refused where it was typed, and nothing is changed.
	await tab.fill('#number', '{"hp": ');
	await tab.click('#apply');
	assert.ok((await tab.textContent('#mistake')).length > 5);
	assert.equal(Buffer.compare(await saved(tab), original), 0);
	await unharmed(tab);
});

test('every byte of the selected value has its name', async () => {
	const tab = await visit();
	const file = join(scratch, 'fields.sav');
	// {"hp": 80, "at": Vector2(1, 2)}: the names are those of docs/FORMAT.md.
	writeFileSync(file, gdvar.encode({ hp: 80, at: new gdvar.Vector2(1, 2) }));
	await given(tab, file);
	const runs = await tab.$$eval('#bytes span[title]', (all) => all.map(({ title, textContent }) => [title, textContent.trim().split(/ +/).length]));
	const joined = [];
	for (const [title, count] of runs) {
		if (joined.at(-1)?.[0] === title) joined.at(-1)[1] += count;
		else joined.push([title, count]);
	}
	assert.deepEqual(joined, [
		['header', 4], ['count', 4],
		['${0:key} header', 4], ['${0:key} length', 4], ['${0:key} text', 2], ['${0:key} padding', 2],
		['$.hp header', 4], ['$.hp payload', 4],
		['${1:key} header', 4], ['${1:key} length', 4], ['${1:key} text', 2], ['${1:key} padding', 2],
		['$.at header', 4], ['$.at payload', 8],
	]);
	await unharmed(tab);
});

test('entries are added and removed', async () => {
	const tab = await visit();
	const file = join(scratch, 'bag.sav');
	writeFileSync(file, gdvar.put_var({ gold: 1, bag: ['rope'] }));
	await given(tab, file);
	await tab.click('#add');
	await tab.fill('#dialog input >> nth=0', '"level"');
	await tab.fill('#dialog input >> nth=1', 'Vector2(1, 2)');
	await tab.click('#dialog button[value=ok]');
	await find(tab, 'rope');
	await tab.click('#remove');
	await tab.focus('#tree');
	await tab.keyboard.press('Home');
	await tab.keyboard.press('ArrowDown');
	await tab.keyboard.press('ArrowDown');
	await tab.click('#add');
	await tab.fill('#dialog input', '7.0');
	await tab.keyboard.press('Enter');
	assert.deepEqual(gdvar.get_var(await saved(tab)), { gold: 1, bag: [7], level: new gdvar.Vector2(1, 2) });
	await unharmed(tab);
});

testBoth('compressed and encrypted files, asked for the password', async () => {
	const tab = await visit();
	const plain = new Uint8Array(readFileSync(data('saves/rpg4.sav')));
	const { password } = JSON.parse(readFileSync(data('saves/rpg4.pass.gdec.json'), 'utf8'));
	await tab.setInputFiles('#file', data('saves/rpg4.pass.gdec'));
	await tab.waitForSelector('dialog[open]');
	await tab.fill('dialog input', 'wrong');
	await tab.keyboard.press('Enter');
	await tab.waitForSelector('dialog[open] .damage');
	await picture(tab, 'password');
	await tab.fill('dialog input', password);
	await tab.keyboard.press('Enter');
	await tab.waitForSelector('#work:not([hidden])');
	assert.match(await what(tab), /encrypted \(Godot 4\), 1 record/);
	const encrypted = await saved(tab);
	assert.equal(Buffer.compare((await forms.contents(encrypted, { password })).bytes, plain), 0);

	for (const [name, mode] of [['camp3.fastlz.gcpf', 'fastlz'], ['camp4.zstd.gcpf', 'zstd'], ['camp3.deflate.gcpf', 'deflate']]) {
		await given(tab, data(`saves/${name}`));
		await tab.waitForFunction((name) => document.querySelector('#what').textContent.includes(name), name);
		assert.match(await what(tab), new RegExp(`compressed \\(${mode}\\)`));
	}
	await unharmed(tab);
});

test('hex that was pasted, settings of a project, a script', async () => {
	const tab = await visit();
	await tab.fill('#hex', '1b 00 00 00 01 00 00 00  04000000 02000000 68700000 02000000 50000000');
	await tab.click('#paste button');
	await tab.waitForSelector('#work:not([hidden])');
	assert.match(await what(tab), /pasted\.bin: one value, godot4/);
	assert.ok((await rows(tab)).some((row) => /hp.*80/.test(row)));
	await given(tab, data('projects/godot4.binary'));
	await tab.waitForFunction(() => document.querySelector('#what').textContent.includes('settings'));
	assert.equal(Buffer.compare(await saved(tab), readFileSync(data('projects/godot4.binary'))), 0);
	// A file of hex is saved as hex.
	const lines = join(scratch, 'lines.txt');
	writeFileSync(lines, `${Buffer.from(gdvar.encode({ hp: 80 })).toString('hex')}\n`);
	await given(tab, lines);
	await tab.waitForFunction(() => document.querySelector('#what').textContent.includes('1 line of hex'));
	assert.equal(Buffer.compare(await saved(tab), readFileSync(lines)), 0);
	await given(tab, data('scripts/godot4.gdc'));
	await tab.waitForFunction(() => document.querySelector('#what').textContent.includes('script'));
	await unharmed(tab);
});

test('hex that is broken names the wrong digit, and stays on the page', async () => {
	const tab = await visit();
	const wrong = async (text, message) => {
		await tab.fill('#hex', text);
		await tab.click('#paste button');
		await tab.waitForSelector('#alert:not([hidden])');
		assert.match(await tab.textContent('#alert'), message);
	};
	await wrong('1b 00 00 0g', /line 1, character 11: "g" is not a hex digit/);
	await wrong('1b 00\n00 0O 01', /line 2, character 5: "O" is not a hex digit/);
	await wrong('1b0000001', /line 1, character 9: "1" is half a byte/);
	await wrong('1b 0 00', /line 1, character 4: "0" is half a byte/);
	await wrong('hello', /character 1: "h" is not a hex digit/);
	await wrong('  ', /there are no hex digits/);
	// A file of hex digits with one mistake is not a binary file.
	const file = join(scratch, 'broken.txt');
	writeFileSync(file, '02000000 5o000000');
	await tab.setInputFiles('#file', file);
	await tab.waitForFunction(() => document.querySelector('#alert').textContent.includes('text'));
	// What is right is read, with any marks between.
	await tab.fill('#hex', '0x02, 0x00, 0x00, 0x00\n\\x50\\x00:00;00');
	await tab.click('#paste button');
	await tab.waitForSelector('#work:not([hidden])');
	assert.ok((await rows(tab)).some((row) => /Int80/.test(row)));
	assert.equal(await tab.$eval('#alert', (alert) => alert.hidden), true);
	await unharmed(tab);
});

test('a file that can be read in two ways is asked about', async () => {
	const tab = await visit();
	const file = join(scratch, 'doubtful.sav');
	writeFileSync(file, Buffer.from('0400000000000000', 'hex'));
	await tab.setInputFiles('#file', file);
	await tab.waitForSelector('dialog[open]');
	const options = await tab.$$eval('dialog option', (all) => all.map(({ value, textContent }) => [value, textContent]));
	assert.equal(options.length, 2);
	const [value] = options.find(([, text]) => text.includes('len32'));
	await tab.selectOption('dialog select', value);
	await tab.click('dialog button[value=ok]');
	await tab.waitForSelector('#work:not([hidden])');
	assert.match(await what(tab), /1 record of store_var/);
	// A header of the game's own stays.
	const own = Buffer.concat([Buffer.from('MYGAME'), gdvar.put_var({ name: 'Ann', hp: 80 })]);
	writeFileSync(file, own);
	await given(tab, file);
	await tab.waitForFunction(() => document.querySelector('#what').textContent.includes('6 bytes of the game'));
	assert.equal(Buffer.compare(await saved(tab), own), 0);
	await unharmed(tab);
});

test('a key of 32 bytes', async () => {
	const tab = await visit();
	const plain = new Uint8Array(readFileSync(data('saves/camp4.sav')));
	const { key_hex: key } = JSON.parse(readFileSync(data('saves/camp4.key.gdec.json'), 'utf8'));
	await tab.setInputFiles('#file', data('saves/camp4.key.gdec'));
	const enter = async (text, expected) => {
		await tab.waitForSelector('dialog[open]');
		await tab.selectOption('dialog select', 'key');
		await tab.fill('dialog input', text);
		await tab.press('dialog input', 'Enter');
		if (!expected) return;
		await tab.waitForSelector('dialog[open] .damage');
		assert.match(await tab.textContent('dialog .damage'), expected);
	};
	await enter(`${key.slice(0, 10)}x${key.slice(11)}`, /character 11: "x" is not a hex digit/);
	await enter(key.slice(2), /32 bytes.*these are 31 bytes/);
	await enter(key.replace(/^00/, '01'), /not the key/);
	await enter(key);
	await tab.waitForSelector('#work:not([hidden])');
	assert.match(await what(tab), /encrypted \(Godot 4\), 3 records/);
	const again = await saved(tab);
	const opened = await forms.contents(again, { password: Uint8Array.from(key.match(/../g), (pair) => Number.parseInt(pair, 16)) });
	assert.equal(Buffer.compare(opened.bytes, plain), 0);
	await unharmed(tab);
});

test('a save that is cut opens as far as it goes', async () => {
	const tab = await visit();
	const file = join(scratch, 'half.sav');
	for (const [name, dialect] of [['rpg4.sav', 'godot4'], ['rpg3.sav', 'godot3']]) {
		const half = readFileSync(data(`saves/${name}`)).subarray(0, 30_000);
		writeFileSync(file, half);
		await given(tab, file);
		await tab.waitForFunction((dialect) => document.querySelector('#what').textContent.includes(dialect), dialect);
		assert.match(await what(tab), new RegExp(`1 record of store_var, the last one cut, ${dialect} · damaged: .*too early`));
		const shown = await rows(tab);
		assert.ok(shown.some((row) => row.includes('party')) && shown.some((row) => row.includes('cannot be read')));
		// A search shows the values in front of the damage, and those with the damage in them.
		await find(tab, 'maps');
		assert.deepEqual(await tab.$$eval('.hit', ([hit]) => [...hit.children].map((part) => part.textContent)), ['maps', 'damaged inside', 'the key matches']);
		await find(tab, 'Aldis');
		assert.equal(await tab.textContent('.hit .preview'), '"Aldis"');
		assert.equal(await tab.$eval('#alert', (alert) => alert.hidden), true);
		// Nothing is added to it and nothing taken away.
		assert.equal(Buffer.compare(await saved(tab), half), 0);
	}
	// A record in front of it is whole.
	writeFileSync(file, Buffer.concat([gdvar.put_var({ a: 1 }), gdvar.put_var({ b: [1, 2, 3] }).subarray(0, -6)]));
	await given(tab, file);
	await tab.waitForFunction(() => document.querySelector('#what').textContent.includes('2 records'));
	assert.match(await what(tab), /2 records of store_var, the last one cut, godot4 · 1 of them damaged/);
	await unharmed(tab);
});

testBoth('errors are seen on the page', async () => {
	const tab = await visit();
	const file = join(scratch, 'hurt.sav');
	writeFileSync(file, readFileSync(data('saves/rpg4.sav')).subarray(0, 30_000));
	await given(tab, file);
	const alert = async (message) => {
		await tab.waitForSelector('#alert:not([hidden])');
		assert.match(await tab.textContent('#alert'), message);
	};
	await tab.click('#convert');
	await tab.selectOption('dialog select', 'godot3');
	await tab.click('dialog button[value=ok]');
	await alert(/too early/);
	await tab.click('#csv');
	await alert(/too early/);
	await tab.click('#json');
	await tab.click('dialog button[value=ok]');
	await alert(/too early/);
	await tab.setInputFiles('#file2', data('saves/rpg4.sav'));
	await alert(/too early/);
	await unharmed(tab);
	// What nobody caught.
	await tab.evaluate(() => void window.dispatchEvent(new ErrorEvent('error', { message: 'nobody caught this' })));
	await tab.waitForFunction(() => document.querySelector('#alert').textContent.includes('nobody caught this'));
});

test('Godot 3 becomes Godot 4, with what is lost', async () => {
	const tab = await visit();
	await given(tab, data('saves/rpg3.sav'));
	assert.match(await what(tab), /godot3/);
	await tab.click('#convert');
	await tab.selectOption('dialog select', 'godot4');
	await tab.click('dialog button[value=ok]');
	await tab.waitForFunction(() => document.querySelector('dialog h2').textContent === 'Converted');
	await picture(tab, 'convert');
	await tab.keyboard.press('Escape');
	assert.match(await what(tab), /godot4 · changed/);
	const converted = await saved(tab);
	keep('converted.sav', converted);
	const [value] = gdvar.records(converted);
	const [old] = gdvar.records(readFileSync(data('saves/rpg3.sav')), { dialect: 'godot3' });
	assert.deepEqual(Object.keys(value.toJS()), Object.keys(old.toJS()));
	await unharmed(tab);
});

test('two saves are compared side by side', async () => {
	const tab = await visit();
	const [one, two] = [join(scratch, 'one.sav'), join(scratch, 'two.sav')];
	writeFileSync(one, gdvar.put_var({ hp: 80, gold: 5, bag: ['a'] }));
	writeFileSync(two, gdvar.put_var({ hp: 81, bag: ['a', 'b'] }));
	utimesSync(one, 1_700_000_000, 1_700_000_000);
	utimesSync(two, 1_700_000_060, 1_700_000_060);
	await given(tab, one);
	await tab.setInputFiles('#file2', two);
	await tab.waitForSelector('dialog[open] table');
	const lines = async () => (await tab.$$eval('dialog tbody tr', (all) => all.map((row) => [...row.children].map((cell) => cell.textContent)))).sort();
	assert.deepEqual(await lines(), [
		['bag › [1]', 'not there', '"b"'],
		['gold', '5', 'not there'],
		['hp', '80', '81'],
	]);
	assert.deepEqual(await tab.$$eval('dialog thead th', (all) => all.map((cell) => cell.textContent)), ['Where', 'one.sav', 'two.sav']);
	assert.match(await tab.textContent('dialog .body'), /3 differences: 1 changed, 1 only on the left, 1 only on the right/);
	// Which is which.
	assert.match(await tab.textContent('.card.left'), /one\.sav.*bytes.*godot4.*written/);
	assert.match(await tab.textContent('.card.right'), /two\.sav.*the later one/);
	await picture(tab, 'sides');
	// A line leads to its place.
	await tab.click('dialog button[title="$.hp"]');
	await tab.waitForFunction(() => document.querySelector('#path').textContent === '$.hp');
	// A save for another engine is converted first; a second record is only there.
	writeFileSync(two, Buffer.concat([gdvar.put_var({ hp: 80, gold: 5, bag: ['a'] }, { target: 'godot3' }), gdvar.put_var(1, { target: 'godot3' })]));
	await tab.setInputFiles('#file2', two);
	await tab.waitForSelector('dialog[open] table');
	assert.deepEqual(await lines(), [['#1 the whole value', 'not there', '1']]);
	await tab.keyboard.press('Escape');
	// The same values, and many others.
	await tab.setInputFiles('#file2', one);
	await tab.waitForFunction(() => /hold the same values/.test(document.querySelector('dialog[open]')?.textContent));
	await tab.keyboard.press('Escape');
	writeFileSync(two, gdvar.put_var(Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`key ${n}`, n]))));
	await tab.setInputFiles('#file2', two);
	await tab.waitForSelector('dialog[open] table');
	assert.equal((await lines()).length, 200);
	await tab.click('dialog .body > button');
	assert.equal((await lines()).length, 303);
	await unharmed(tab);
});

test('JSON and CSV', async () => {
	const tab = await visit();
	const file = join(scratch, 'list.sav');
	writeFileSync(file, gdvar.put_var([{ name: 'Ann, "A"', hp: 1 }, { name: '=1+1', gold: 2n ** 60n }]));
	await given(tab, file);
	const csv = Buffer.from(await saved(tab, '#csv')).toString();
	assert.equal(csv, 'name,hp,gold\r\n"Ann, ""A""",1,\r\n\'=1+1,,1152921504606846976\r\n');
	await tab.click('#json');
	const json = JSON.parse(Buffer.from(await saved(tab, 'dialog button[value=ok]')).toString());
	assert.equal(json[0].hp, 1);
	await unharmed(tab);
});

test('small pictures of packed arrays', async () => {
	const tab = await visit();
	const file = join(scratch, 'packed.sav');
	const wave = Float32Array.from({ length: 500 }, (_, n) => Math.sin(n / 20) * (1 + n / 200));
	const spiral = Float32Array.from({ length: 800 }, (_, n) => (n % 2 ? Math.sin : Math.cos)((n >> 1) / 15) * n);
	const tints = Float32Array.from({ length: 400 }, (_, n) => (n % 4 === 3 ? 1 : Math.abs(Math.sin(n * 1.7))));
	const image = Uint8Array.from({ length: 32 * 32 * 4 }, (_, n) => (n % 4 === 3 ? 255 : (n * 7) % 256));
	writeFileSync(file, gdvar.put_var({ wave, spiral: new gdvar.PackedVector2Array(spiral), tints: new gdvar.PackedColorArray(tints), image }));
	await given(tab, file);
	for (const [name, caption] of [
		['wave', /500 numbers/],
		['spiral', /400 points/],
		['tints', /100 colours/],
		['image', /32 × 32 points, RGBA/],
	]) {
		await find(tab, name);
		await tab.keyboard.press('Escape');
		// The hit is the key; its value is the row that is selected.
		await tab.waitForSelector('#picture:not([hidden])');
		assert.match(await tab.textContent('figcaption'), caption);
		const drawn = await tab.$eval('canvas', (canvas) => {
			const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
			return data.some((byte) => byte !== 0);
		});
		assert.ok(drawn, name);
		if (name === 'spiral') await picture(tab, 'points');
	}
	await unharmed(tab);
});

test('damaged and hostile files', async () => {
	const tab = await visit();
	const whole = readFileSync(data('saves/rpg4.sav'));
	const file = join(scratch, 'cut.sav');
	writeFileSync(file, whole.subarray(4, whole.length - 50));
	await given(tab, file);
	assert.match(await what(tab), /damaged: .*too early/);
	assert.ok((await rows(tab)).some((row) => row.includes('cannot be read')));
	// A container with damage in it says so once, after its name and type.
	assert.equal((await rows(tab))[0], '▾$Dictionary · 17damaged inside');
	await find(tab, 'party');
	await picture(tab, 'damaged');

	// One record.
	const nested = new Uint32Array(2_000_001).map((_, n) => (n === 0 ? 8_000_000 : n % 2 ? 28 : 1));
	writeFileSync(file, new Uint8Array(nested.buffer));
	await given(tab, file);
	await tab.waitForFunction(() => document.querySelector('#what').textContent.includes('deeper'));
	await tab.focus('#tree');
	for (let n = 0; n < 20; n++) await tab.keyboard.press('ArrowRight');
	for (const bytes of [[255, 255, 255, 255, 0, 0, 0, 0], [28, 0, 0, 0, 255, 255, 255, 127], [], [71, 67, 80, 70, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255]]) {
		writeFileSync(file, new Uint8Array(bytes));
		await tab.setInputFiles('#file', file);
		await tab.waitForTimeout(100);
	}
	// It still works.
	await given(tab, data('saves/rpg4.sav'));
	await tab.waitForFunction(() => document.querySelector('#what').textContent.includes('rpg4.sav'));
	await unharmed(tab);
});

test('a million rows stay smooth, and only those exist that can be seen', async () => {
	const tab = await visit();
	const file = join(scratch, 'many.sav');
	const values = Array.from({ length: 1_000_000 }, (_, n) => n);
	writeFileSync(file, gdvar.put_var(values));
	await given(tab, file);
	assert.ok((await rows(tab)).length < 60);
	await tab.focus('#tree');
	const began = Date.now();
	await tab.keyboard.press('End');
	await tab.waitForFunction(() => document.querySelector('#path').textContent.includes('[999999]'));
	assert.ok(Date.now() - began < 5000);
	assert.ok((await rows(tab)).some((row) => row.includes('[999999]')));
	assert.ok((await tab.$$('.row')).length < 60);
	await unharmed(tab);
});

test('keyboard and roles', async () => {
	const tab = await visit();
	const file = join(scratch, 'keys.sav');
	writeFileSync(file, gdvar.put_var({ a: { b: [1, 2] }, c: 3 }));
	await given(tab, file);
	assert.equal(await tab.evaluate(() => document.activeElement.id), 'tree');
	const path = () => tab.textContent('#path');
	await tab.keyboard.press('ArrowDown');
	assert.match(await path(), /\$\.a$/);
	await tab.keyboard.press('ArrowRight');
	await tab.keyboard.press('ArrowRight');
	assert.match(await path(), /\$\.a\.b$/);
	await tab.keyboard.press('ArrowRight');
	await tab.keyboard.press('End');
	assert.match(await path(), /\$\.c$/);
	await tab.keyboard.press('Home');
	await tab.keyboard.press('ArrowLeft');
	assert.equal((await rows(tab)).length, 1);
	await tab.keyboard.press(' ');
	const row = await tab.$eval('.row', (row) => ({ role: row.role, level: row.ariaLevel, open: row.ariaExpanded, chosen: row.ariaSelected }));
	assert.deepEqual(row, { role: 'treeitem', level: '1', open: 'true', chosen: 'true' });
	const active = await tab.$eval('#tree', (tree) => tree.getAttribute('aria-activedescendant'));
	assert.ok(await tab.$(`#${active}`));
	await tab.keyboard.press('End');
	await tab.keyboard.press('Enter');
	assert.equal(await tab.evaluate(() => document.activeElement.id), 'number');
	await tab.keyboard.type('9');
	await tab.keyboard.press('Control+Enter');
	assert.equal(gdvar.get_var(await saved(tab)).c, 9);
	await unharmed(tab);
});

test('a phone, and the dark', async () => {
	const tab = await visit({ viewport: { width: 390, height: 780 }, colorScheme: 'dark' });
	await given(tab, data('saves/rpg4.sav'));
	const wide = await tab.evaluate(() => document.documentElement.scrollWidth > innerWidth);
	assert.equal(wide, false, 'nothing sticks out to the side');
	const back = await tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
	assert.equal(back, 'rgb(20, 24, 31)');
	await picture(tab, 'phone');
	await unharmed(tab);
});

// Both forms look alike.
once('nothing sticks out at any width, light or dark', async () => {
	for (const width of [390, 1100, 1600]) {
		for (const colorScheme of ['light', 'dark']) {
			const tab = await visit({ viewport: { width, height: 780 }, colorScheme }, FORMS['as files']);
			const fits = async (state) => {
				const wide = await tab.evaluate(() =>
					[document.documentElement, ...document.querySelectorAll('#tools, #left, #right, dialog[open], dialog[open] .body')].filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.id || one.className || one.tagName),
				);
				assert.deepEqual(wide, [], `${state}, ${width}, ${colorScheme}`);
				await picture(tab, `${state}-${width}-${colorScheme}`);
			};
			await fits('start');
			await given(tab, data('saves/rpg4.sav'));
			await find(tab, 'explored');
			if ((await tab.$eval('#star', (star) => star.ariaPressed)) === 'false') await tab.click('#star');
			await find(tab, 'hp');
			await fits('found');
			await tab.click('#many');
			await tab.fill('#value', '"text"');
			await fits('many');
			await tab.keyboard.press('Escape');
			await tab.setInputFiles('#file2', data('saves/camp4.sav'));
			await tab.waitForSelector('dialog[open] table.sides');
			await fits('compared');
			await tab.keyboard.press('Escape');
			await find(tab, 'nowhere at all');
			await fits('none');
			await unharmed(tab);
		}
	}
});

testBoth('nothing can leave the page', async () => {
	const tab = await visit();
	const blocked = await tab.evaluate(() => fetch('https://example.com/').then(() => false, () => true));
	assert.ok(blocked);
	const image = await tab.evaluate(
		() =>
			new Promise((done) => {
				addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective), { once: true });
				new Image().src = 'https://example.com/a.png';
			}),
	);
	assert.equal(image, 'img-src');
	// Nor does a script run that the page did not bring.
	await tab.evaluate(() => {
		const script = document.createElement('script');
		script.textContent = 'window.foreign = true';
		document.body.append(script);
	});
	assert.equal(await tab.evaluate(() => 'foreign' in window), false);
});

once('one file needs no other', async () => {
	const tab = await visit({}, FORMS['as one file']);
	assert.deepEqual(await tab.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name)), []);
	const policy = await tab.$eval('meta[http-equiv]', (meta) => meta.content);
	assert.match(policy, /^default-src 'none'; script-src 'sha256-[^']+' 'wasm-unsafe-eval'; style-src 'sha256-[^']+'; img-src blob:; connect-src 'none';/);
	assert.doesNotMatch(policy, /'self'|unsafe-inline|data:|https?:/);
	assert.equal((await tab.$$('[src], link, #keep')).length, 0);
	await unharmed(tab);
});
