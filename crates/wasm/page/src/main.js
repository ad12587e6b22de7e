// The page: what is pressed, dropped and shown.
import { Bytes, setupForms, toJSON } from '../../npm/src/forms.js';
import { fromBase64, instantiateLater, setup } from '../../npm/src/wasm.js';
import { decode } from '../../npm/src/decode.js';
// Provided by ../build.
import { base64 } from 'wasm-as-text';
import { compare } from './compare.js';
import * as dialog from './dialog.js';
import { Editor } from './editor.js';
import { Favourites } from './favourites.js';
import { Found } from './found.js';
import { SHOWN, hex } from './hex.js';
import { askMany } from './many.js';
import { picture } from './picture.js';
import { Save } from './save.js';
import { csv } from './table.js';
import { Tree } from './tree.js';
import { Typed } from './typed.js';

const $ = (id) => document.getElementById(id);

const DIALECTS = ['godot4', 'godot3', 'godot2', 'godot4-docs', 'pandemonium3', 'pandemonium4', 'pandemonium5'];
/** Longer values are shown on one line and cannot be edited as text. */
const LONGEST = 100_000;

let save;
let row;
const tree = new Tree($('tree'), select);
const editor = new Editor();
const favourites = new Favourites((number, offset) => tree.reveal(number, offset));
const found = new Found((number, offset) => tree.reveal(number, offset));

/** Shows what went wrong, at the top or next to what was typed. */
function problem(error, place = $('alert')) {
	for (const one of [$('alert'), $('mistake')]) one.hidden = true;
	if (!error) return;
	place.textContent = error.message || String(error);
	place.hidden = false;
	if (!error.code) console.error(error);
}

/** Runs `work`, and shows what goes wrong. */
async function attempt(work, place) {
	problem(undefined);
	try {
		await work();
	} catch (error) {
		if (error.code !== 'PasswordNeeded') problem(error, place);
	}
}

/** Reads a file that was chosen. */
async function read(file) {
	const bytes = new Uint8Array(await file.arrayBuffer());
	return Object.assign(await Save.open(file.name, bytes, dialog), { modified: file.lastModified });
}

function show(opened) {
	save?.free();
	save = opened;
	$('start').hidden = true;
	$('work').hidden = false;
	$('tools').hidden = false;
	found.hide();
	favourites.show(save);
	tell();
	tree.show(save);
	$('tree').focus();
}

/** Tells at the top which file it is. */
function tell() {
	const wrong = save.values.slice(0, 1000).map((loaded) => loaded.problem());
	const damaged = wrong.filter(Boolean).length;
	const parts = [`${save.name}: ${save.describe()}, ${save.dialect}`];
	if (damaged === 1 && save.values.length === 1) parts.push(`damaged: ${wrong[0].message}`);
	else if (damaged > 0) parts.push(`${damaged} of them damaged or not of ${save.dialect}`);
	if (save.damage && save.damage.code !== 'Truncated') parts.push(`damaged: ${save.damage.message}`);
	if (save.changed) parts.push('changed');
	$('what').textContent = parts.join(' · ');
	$('dialect').value = save.dialect;
	$('dialect').title = save.same.length > 0 ? `${save.same.join(' and ')} read the same values` : save.certainty;
	$('undo').disabled = save.history.length === 0;
	$('convert').disabled = save.dialect === 'godot4' && save.values.length === 0;
}

function select(chosen) {
	row = chosen;
	problem(undefined);
	const { loaded, at, level } = row;
	const { shown } = tree.path(row);
	const before = save.values.length > 1 ? `#${row.number}  ` : '';
	$('path').textContent = before + shown;
	$('picture').hidden = true;
	$('bytes').replaceChildren();
	$('kind').textContent = '';
	editor.clear();
	const readable = at >= 0;
	favourites.select(row.number, at);
	$('add').disabled = true;
	$('remove').disabled = !readable || level === 0;
	if (!readable) return;
	try {
		const { type, length, open } = loaded.describe(at, level);
		const end = loaded.end(at, level);
		const container = type === 'Array' || type === 'Dictionary' || (type === 'Object' && open);
		$('kind').textContent = `${type}${length || open ? `, ${length} ${open ? 'children' : 'elements'}` : ''} · ${end - at} bytes from ${at}`;
		$('add').disabled = !container;
		const short = end - at <= LONGEST;
		editor.show(type, short ? loaded.text(at, level) : loaded.line(at, level, 2000), short);
		hex($('bytes'), loaded.bytes, at, end, loaded.fields(at, level, Math.min(end, at + SHOWN)));
		loaded.dialect = save.dialect;
		picture($('picture'), loaded, at, type);
	} catch (error) {
		$('kind').textContent = `cannot be read: ${error.message}`;
		editor.clear();
		hex($('bytes'), loaded.bytes, at, loaded.bytes.length, []);
	}
}

