// Builds a value from the tape of gdvar.wasm. src/tape.rs has the same table of operations.

import { ALL, FloatKeys, FloatPairs, FloatsAt, WIDE, setNote } from './notes.js';
import { checked } from './schema.js';
import * as types from './types.js';
import { DECODE, KINDS, asBytes, checkOptions, core, maxDepth, ofStack, readBits, utf8 } from './wasm.js';

// The state of the reader. It is not re-entrant and need not be: no foreign code runs in the meantime.
let u8;
let u32;
let f64;
let i64;
/** The next cell, as an index of words. */
let p = 0;
/** The address of the input. */
let input = 0;
let exact = false;
let alwaysMaps = false;
/** `true` if the previous value was a Float that looks like an Int. Whoever reads it resets it. */
let whole = false;
/** The note of an object without Floats. */
let plain;
/**
 * The keys of the numbers of each object that is being read, as `{ key }` for a Float without a fraction. An object's
 * keys begin with its first other number after such a Float. It is one list for all, because most objects have none.
 */
const numbers = [];
let top = 0;
const NONE = [];
let blocks = NONE;
/** The known keys. They are kept from call to call. */
let keys = [];

/** Decodes bytes. Short text is cheaper without a decoder. */
function text(start, end) {
	if (end - start > 24) return utf8(u8.subarray(start, end));
	let string = '';
	for (let at = start; at < end; at++) {
		if (u8[at] > 127) return utf8(u8.subarray(start, end));
		string += String.fromCharCode(u8[at]);
	}
	return string;
}

/**
 * Returns an equal string in the form in which engines keep property names, so that look-ups are fast.
 */
function asName(string) {
	for (const name in { [string]: 0 }) return name;
	return string;
}

/**
 * Builds the value on the tape of the answer. The input is at address `start`. Makes no call into
 * WebAssembly.
 */
function build(start, options) {
	({ u8, u32, f64, i64 } = core.views);
	const out = core.word(8);
	if (core.word(1)) keys = [];
	for (let left = core.word(2), key = out + core.word(3); left > 0; left--) {
		const end = key + 1 + u8[key];
		keys.push(asName(text(key + 1, end)));
		key = end;
	}
	const count = core.word(13);
	blocks = count === 0 ? NONE : [];
	for (let n = 0, from = out, ends = core.word(12) >>> 2; n < count; n++) {
		const end = out + u32[ends + n];
		blocks.push(text(from, end));
		from = end;
	}
	exact = options?.numbers === 'exact';
	alwaysMaps = options?.maps === 'always';
	input = start;
	p = core.word(10) >>> 2;
	const end = p + 2 * core.word(11) - 2;
	whole = false;
	plain = new FloatKeys();
	top = 0;
	try {
		const made = value(u32);
		if (p !== end) throw malformed();
		return made;
	} catch (error) {
		throw ofStack(error);
	} finally {
		blocks = NONE;
		numbers.length = 0;
		u8 = u32 = f64 = i64 = undefined;
		core.settle();
	}
}

const malformed = () => new Error('the tape is malformed; please report this');

/** Returns the bytes of a String from its length and text, which is how the name of a property is written. */
export function stringBytes(name) {
	const bytes = new Uint8Array(4 + 4 * Math.ceil(name.length / 4));
	bytes[0] = 4;
	bytes.set(name, 4);
	return bytes;
}

/** Decodes a part of a buffer. `more` adds to an error, as in `ask`. */
export function decodeAt(number, start, length, bits, depth, options, more) {
	core.ask(core.call.decode(number, start, length, bits, depth), more);
	const at = number === 0 ? core.scratchAt : core.bufferAt(number);
	const value = build(at + start, options);
	return options?.schema === undefined ? value : checked(value, options.schema);
}

/** Decodes bytes. */
export function decode(bytes, options) {
	checkOptions('decode', options, DECODE);
	return decodeWith(bytes, options);
}

/** Decodes bytes with options that are checked. `more` adds to an error, as in `ask`. */
export function decodeWith(bytes, options, more) {
	// This comes first, because looking up a dialect's name uses the scratch buffer too.
	const bits = readBits(options);
	const length = core.scratch(asBytes(bytes));
	return decodeAt(0, 0, length, bits, maxDepth(options), options, more);
}

/**
 * Builds one value. The tape is a parameter, because a module variable would be looked up at each access.
 */
