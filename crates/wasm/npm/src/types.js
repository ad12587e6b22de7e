// The values for which JavaScript has no type. Each has `type`, the name of its type, on its prototype.

const typed = (Class, type) => {
	Object.defineProperty(Class.prototype, 'type', { value: type });
	return Class;
};

/** Returns true if a value is an int of 32 bits. */
export const isInt32 = (value) => typeof value === 'number' && value === (value | 0);

/** Returns the message for a value that is not an int of 32 bits. */
export const notInt32 = (value) => `a whole number from -2147483648 to 2147483647 is expected, not ${String(value)}`;

/** Returns the number if it is an int of 32 bits. */
function int32(number) {
	if (isInt32(number)) return number;
	throw typeof number === 'number' ? new RangeError(notInt32(number)) : new TypeError(notInt32(number));
}

/** A number that is always written as a Float: `new Float(1)`. */
export class Float {
	constructor(value) {
		this.value = Number(value);
	}
	valueOf() {
		return this.value;
	}
	toJSON() {
		return this.value;
	}
}
typed(Float, 'Float');

export class Vector2 {
	constructor(x = 0, y = 0) {
		this.x = x;
		this.y = y;
	}
}
typed(Vector2, 'Vector2');

export class Vector2i extends Vector2 {
	constructor(x = 0, y = 0) {
		super(int32(x), int32(y));
	}
}
typed(Vector2i, 'Vector2i');

export class Vector3 {
	constructor(x = 0, y = 0, z = 0) {
		this.x = x;
		this.y = y;
		this.z = z;
	}
}
typed(Vector3, 'Vector3');

export class Vector3i extends Vector3 {
	constructor(x = 0, y = 0, z = 0) {
		super(int32(x), int32(y), int32(z));
	}
}
typed(Vector3i, 'Vector3i');

export class Vector4 {
	constructor(x = 0, y = 0, z = 0, w = 0) {
		this.x = x;
		this.y = y;
		this.z = z;
		this.w = w;
	}
}
typed(Vector4, 'Vector4');

export class Vector4i extends Vector4 {
	constructor(x = 0, y = 0, z = 0, w = 0) {
		super(int32(x), int32(y), int32(z), int32(w));
	}
}
typed(Vector4i, 'Vector4i');

export class Rect2 {
	constructor(position = new Vector2(), size = new Vector2()) {
		this.position = position;
		this.size = size;
	}
}
typed(Rect2, 'Rect2');

export class Rect2i {
	constructor(position = new Vector2i(), size = new Vector2i()) {
		this.position = position;
		this.size = size;
	}
}
typed(Rect2i, 'Rect2i');

export class Transform2D {
	constructor(x = new Vector2(1, 0), y = new Vector2(0, 1), origin = new Vector2()) {
		this.x = x;
		this.y = y;
		this.origin = origin;
	}
}
typed(Transform2D, 'Transform2D');

export class Plane {
	constructor(normal = new Vector3(), d = 0) {
		this.normal = normal;
		this.d = d;
	}
}
typed(Plane, 'Plane');

export class Quaternion {
	constructor(x = 0, y = 0, z = 0, w = 1) {
		this.x = x;
		this.y = y;
		this.z = z;
		this.w = w;
	}
}
typed(Quaternion, 'Quaternion');

export class AABB {
	constructor(position = new Vector3(), size = new Vector3()) {
		this.position = position;
		this.size = size;
	}
}
typed(AABB, 'AABB');

/** `x`, `y` and `z` are columns, as in scripts. */
export class Basis {
	constructor(x = new Vector3(1, 0, 0), y = new Vector3(0, 1, 0), z = new Vector3(0, 0, 1)) {
		this.x = x;
		this.y = y;
		this.z = z;
	}
}
typed(Basis, 'Basis');

export class Transform3D {
	constructor(basis = new Basis(), origin = new Vector3()) {
		this.basis = basis;
		this.origin = origin;
	}
}
typed(Transform3D, 'Transform3D');

/** `x`, `y`, `z` and `w` are columns. */
export class Projection {
	constructor(
		x = new Vector4(1, 0, 0, 0),
		y = new Vector4(0, 1, 0, 0),
		z = new Vector4(0, 0, 1, 0),
		w = new Vector4(0, 0, 0, 1),
	) {
		this.x = x;
		this.y = y;
		this.z = z;
		this.w = w;
	}
}
typed(Projection, 'Projection');