/** Shows the values after a change. */
function shownAgain() {
	favourites.show(save);
	tree.refresh();
	found.refresh();
	tell();
}

/** Changes the selected value. */
function change(work) {
	const { path } = tree.path(row);
	save.change([[row.number, (edit) => work(edit, path.slice(1))]]);
	shownAgain();
}

/** Sets the selected value to what was typed, of the old type unless that may change. */
function apply() {
	const { loaded, at, level } = row;
	const typed = new Typed(save, editor.text);
	try {
		const bytes = editor.keeps ? typed.keeping(loaded, at, level) : typed.bytes;
		change((edit, path) => edit.set(path, new Bytes(bytes)));
	} catch (error) {
		if (error.code === 'Type') error.message += '; untick “Keep the type” to put it here';
		throw error;
	} finally {
		typed.free();
	}
}

/** Sets many of the values that were found. */
async function setMany() {
	const changes = await askMany(save, found);
	if (!changes) return;
	const values = new Map();
	for (const [{ number, path }, bytes] of changes) {
		if (!values.has(number)) values.set(number, []);
		values.get(number).push([path.slice(1), new Bytes(bytes)]);
	}
	const all = (pairs) => (edit) => pairs.reduce((edit, [path, value]) => edit.set(path, value), edit);
	save.change([...values].map(([number, pairs]) => [number, all(pairs)]));
	shownAgain();
}

async function add() {
	const { loaded, at, level } = row;
	const { type } = loaded.describe(at, level);
	const paired = type !== 'Array';
	const keyLabel = type === 'Object' ? 'Name' : 'Key, as in a script: "gold", 7, …';
	const fields = paired ? [keyLabel, 'Value, as in a script'] : ['Value, as in a script'];
	const given = await dialog.texts('Add an entry', fields, 'Add');
	if (!given) return;
	const value = new Bytes(save.parse(given.at(-1)));
	if (!paired) change((edit, path) => edit.append(path, value));
	else {
		const key = type === 'Object' ? given[0] : new Bytes(save.parse(given[0]));
		change((edit, path) => edit.insertPair(path, key, value));
	}
}