function value(u32) {
	const word = u32[p];
	const hi = u32[p + 1];
	p += 2;
	switch (word & 255) {
		case 0:
			return null;
		case 1:
			return false;
		case 2:
			return true;
		case 3:
			return exact ? BigInt(hi | 0) : hi | 0;
		case 4:
			return int64();
		case 5: {
			const float = f64[p >> 1];
			p += 2;
			if (!exact && Number.isSafeInteger(float)) whole = true;
			return float;
		}
		case 6: {
			const from = hi & 0xffff;
			return blocks[hi >>> 16].substring(from, from + (word >>> 8));
		}
		case 7: {
			const start = input + hi;
			const end = start + u32[p];
			p += 2;
			return utf8(u8.subarray(start, end));
		}
		case 8:
			return utf16(hi);
		case 9:
			return keys[hi];
		case 10:
			return new types.StringName(value(u32));
		case 11:
			return items(u32, [], hi);
		case 12: {
			const sort = word >>> 8;
			const array = types.TypedArray.of(element());
			if (sort === 2) Object.defineProperty(array, 'packed', { value: true });
			return items(u32, array, hi);
		}
		case 13:
			return alwaysMaps ? map(u32, new Map(), hi) : object(u32, hi);
		case 14:
			return map(u32, new Map(), hi);
		case 15:
			return map(u32, new types.TypedDictionary(element(), element()), hi);
		case 16: {
			const name = value(u32);
			const properties = [];
			for (let n = 0; n < hi; n++) {
				const pair = items(u32, [], 2);
				if (pair[0] instanceof types.Raw) pair[0].bytes = stringBytes(pair[0].bytes);
				properties.push(pair);
			}
			return new types.GodotObject(name, properties);
		}
		case 17:
			return new types.ObjectId(0n);
		case 18:
			return new types.ObjectId(id());
		case 19:
			return new types.RID(id());
		case 20:
			return new types.Callable();
		case 21: {
			const object = id();
			return new types.Signal(value(u32), object);
		}
		case 22: {
			const subnames = u32[p];
			p += 2;
			const names = [];
			for (let n = 0; n < hi + subnames; n++) names.push(value(u32));
			return types.NodePath.of(names.slice(0, hi), names.slice(hi), word >>> 8 === 1);
		}
		case 23:
			return math(word >>> 8, hi);
		case 24:
			return packed(KINDS[word >>> 8], input + hi);
		case 25: {
			const texts = new types.PackedStringArray();
			for (let n = 0; n < hi; n++) texts.push(value(u32));
			return texts;
		}
		case 26: {
			const start = input + hi;
			const length = u32[p];
			p += 2;
			return new types.Raw(KINDS[word >>> 8], u8.slice(start, start + length));
		}
		default:
			throw malformed();
	}
}

function items(u32, array, count) {
	let floats;
	for (let n = 0; n < count; n++) {
		array.push(value(u32));
		if (whole) {
			whole = false;
			(floats ??= []).push(n);
		}
	}
	if (floats !== undefined) setNote(array, isAll(array, floats.length) ? ALL : new FloatsAt(count, floats));
	return array;
}

/** Returns true if at most `count` numbers of an array look like an Int. */
function isAll(array, count) {
	for (const item of array) if (typeof item === 'bigint' || (Number.isSafeInteger(item) && count-- === 0)) return false;
	return true;
}

function object(u32, count) {
	const object = {};
	let note = plain;
	const base = top;
	for (let n = 0; n < count; n++) {
		const key = (u32[p] & 255) === 9 ? keys[u32[(p += 2) - 1]] : value(u32);
		const item = value(u32);
		object[key] = item;
		if (whole) {
			whole = false;
			note = note.with(key);
			if (top > base) numbers[top++] = { key };
		} else if (note !== plain && typeof item === 'number') numbers[top++] = key;
	}
	if (note === plain) return object;
	const names = Object.keys(object);
	setNote(object, names.length < count ? noteOfLast(object, names, note, base) : note);
	top = base;
	return object;
}

/** Returns the note of an object with a repeated key: it is about the last value of each key. */
function noteOfLast(object, names, note, base) {
	const last = new Map();
	for (const one of numbers.slice(base, top)) {
		if (typeof one === 'string') last.set(one, false);
		else last.set(one.key, true);
	}
	let own = plain;
	for (const key of names) if (Number.isSafeInteger(object[key]) && (last.get(key) ?? note.has(key))) own = own.with(key);
	return own;
}

function map(u32, map, count) {
	let note;
	let isBoth = false;
	for (let n = 0; n < count; n++) {
		let key = value(u32);
		// In a Map 0.0 and -0.0 are one key, and so are 7 and 7.0.
		if (Object.is(key, -0)) {
			whole = false;
			key = new types.Float(key);
		} else if (whole) {
			whole = false;
			note ??= new FloatPairs();
			if (map.has(key) && !note.keys.has(key)) key = new types.Float(key);
			else note.keys.add(key);
		} else if (note?.keys.has(key)) {
			isBoth = true;
			key = BigInt(key);
		}
		map.set(key, value(u32));
		if (whole) {
			whole = false;
			note ??= new FloatPairs();
			note.values.add(key);
		} else note?.values.delete(key);
	}
	if (isBoth) note = withFloats(map, note);
	if (note !== undefined) setNote(map, note);
	return map;
}

