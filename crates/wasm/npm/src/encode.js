// Writes a value on a tape, from which gdvar.wasm writes the bytes. src/tape.rs has the same table of
// operations.

import { describe, element as fit, id as fitId, int32, int64 as fitInt64, real, refuse } from './fits.js';
import { ALL, FloatsAt, WIDE, noteOf } from './notes.js';
import * as types from './types.js';
import { GdvarError, KIND, WRITE, checkOptions, core, isWellFormed, maxDepth, ofStack, stepOf, targetBits } from './wasm.js';

const encoder = new TextEncoder();
const DEPTH = 1024;
/** A longer tape is freed after the call. */
const LARGE = 1 << 24;
const SMALL = 1 << 12;

let u8;
let u32;
let f64;
let i64;
let u64;
/** The next cell. */
let c = 0;
/**
 * The first cell of the value. A getter of a value may encode another one, whose tape then starts at the
 * current cell of the outer one.
 */
let first = 0;
let busy = false;
let exact = false;
/** True if all reals are written with 64 bits. */
let double = false;
let guarded = false;
let depth = 0;
let deepest = DEPTH;
/** The steps to the value that is being written, if they are recorded. */
let trail = null;
/** The walk stops at this cell, so that the trail leads there. */
let stop = -1;

const STOP = Symbol('stop');

/** Resizes the tape to `length` bytes and keeps what is written. */
function resize(length) {
	const bytes = new Uint8Array(length);
	if (c > 0) bytes.set(u8.subarray(0, 8 * c));
	u8 = bytes;
	u32 = new Uint32Array(u8.buffer);
	f64 = new Float64Array(u8.buffer);
	i64 = new BigInt64Array(u8.buffer);
	u64 = new BigUint64Array(u8.buffer);
}

resize(SMALL);

/** Makes room for that many more cells. */
function room(cells) {
	if (c + cells > f64.length) resize(8 * Math.max(2 * f64.length, c + cells));
}

function put(op, n, hi) {
	room(2);
	u32[2 * c] = op | (n << 8);
	u32[2 * c + 1] = hi;
	c++;
}

function int64(int) {
	room(1);
	i64[c++] = int;
}

function id(id) {
	room(1);
	u64[c++] = fitId(id);
}

function float(float) {
	room(2);
	u32[2 * c] = 5;
	f64[c + 1] = float;
	c += 2;
}

function text(text) {
	if (typeof text !== 'string') throw refuse(`a text is expected, not ${describe(text)}`);
	const { length } = text;
	room(2 + length);
	const head = 2 * c;
	let at = 8 * c + 8;
	if (length <= 40) {
		let n = 0;
		for (; n < length; n++) {
			const unit = text.charCodeAt(n);
			if (unit > 127) break;
			u8[at++] = unit;
		}
		if (n === length) {
			u32[head] = 7;
			u32[head + 1] = length;
			c += 1 + ((length + 7) >> 3);
			return;
		}
	}
	if (!isWellFormed(text)) {
		u32[head] = 8;
		u32[head + 1] = length;
		const units = new Uint16Array(u8.buffer, 8 * c + 8, length);
		for (let n = 0; n < length; n++) units[n] = text.charCodeAt(n);
		c += 1 + Math.ceil(length / 4);
		return;
	}
	const { written } = encoder.encodeInto(text, u8.subarray(8 * c + 8, 8 * (c + 2 + length)));
	u32[head] = 7;
	u32[head + 1] = written;
	c += 1 + Math.ceil(written / 8);
}

/** Writes the text of a String that is given by its bytes, because no string holds it. */
function rawText({ kind, bytes: string }) {
	const isString = kind === 'String' && string.length >= 8;
	const length = isString ? new DataView(string.buffer, string.byteOffset).getUint32(4, true) : Infinity;
	if (length > string.length - 8) throw refuse(`a Raw that names a property is a String, not ${isString ? 'the start of one' : kind}`, 'NotAValue');
	put(7, 0, length);
	const cells = Math.ceil(length / 8);
	room(cells);
	u8.set(string.subarray(8, 8 + length), 8 * c);
	c += cells;
}

/** Encodes a value. */
export function encode(value, options) {
	checkOptions('encode', options, WRITE);
	return encodeWith(value, options);
}