export class Color {
	constructor(r = 0, g = 0, b = 0, a = 1) {
		this.r = r;
		this.g = g;
		this.b = b;
		this.a = a;
	}
}
typed(Color, 'Color');

export class StringName {
	constructor(name = '') {
		this.name = name;
	}
	toString() {
		return this.name;
	}
	toJSON() {
		return this.name;
	}
}
typed(StringName, 'StringName');

export class NodePath {
	/** Parses a path as scripts write it: `new NodePath('/root/Player:position:x')`. Throws where the engine's would be invalid. */
	constructor(path = '') {
		const [names, ...subnames] = path.split(':');
		// A path may end with a colon.
		if (subnames.at(-1) === '') subnames.pop();
		if (subnames.includes('')) throw new RangeError(`${JSON.stringify(path)} is not a NodePath: there is no name between two of its colons`);
		this.names = names.split('/').filter((name) => name !== '');
		this.subnames = subnames;
		this.absolute = names.startsWith('/');
	}
	/** Creates a path from its parts. */
	static of(names, subnames = [], absolute = false) {
		return Object.assign(new NodePath(), { names, subnames, absolute });
	}
	toString() {
		const path = (this.absolute ? '/' : '') + this.names.join('/');
		return [path, ...this.subnames].join(':');
	}
	toJSON() {
		return this.toString();
	}
}
typed(NodePath, 'NodePath');

export class RID {
	constructor(id = 0n) {
		this.id = BigInt(id);
	}
}
typed(RID, 'RID');

/** An object, given by the id that it had in the game that wrote it; 0 is not an object. */
export class ObjectId {
	constructor(id = 0n) {
		this.id = BigInt(id);
	}
}
typed(ObjectId, 'ObjectId');

/**
 * An object as data: its class, and its properties in sequence. It is never instantiated, loaded or run.
 */
export class GodotObject {
	constructor(className, properties = []) {
		this.class = className;
		this.properties = properties;
	}
	/** Returns the value of a property. */
	get(name) {
		return this.properties.find(([own]) => own === name)?.[1];
	}
}
typed(GodotObject, 'Object');

export class Callable {}
typed(Callable, 'Callable');

export class Signal {
	constructor(name = '', objectId = 0n) {
		this.name = name;
		this.objectId = BigInt(objectId);
	}
}
typed(Signal, 'Signal');

/**
 * An Array with an element type. `elementType` is `{ builtin: 'Int' }`, `{ class: 'Node' }`, `{ script:
 * 'res://item.gd' }` or, in Pandemonium, null.
 */
export class TypedArray extends Array {
	static of(elementType, items = []) {
		const array = new TypedArray();
		array.elementType = elementType;
		for (const item of items) array.push(item);
		return array;
	}
	static get [Symbol.species]() {
		return Array;
	}
}
typed(TypedArray, 'TypedArray');
Object.defineProperty(TypedArray.prototype, 'elementType', { value: null, writable: true });

/** A Dictionary with key and value types, as in TypedArray; null means any type. */
export class TypedDictionary extends Map {
	constructor(keyType = null, valueType = null, entries = []) {
		super();
		this.keyType = keyType;
		this.valueType = valueType;
		for (const [key, value] of entries) this.set(key, value);
	}
}
typed(TypedDictionary, 'TypedDictionary');

export class PackedStringArray extends Array {
	static of(...texts) {
		const array = new PackedStringArray();
		for (const text of texts) array.push(text);
		return array;
	}
	static get [Symbol.species]() {
		return Array;
	}
}
typed(PackedStringArray, 'PackedStringArray');

/** Returns the message about data that a class of packed vectors cannot hold, or undefined. */
export function wrongData({ type, size, Numbers }, data) {
	// Vectors of 64 bits are those of builds with precision=double; colours have no such form.
	const fits = data instanceof Numbers || (Numbers === Float32Array && type !== 'PackedColorArray' && data instanceof Float64Array);
	const of = `the data of a ${type}`;
	if (!fits) return `${of} is a ${Numbers.name}, not ${data === null ? 'null' : (data?.constructor?.name ?? typeof data)}; new ${type}(Array.from(data)) converts numbers`;
	return data.length % size === 0 ? undefined : `${of} has ${size} numbers for each element, and ${data.length} are not a multiple of it`;
}