function download(name, bytes, type = 'application/octet-stream') {
	const link = document.createElement('a');
	link.href = URL.createObjectURL(new Blob([bytes], { type }));
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function saveFile() {
	const zstd = save.layers.find(({ mode }) => mode === 'zstd' || mode === 'brotli');
	if (zstd) {
		const options = [['fastlz', 'FastLZ'], ['deflate', 'Deflate'], ['gzip', 'gzip']];
		const mode = await dialog.choose('Compressed as what?', `This page reads ${zstd.mode} and does not write it. The game must open the file with the mode you choose.`, options, 'Save');
		if (!mode) return;
		zstd.mode = mode;
	}
	download(save.name, save.file());
	save.changed = false;
	tell();
}

async function convert() {
	const options = DIALECTS.filter((name) => name !== save.dialect && name !== 'godot4-docs').map((name) => [name, name]);
	const to = await dialog.choose(`Convert from ${save.dialect}`, 'For which engine?', options, 'Convert');
	if (!to) return;
	const report = save.convert(to);
	shownAgain();
	const text = report.length ? `${to} holds all of it but for this:` : `${to} holds all of it. Save the file to keep it.`;
	await dialog.tell('Converted', text, ['How many', 'What', 'Happened', 'First at'], report.map(({ count, type, what, first }) => [String(count), type, what, first]));
}

async function compareWith(file) {
	const other = await read(file);
	try {
		const place = await compare(save, other);
		if (place) tree.reveal(place.number, place.at);
	} finally {
		other.free();
	}
}

async function exportJSON() {
	const options = [['plain', 'plain: for other programs'], ['native', 'native: for JSON.to_native in Godot'], ['tagged', 'tagged: keeps everything']];
	const style = await dialog.choose('Export JSON', 'In which style?', options, 'Export');
	if (!style) return;
	const all = save.values.map((loaded) => toJSON(loaded.bytes, { style, dialect: save.dialect, objects: 'inert' }));
	download(`${save.name}.json`, all.length === 1 ? `${all[0]}\n` : `[\n${all.join(',\n')}\n]\n`, 'application/json');
}

function exportCSV() {
	const { loaded, at } = row;
	const options = { dialect: save.dialect, objects: 'inert' };
	const chosen = decode(loaded.bytes.subarray(Math.max(at, 0)), options);
	const list = chosen?.data ? [...chosen] : chosen;
	const isList = Array.isArray(list) || ArrayBuffer.isView(list);
	const rows = isList ? Array.from(list) : save.values.length > 1 ? save.values.map(({ bytes }) => decode(bytes, options)) : [list];
	download(`${save.name}.csv`, csv(rows), 'text/csv');
}

function find(text) {
	if (text === '') found.hide();
	else found.show(save, text);
}

async function start() {
	const instance = await instantiateLater(fromBase64(base64));
	setup(instance);
	setupForms(instance);
	$('dialect').replaceChildren(
		...DIALECTS.map((name) => Object.assign(document.createElement('option'), { value: name, textContent: name })),
	);
	const take = (file) => attempt(async () => show(await read(file)));
	$('choose').addEventListener('click', () => $('file').click());
	$('another').addEventListener('click', () => $('file').click());
	$('file').addEventListener('change', ({ target }) => {
		const [file] = target.files;
		target.value = '';
		if (file) void take(file);
	});
	$('compare').addEventListener('click', () => $('file2').click());
	$('file2').addEventListener('change', ({ target }) => {
		const [file] = target.files;
		target.value = '';
		if (file) void attempt(() => compareWith(file));
	});
	addEventListener('dragover', (event) => {
		event.preventDefault();
		document.body.classList.add('over');
	});
	addEventListener('dragleave', () => document.body.classList.remove('over'));
	addEventListener('drop', (event) => {
		event.preventDefault();
		document.body.classList.remove('over');
		const [file] = event.dataTransfer.files;
		if (file) void take(file);
	});
	$('paste').addEventListener('submit', (event) => {
		event.preventDefault();
		void attempt(async () => {
			const text = $('hex').value;
			show(await Save.open('pasted.bin', new TextEncoder().encode(text), dialog, { hex: true }));
		});
	});
	$('dialect').addEventListener('change', ({ target }) => {
		save.readAs(target.value);
		found.hide();
		favourites.show(save);
		tell();
		tree.show(save);
	});
	$('save').addEventListener('click', () => attempt(saveFile));
	$('undo').addEventListener('click', () => attempt(undo));
	$('convert').addEventListener('click', () => attempt(convert));
	$('json').addEventListener('click', () => attempt(exportJSON));
	$('csv').addEventListener('click', () => attempt(exportCSV));
	$('editor').addEventListener('submit', (event) => {
		event.preventDefault();
		void attempt(apply, $('mistake'));
	});
	$('add').addEventListener('click', () => attempt(add));
	$('remove').addEventListener('click', () => attempt(() => change((edit, path) => edit.remove(path))));
	$('find').addEventListener('submit', (event) => {
		event.preventDefault();
		void attempt(() => find($('needle').value));
	});
	$('many').addEventListener('click', () => attempt(setMany));
	$('tree').addEventListener('keydown', (event) => {
		if (event.key === 'Enter' || event.key === 'F2') {
			event.preventDefault();
			editor.focus();
		} else if (event.key === 'Delete' && !$('remove').disabled) $('remove').click();
		else if (event.key === 'Insert' && !$('add').disabled) $('add').click();
	});
	addEventListener('keydown', (event) => {
		if (!(event.ctrlKey || event.metaKey) || !save) return;
		const inText = event.target.matches('textarea, input');
		if (event.key === 'z' && !inText) {
			event.preventDefault();
			void attempt(undo);
		} else if (event.key === 's') {
			event.preventDefault();
			void attempt(saveFile);
		} else if (event.key === 'f') {
			event.preventDefault();
			$('needle').focus();
		} else if (event.key === 'Enter' && $('editor').contains(event.target)) $('editor').requestSubmit();
	});
	addEventListener('beforeunload', (event) => {
		if (save?.changed) event.preventDefault();
	});
	document.body.dataset.ready = 'yes';
}

function undo() {
	if (!save?.undo()) return;
	shownAgain();
}

// Errors that nobody caught are shown as well.
addEventListener('error', ({ error, message }) => problem(error ?? new Error(message)));
addEventListener('unhandledrejection', ({ reason }) => problem(reason));

start().catch(problem);