/** Encodes a value with options that are checked. */
export function encodeWith(value, options) {
	if (!busy) {
		busy = true;
		try {
			return write(value, options);
		} finally {
			busy = false;
			c = 0;
			if (u8.length > LARGE) resize(SMALL);
		}
	}
	// Called by a getter of a value that is being written.
	const before = [c, first, exact, double, guarded, depth, deepest, trail, stop];
	first = c;
	trail = null;
	stop = -1;
	try {
		return write(value, options);
	} finally {
		[c, first, exact, double, guarded, depth, deepest, trail, stop] = before;
	}
}

function write(value, options) {
	const bits = targetBits(options?.target);
	const most = maxDepth(options);
	exact = options?.numbers === 'exact';
	double = ((bits >> 16) & 255) === 2;
	guarded = options?.lookalikes === 'refuse';
	deepest = most === 0 ? DEPTH : most - 1;
	try {
		walk(value);
	} catch (error) {
		if (!(error instanceof GdvarError) || error.path !== undefined) throw ofStack(error);
		const { code, message } = error;
		throw new GdvarError({ code, message, path: pathOf(value, -1) });
	}
	const size = core.scratch(u8.subarray(8 * first, 8 * c));
	return core.ask(core.call.encode(size, bits, most), () => ({ path: pathOf(value, first + core.word(0)) })).outBytes();
}

/** Writes the tape. */
function walk(root) {
	c = first;
	depth = 0;
	value(root);
}

/**
 * Returns the path of the value at a cell, or of the first that cannot be written, by one more walk.
 */
function pathOf(root, cell) {
	trail = [];
	stop = cell;
	try {
		walk(root);
	} catch {
		// Only the trail matters.
	}
	const steps = trail.slice(0, 64);
	trail = null;
	stop = -1;
	return '$' + steps.join('');
}

function step(key, n) {
	trail.push(typeof key === 'string' ? stepOf(key) : `{${n}}`);
}

function enter() {
	if (++depth > deepest) {
		throw refuse(`nested deeper than ${deepest}, which the engine would refuse, or part of itself`, 'DepthExceeded');
	}
}

/** Writes a value. `asFloat`: a number is a Float, whatever it looks like. */
function value(value, asFloat = exact) {
	if (c === stop) throw STOP;
	switch (typeof value) {
		case 'number':
			if (asFloat || !Number.isSafeInteger(value) || Object.is(value, -0)) float(value);
			else if (value === (value | 0)) put(3, 0, value);
			else {
				put(4, 0, 0);
				int64(BigInt(value));
			}
			return;
		case 'string':
			text(value);
			return;
		case 'boolean':
			put(value ? 2 : 1, 0, 0);
			return;
		case 'bigint':
			put(4, 0, 0);
			int64(fitInt64(value));
			return;
		case 'object':
			if (value === null) put(0, 0, 0);
			else object(value);
			return;
		default:
			throw refuse(`Godot has no value for ${describe(value)}`);
	}
}

/** Writes the elements of an Array. `type` is its element type, or null. */
function items(array, type = null) {
	enter();
	const note = exact ? undefined : noteOf(array);
	const { length } = array;
	const floats = note instanceof FloatsAt && note.length === length ? note.places : undefined;
	for (let n = 0; n < length; n++) {
		if (trail) trail.push(`[${n}]`);
		const item = array[n];
		const asFloat = note === ALL || floats?.has(n) || exact;
		value(item, (type !== null && fit(item, type, exact, 'an Array')) || asFloat);
		if (trail) trail.pop();
	}
	depth--;
}

/** Writes the pairs of a Map. The types are its key and value types, or null. */
function pairs(map, keyType = null, valueType = null) {
	enter();
	const note = exact ? undefined : noteOf(map);
	const { size } = map;
	let n = 0;
	for (const [key, item] of map) {
		if (trail) step(key, n);
		n++;
		value(key, (keyType !== null && fit(key, keyType, exact, 'a Dictionary with keys')) || note?.keys.has(key) || exact);
		value(item, (valueType !== null && fit(item, valueType, exact, 'a Dictionary with values')) || note?.values.has(key) || exact);
		if (trail) trail.pop();
	}
	if (n !== size) throw refuse(`a Map of ${size} pairs that gives ${n} of them`);
	depth--;
}

