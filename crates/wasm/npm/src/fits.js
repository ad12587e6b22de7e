// Checks whether a value fits where it is written: as a component of a vector, or in a typed container.

import { isInt32, notInt32, typeOf } from './types.js';
import { GdvarError } from './wasm.js';

/** Returns the error for a value that cannot be written. */
export const refuse = (message, code = 'Unrepresentable') => new GdvarError({ code, message });

/** Describes a value for a message. */
export function describe(value) {
	switch (typeof value) {
		case 'string':
			return value.length > 40 ? `a String of ${value.length} characters` : JSON.stringify(value);
		case 'number':
		case 'bigint':
		case 'boolean':
		case 'undefined':
			return String(value);
		case 'object':
			return value === null ? 'null' : `a ${value.constructor?.name ?? 'object'}`;
		default:
			return `a ${typeof value}`;
	}
}

const INT64 = `from ${-(2n ** 63n)} to ${2n ** 63n - 1n}`;

/** Throws if a number is not an int of 32 bits. `of` is what it is for. */
export function int32(number, of) {
	if (isInt32(number)) return number;
	throw refuse(`${of}: ${notInt32(number)}`, typeof number === 'number' ? 'OutOfRange' : 'WrongElement');
}

/**
 * Throws if a value is not a number, or if it would become infinite in 32 bits and is not `wide`.
 */
export function real(number, of, wide) {
	if (typeof number !== 'number') throw refuse(`${of} holds numbers, not ${describe(number)}`, 'WrongElement');
	if (wide || Number.isFinite(Math.fround(number)) || !Number.isFinite(number)) return number;
	const most = 'about 3.4e38 in both directions';
	throw refuse(`${of} holds reals of 32 bits, ${most}, not ${number}; the target { precision: 'double' } has 64 bits`, 'OutOfRange');
}

/** Throws if a bigint does not fit into 64 bits. */
export function int64(int) {
	if (BigInt.asIntN(64, int) !== int) throw refuse(`an int is ${INT64}, not ${int}`, 'IntTooWide');
	return int;
}

/** Throws if a value is not an id. */
export function id(id) {
	if (typeof id === 'bigint' && BigInt.asUintN(64, id) === id) return id;
	throw refuse(`an id is a bigint from 0 to ${2n ** 64n - 1n}, not ${describe(id)}`, 'OutOfRange');
}

/** Types that the engine converts into each other if a container requires one of them. */
const TEXTS = ['String', 'StringName'];
/** The kinds of Arrays that Pandemonium distinguishes. */
const ARRAYS = ['Array', 'TypedArray', 'PackedTypedArray'];

/** The name of a type in messages. */
const title = ({ builtin, class: name, script }) => builtin ?? name ?? script;

/**
 * Throws if a value does not have the type that its container requires. `exact`: all numbers are Floats, and
 * ints are bigints.
 *
 * Returns true if a number must be written as a Float.
 */
export function element(value, type, exact, of) {
	const { builtin } = type;
	if (typeof value === 'number') {
		if (builtin === 'Float') return true;
		if (builtin === 'Int' && !exact) {
			if (Number.isSafeInteger(value)) return false;
			throw refuse(`${of} of Int holds ints ${INT64}, beyond ${Number.MAX_SAFE_INTEGER} as bigint, not ${value}`, 'OutOfRange');
		}
	}
	const own = typeof value === 'number' && exact ? 'Float' : typeOf(value);
	if (own === builtin || builtin === 'Nil') return false;
	if (TEXTS.includes(own) && TEXTS.includes(builtin)) return false;
	if (ARRAYS.includes(own) && ARRAYS.includes(builtin)) return false;
	if ((own === 'Nil' || own === 'Object') && (builtin === undefined || builtin === 'Object')) return false;
	throw refuse(`${of} of ${title(type)} holds no ${own ?? 'such value'}: ${describe(value)}`, 'WrongElement');
}
