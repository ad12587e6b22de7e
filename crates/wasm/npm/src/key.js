// Look-ups by value. A JavaScript Map finds an object only by its identity. docs/FORMAT.md says in section 6, row 22,
// which keys Godot 4 takes for equal.

import { MATH, encode } from './encode.js';
import { element as isFloatIn } from './fits.js';
import { ALL, FloatsAt, WIDE, noteOf } from './notes.js';
import { Float, GodotObject, NodePath, ObjectId, PackedStringArray, Signal, StringName, TypedArray, TypedDictionary, isTyped, typeOf } from './types.js';
import { checkOptions, ofStack } from './wasm.js';

/** True if a number is a Float wherever it is. */
let exact = false;
/** True if the key contains something that is equal to nothing but itself. */
let isAlone = false;

const numbers = new WeakMap();
let last = 0;

/** Returns the number of an object: another for each. */
function identity(object) {
	if (!numbers.has(object)) numbers.set(object, ++last);
	return numbers.get(object);
}

/**
 * Returns what two keys of a Dictionary share if they are one key for Godot 4, and no others do: a number, a boolean,
 * null or a text. `options` is `{ numbers: 'exact' }` for keys of a `decode` with that option.
 */
export function keyOf(key, options) {
	checkOptions('keyOf', options, ['numbers']);
	exact = options?.numbers === 'exact';
	isAlone = false;
	switch (typeof key) {
		case 'number':
			return numberKey(key, exact);
		case 'bigint':
			return Number.isSafeInteger(Number(key)) ? Number(key) : key;
		case 'object':
			if (key === null) return key;
			if (isMath(key)) return `\0${math(key)}`;
			if (key instanceof StringName) return key.name;
			if (key instanceof Float) return numberKey(key.value, true);
			break;
		default:
			return key;
	}
	try {
		const own = text(key, false);
		// A String of Godot never contains a NUL.
		return isAlone ? `\0#${identity(key)}` : `\0${own}`;
	} catch (error) {
		throw ofStack(error);
	}
}

/** Returns the key of a number. Only of a Float that looks like an Int it is a text. */
function numberKey(number, isFloat) {
	if (!Number.isSafeInteger(number) || (!isFloat && !Object.is(number, -0))) return number;
	return `\0${float(number)}`;
}

/** Returns the text of a Float. Both zeros are one key, and have one text in JavaScript. */
const float = (number) => `Float(${number})`;

/** Returns the text of a value in a key. `isKey`: the value is a key itself. `isFloat`: a number is a Float. */
function text(value, isKey, isFloat = exact) {
	switch (typeof value) {
		case 'number':
			if (!isFloat && Number.isSafeInteger(value) && !Object.is(value, -0)) return `${value}`;
			// In an Array, or as a value, a NaN equals no other.
			if (Number.isNaN(value) && !isKey) isAlone = true;
			return float(value);
		case 'string':
			return JSON.stringify(value);
		case 'object':
			return value === null ? 'null' : object(value, isKey);
		case 'boolean':
		case 'bigint':
			return `${value}`;
		default:
			return bytes(value);
	}
}

function object(value, isKey) {
	if (isMath(value)) return math(value);
	if (value instanceof Float) return text(value.value, isKey, true);
	if (value instanceof StringName) return `${isKey ? '' : '&'}${JSON.stringify(value.name)}`;
	if (value instanceof GodotObject || (value instanceof ObjectId && value.id !== 0n)) return `Object#${identity(value)}`;
	if (value instanceof Map) return pairs(value);
	if (value instanceof PackedStringArray) return `${value.type}${JSON.stringify(value)}`;
	if (Array.isArray(value)) return items(value);
	if (isTyped(value)) return typed(value);
	const type = typeOf(value);
	if (type !== 'Dictionary') return list(type, value instanceof ArrayBuffer ? new Uint8Array(value) : value);
	const own = Object.getPrototypeOf(value);
	if (own === Object.prototype || own === null) return properties(value);
	return bytes(value);
}

/** Returns the text of numbers. */
const list = (type, all) => `${type}(${all.join()})`;

/** Returns the text of anything else: its bytes. Throws if it is nothing of Godot's. */
const bytes = (value) => list('bytes', encode(value));

const isMath = (value) => isTyped(value) && MATH[value.type] !== undefined;

/** Returns the text of a vector, matrix or similar value. A real has 32 bits, as `encode` writes it. */
function math(value) {
	const { type } = value;
	const all = MATH[type](value);
	if (!type.endsWith('i') && noteOf(value) !== WIDE) {
		for (let n = 0; n < all.length; n++) all[n] = Math.fround(all[n]);
	}
	return list(type, all);
}

function typed(value) {
	const { type } = value;
	if (ArrayBuffer.isView(value.data)) return list(type, value.data);
	if (value instanceof NodePath) return `${type}${JSON.stringify([value.absolute, value.names, value.subnames])}`;
	if (value instanceof Signal) return `${type}${JSON.stringify([value.name, String(value.objectId)])}`;
	return bytes(value);
}

/**
 * Returns the text of a child of a container. `type` is the type that the container has for it, and `of` what it is in
 * messages. `isFloat`: a number is a Float.
 */
function child(value, type, isFloat, of) {
	const isKey = of === 'keys';
	if (!type) return text(value, isKey, isFloat);
	const isTypedFloat = isFloatIn(value, type, exact, of);
	// The engine makes the one text of the other.
	const { builtin } = type;
	if (builtin === 'StringName' && typeof value === 'string') return object(new StringName(value), isKey);
	if (builtin === 'String' && value instanceof StringName) return text(value.name, isKey);
	return text(value, isKey, isTypedFloat || isFloat);
}

function items(array) {
	const type = array instanceof TypedArray && array.elementType;
	const note = exact ? undefined : noteOf(array);
	const floats = note instanceof FloatsAt && note.length === array.length ? note.places : undefined;
	const all = Array.from(array, (item, n) => child(item, type, note === ALL || floats?.has(n) || exact, 'an Array'));
	return `[${all.join()}]`;
}

function pairs(map) {
	const [keyType, valueType] = map instanceof TypedDictionary ? [map.keyType, map.valueType] : [];
	const note = exact ? undefined : noteOf(map);
	const all = Array.from(map, ([key, item]) => {
		const isFloatKey = note?.keys.has(key) || exact;
		const isFloat = note?.values.has(key) || exact;
		return `${child(key, keyType, isFloatKey, 'keys')}:${child(item, valueType, isFloat, 'values')}`;
	});
	return `{${all.join()}}`;
}

function properties(value) {
	const note = exact ? undefined : noteOf(value);
	return `{${Object.keys(value).map((name) => `${JSON.stringify(name)}:${text(value[name], false, note?.has(name) || exact)}`).join()}}`;
}