function object(object) {
	const own = Object.getPrototypeOf(object);
	if (own === Object.prototype || own === null) {
		const names = Object.keys(object);
		if (guarded) guard(names);
		put(14, 0, names.length);
		enter();
		const note = exact ? undefined : noteOf(object);
		for (const name of names) {
			if (trail) step(name);
			text(name);
			value(object[name], note?.has(name) || exact);
			if (trail) trail.pop();
		}
		depth--;
		return;
	}
	if (own === Array.prototype) {
		if (guarded && Object.hasOwn(object, 'elementType')) throw lookalike('an Array that has an elementType, as TypedArray has');
		put(11, 0, object.length);
		items(object);
		return;
	}
	if (own === Map.prototype) {
		put(14, 0, object.size);
		pairs(object);
		return;
	}
	let Class = object.constructor;
	let write = CLASSES.get(Class);
	for (; !write && Class; write = CLASSES.get(Class)) Class = Object.getPrototypeOf(Class);
	if (!write) throw refuse(`Godot has no value for ${describe(object)}`);
	write(object);
}

/** Throws if an object with these keys looks like a clone of a class value. */
function guard(names) {
	const type = LOOKALIKES.get([...names].sort().join());
	if (type !== undefined) throw lookalike(`an object that has only ${names.join(', ')}, as ${type} has`);
}

const lookalike = (what) => refuse(`${what}: a clone has lost its class`, 'Lookalike');

function numbers(kind, numbers, wide) {
	put(23, KIND.get(kind) | (wide ? 256 : 0), numbers.length);
	room(numbers.length);
	for (const number of numbers) f64[c++] = number;
}

const xy = (...parts) => parts.flatMap(({ x, y }) => [x, y]);
const xyz = (...parts) => parts.flatMap(({ x, y, z }) => [x, y, z]);

function basis({ x, y, z }) {
	// Columns here, rows on the wire.
	return [x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z];
}

/** The components of vectors, matrices and similar types. */
export const MATH = {
	Vector2: (v) => [v.x, v.y],
	Vector2i: (v) => [v.x, v.y],
	Vector3: (v) => [v.x, v.y, v.z],
	Vector3i: (v) => [v.x, v.y, v.z],
	Vector4: (v) => [v.x, v.y, v.z, v.w],
	Vector4i: (v) => [v.x, v.y, v.z, v.w],
	Rect2: (v) => xy(v.position, v.size),
	Rect2i: (v) => xy(v.position, v.size),
	Transform2D: (v) => xy(v.x, v.y, v.origin),
	Plane: (v) => [...xyz(v.normal), v.d],
	Quaternion: (v) => [v.x, v.y, v.z, v.w],
	AABB: (v) => xyz(v.position, v.size),
	Basis: basis,
	Transform3D: (v) => [...basis(v.basis), ...xyz(v.origin)],
	Projection: (v) => [v.x, v.y, v.z, v.w].flatMap(({ x, y, z, w }) => [x, y, z, w]),
	Color: (v) => [v.r, v.g, v.b, v.a],
};

function element(type) {
	if (type === null || type === undefined) put(27, 0, 0);
	else if (type.builtin !== undefined) {
		const kind = KIND.get(type.builtin);
		if (kind === undefined) throw refuse(`there is no type ${type.builtin}; types are named as by typeOf()`);
		put(28, kind, 0);
	} else if (type.class !== undefined) {
		put(29, 0, 0);
		text(type.class);
	} else {
		put(30, 0, 0);
		text(type.script);
	}
}

function bytes(op, kind, view, wide) {
	put(op, KIND.get(kind), view.byteLength);
	if (op === 24) put(wide ? 1 : 0, 0, 0);
	const cells = Math.ceil(view.byteLength / 8);
	room(cells);
	u8.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), 8 * c);
	c += cells;
}

function texts(op, n, all) {
	put(op, n, all.length);
	for (const one of all) text(one);
}