/** Vectors or colours as one flat list of numbers, `data`. */
class PackedVectors {
	constructor(data = []) {
		const { Numbers } = this.constructor;
		this.data = ArrayBuffer.isView(data) ? data : Numbers.from(data, Numbers === Int32Array ? int32 : undefined);
		const wrong = wrongData(this.constructor, this.data);
		if (wrong !== undefined) throw new TypeError(wrong);
	}
	get length() {
		return this.data.length / this.constructor.size;
	}
	/** Returns a copy of an element. A negative index counts from the end. */
	at(index) {
		const { Element, size } = this.constructor;
		const start = (index < 0 ? index + this.length : index) * size;
		if (!(start >= 0 && start < this.data.length)) return undefined;
		return new Element(...this.data.subarray(start, start + size));
	}
	*[Symbol.iterator]() {
		for (let index = 0; index < this.length; index++) yield this.at(index);
	}
	/** Creates an array from vectors or colours. */
	static of(...elements) {
		const names = Object.keys(new this.Element());
		return new this(elements.flatMap((element) => names.map((name) => element[name])));
	}
}

const packed = (type, Element, size, Numbers) => {
	const Class = class extends PackedVectors {};
	Object.defineProperty(Class, 'name', { value: type });
	return typed(Object.assign(Class, { Element, size, Numbers, type }), type);
};
export const PackedVector2Array = packed('PackedVector2Array', Vector2, 2, Float32Array);
export const PackedVector3Array = packed('PackedVector3Array', Vector3, 3, Float32Array);
export const PackedVector4Array = packed('PackedVector4Array', Vector4, 4, Float32Array);
export const PackedColorArray = packed('PackedColorArray', Color, 4, Float32Array);
// Types of Pandemonium.
export const PoolVector2iArray = packed('PoolVector2iArray', Vector2i, 2, Int32Array);
export const PoolVector3iArray = packed('PoolVector3iArray', Vector3i, 3, Int32Array);
export const PoolVector4iArray = packed('PoolVector4iArray', Vector4i, 4, Int32Array);

/**
 * The bytes of a value for which JavaScript has no form: an Image or InputEvent of Godot 2, or a text of
 * Godot 3 with invalid characters. It can be written for the dialect from which it was read.
 */
export class Raw {
	/** `kind` is the name of its type in Godot. */
	constructor(kind, bytes) {
		this.kind = kind;
		this.bytes = bytes;
	}
}
typed(Raw, 'Raw');

/** Returns true if a value belongs to a class of this package, so that its `type` says which. */
export function isTyped(value) {
	return value !== null && typeof value === 'object' && typeof value.type === 'string' && !Object.prototype.hasOwnProperty.call(value, 'type');
}

const ARRAYS = new Map([
	[Uint8Array, 'PackedByteArray'],
	[Uint8ClampedArray, 'PackedByteArray'],
	[ArrayBuffer, 'PackedByteArray'],
	[Int32Array, 'PackedInt32Array'],
	[BigInt64Array, 'PackedInt64Array'],
	[Float32Array, 'PackedFloat32Array'],
	[Float64Array, 'PackedFloat64Array'],
]);

/** Returns the name of the type that a value has in Godot. */
export function typeOf(value) {
	switch (typeof value) {
		case 'boolean':
			return 'Bool';
		case 'bigint':
			return 'Int';
		case 'number':
			return Number.isSafeInteger(value) && !Object.is(value, -0) ? 'Int' : 'Float';
		case 'string':
			return 'String';
		case 'object': {
			if (value === null) return 'Nil';
			if (isTyped(value)) {
				const { type } = value;
				const own = { TypedArray: 'Array', TypedDictionary: 'Dictionary', ObjectId: 'Object', Raw: value.kind };
				return own[type] ?? type;
			}
			if (Array.isArray(value)) return 'Array';
			for (const [Class, type] of ARRAYS) if (value instanceof Class) return type;
			return 'Dictionary';
		}
		default:
			return undefined;
	}
}
