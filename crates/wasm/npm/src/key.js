// Look-ups by value. A JavaScript Map finds an object only by its identity.

import { MATH, encode } from './encode.js';
import { Float, StringName, isTyped } from './types.js';

/**
 * Returns what two keys of a Dictionary share if they have the same value: the key itself if it is not an
 * object, otherwise a text. A StringName has the key of its text, a Float the key of its number.
 */
export function keyOf(key) {
	if (key === null || typeof key !== 'object') return key;
	if (key instanceof StringName) return key.name;
	if (key instanceof Float) return key.value;
	// A String of Godot never contains a NUL.
	if (isTyped(key) && MATH[key.type]) return `\0${key.type}(${MATH[key.type](key).join()})`;
	return `\0${Array.from(encode(key), (byte) => String.fromCharCode(byte)).join('')}`;
}