/** How each class is written. */
const CLASSES = new Map([
	[types.Float, (v) => float(real(v.value, 'a Float', true))],
	[
		types.StringName,
		(v) => {
			put(10, 0, 0);
			text(v.name);
		},
	],
	[
		types.NodePath,
		(v) => {
			put(22, v.absolute ? 1 : 0, v.names.length);
			room(1);
			i64[c++] = BigInt(v.subnames.length);
			for (const name of v.names) text(name);
			for (const name of v.subnames) text(name);
		},
	],
	[
		types.RID,
		(v) => {
			put(19, 0, 0);
			id(v.id);
		},
	],
	[
		types.ObjectId,
		(v) => {
			if (v.id === 0n) return put(17, 0, 0);
			put(18, 0, 0);
			id(v.id);
		},
	],
	[
		types.GodotObject,
		(v) => {
			put(16, 0, v.properties.length);
			text(v.class);
			enter();
			for (const [n, pair] of v.properties.entries()) {
				const [name, item] = pair;
				if (trail) step(name, n);
				if (name instanceof types.Raw) rawText(name);
				else text(name);
				value(item, noteOf(pair) === ALL || exact);
				if (trail) trail.pop();
			}
			depth--;
		},
	],
	[types.Callable, () => put(20, 0, 0)],
	[
		types.Signal,
		(v) => {
			put(21, 0, 0);
			id(v.objectId);
			text(v.name);
		},
	],
	[
		types.TypedArray,
		(v) => {
			put(12, v.packed ? 2 : 0, v.length);
			element(v.elementType);
			items(v, v.elementType ?? null);
		},
	],
	[
		types.TypedDictionary,
		(v) => {
			put(15, 0, v.size);
			element(v.keyType);
			element(v.valueType);
			pairs(v, v.keyType ?? null, v.valueType ?? null);
		},
	],
	[types.PackedStringArray, (v) => texts(25, 0, v)],
	[
		types.Raw,
		(v) => {
			if (!(v.bytes instanceof Uint8Array)) throw refuse(`a Raw holds a Uint8Array, not ${describe(v.bytes)}`);
			bytes(26, v.kind, v.bytes);
		},
	],
	[Uint8Array, (v) => bytes(24, 'PackedByteArray', v)],
	[Uint8ClampedArray, (v) => bytes(24, 'PackedByteArray', v)],
	[ArrayBuffer, (v) => bytes(24, 'PackedByteArray', new Uint8Array(v))],
	[Int32Array, (v) => bytes(24, 'PackedInt32Array', v)],
	[BigInt64Array, (v) => bytes(24, 'PackedInt64Array', v)],
	[Float32Array, (v) => bytes(24, 'PackedFloat32Array', v)],
	[Float64Array, (v) => bytes(24, 'PackedFloat64Array', v)],
	// Subclasses of Array and Map are written like their base class.
	[
		Array,
		(v) => {
			put(11, 0, v.length);
			items(v);
		},
	],
	[
		Map,
		(v) => {
			put(14, 0, v.size);
			pairs(v);
		},
	],
]);
for (const [kind, components] of Object.entries(MATH)) {
	const isInt = kind.endsWith('i');
	CLASSES.set(types[kind], (v) => {
		const wide = noteOf(v) === WIDE;
		const all = components(v);
		for (const number of all) {
			if (isInt) int32(number, kind);
			else real(number, kind, (wide || double) && kind !== 'Color');
		}
		numbers(kind, all, wide);
	});
}

/** Maps the keys of the objects of a class to the type of one such class. */
const LOOKALIKES = new Map();
for (const make of [types.Float, ...Object.keys(MATH).map((kind) => types[kind]), types.StringName, types.NodePath, types.RID, types.GodotObject, types.Signal, types.PackedVector2Array, types.Raw]) {
	const value = new make();
	const keys = Object.keys(value).sort().join();
	if (!LOOKALIKES.has(keys)) LOOKALIKES.set(keys, value.type);
}
for (const kind of ['PackedVector2Array', 'PackedVector3Array', 'PackedVector4Array', 'PackedColorArray', 'PoolVector2iArray', 'PoolVector3iArray', 'PoolVector4iArray']) {
	CLASSES.set(types[kind], (v) => {
		const wrong = types.wrongData(types[kind], v.data);
		if (wrong !== undefined) throw refuse(wrong, 'WrongElement');
		bytes(24, kind, v.data, v.data instanceof Float64Array);
	});
}