/**
 * Makes the key 7 of a Map, which is a Float, a `new Float(7)` if the Map also has the Int as 7n, which becomes 7. Returns
 * the note of the changed Map.
 */
function withFloats(map, note) {
	const pairs = [...map];
	const changed = new FloatPairs();
	const isTwice = (key) => typeof key === 'number' && note.keys.has(key) && map.has(BigInt(key));
	const ints = new Set(pairs.filter(([key]) => isTwice(key)).map(([key]) => BigInt(key)));
	const made = pairs.map(([key, item]) => {
		let own = key;
		if (ints.has(key)) own = Number(key);
		else if (isTwice(key)) own = new types.Float(key);
		else if (note.keys.has(key)) changed.keys.add(key);
		if (note.values.has(key)) changed.values.add(own);
		return [own, item];
	});
	map.clear();
	for (const [key, item] of made) map.set(key, item);
	return changed;
}

function id() {
	const id = BigInt.asUintN(64, i64[p >> 1]);
	p += 2;
	return id;
}

function int64() {
	const at = p;
	p += 2;
	if (!exact) {
		const number = (u32[at + 1] | 0) * 4294967296 + u32[at];
		if (Number.isSafeInteger(number)) return number;
	}
	return i64[at >> 1];
}

function utf16(units) {
	let string = '';
	const all = new Uint16Array(u8.buffer, p * 4, units);
	for (let n = 0; n < units; n += 4096) string += String.fromCharCode(...all.subarray(n, n + 4096));
	p += 2 * Math.ceil(units / 4);
	return string;
}

function element() {
	const word = u32[p];
	p += 2;
	switch (word & 255) {
		case 28:
			return { builtin: KINDS[word >>> 8] };
		case 29:
			return { class: value(u32) };
		case 30:
			return { script: value(u32) };
		default:
			return null;
	}
}

/** `kind` also contains whether components are wide. */
function math(kind, count) {
	const made = vector(KINDS[kind & 255], count);
	if (kind > 255) setNote(made, WIDE);
	return made;
}

function vector(kind, count) {
	const c = p >> 1;
	p += 2 * count;
	const v2 = (n, Class = types.Vector2) => new Class(f64[c + n], f64[c + n + 1]);
	const v3 = (n) => new types.Vector3(f64[c + n], f64[c + n + 1], f64[c + n + 2]);
	const v4 = (n, Class = types.Vector4) => new Class(f64[c + n], f64[c + n + 1], f64[c + n + 2], f64[c + n + 3]);
	// Rows on the wire, columns here.
	const column = (n) => new types.Vector3(f64[c + n], f64[c + n + 3], f64[c + n + 6]);
	const basis = () => new types.Basis(column(0), column(1), column(2));
	switch (kind) {
		case 'Vector2':
			return v2(0);
		case 'Vector2i':
			return v2(0, types.Vector2i);
		case 'Vector3':
			return v3(0);
		case 'Vector3i':
			return new types.Vector3i(f64[c], f64[c + 1], f64[c + 2]);
		case 'Vector4':
			return v4(0);
		case 'Vector4i':
			return v4(0, types.Vector4i);
		case 'Rect2':
			return new types.Rect2(v2(0), v2(2));
		case 'Rect2i':
			return new types.Rect2i(v2(0, types.Vector2i), v2(2, types.Vector2i));
		case 'Transform2D':
			return new types.Transform2D(v2(0), v2(2), v2(4));
		case 'Plane':
			return new types.Plane(v3(0), f64[c + 3]);
		case 'Quaternion':
			return v4(0, types.Quaternion);
		case 'AABB':
			return new types.AABB(v3(0), v3(3));
		case 'Basis':
			return basis();
		case 'Transform3D':
			return new types.Transform3D(basis(), v3(9));
		case 'Projection':
			return new types.Projection(v4(0), v4(4), v4(8), v4(12));
		case 'Color':
			return v4(0, types.Color);
		default:
			throw new TypeError(`there is no class for a ${kind}: add it to types.js and here`);
	}
}

function packed(kind, start) {
	const length = u32[p];
	const wide = u32[p + 1] === 1;
	p += 2;
	// A copy, because elements may be unaligned here and memory may move.
	const bytes = u8.slice(start, start + length);
	switch (kind) {
		case 'PackedByteArray':
			return bytes;
		case 'PackedInt32Array':
			return new Int32Array(bytes.buffer);
		case 'PackedInt64Array':
			return new BigInt64Array(bytes.buffer);
		case 'PackedFloat32Array':
			return new Float32Array(bytes.buffer);
		case 'PackedFloat64Array':
			return new Float64Array(bytes.buffer);
		default: {
			const Numbers = wide ? Float64Array : types[kind].Numbers;
			return new types[kind](new Numbers(bytes.buffer));
		}
	}
}
