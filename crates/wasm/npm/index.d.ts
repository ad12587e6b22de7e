/** A mistake in bytes, or with a value that was to be written. */
export class GdvarError extends Error {
	/** A name that stays the same, for programs: `Truncated`, `UnknownType`, `Unrepresentable`, … */
	readonly code: string;
	/** The byte, counted from the start of what was given. */
	readonly offset?: number;
	/** The place in the value: `$.party[0].hp`. */
	readonly path?: string;
	/** Of a file that can be read in several ways: the options of `openFile` for each, and the value it gives. */
	readonly choices?: { options: Record<string, string | number>; reads: string }[];
}

/** Which engine's bytes they are. The bytes do not say it. */
export type Dialect = 'godot4' | 'godot3' | 'godot2' | 'godot4-docs' | 'pandemonium3' | 'pandemonium4' | 'pandemonium5';

/** A release of an engine: its dialect, the depth it reads, and the text it prints. */
export type Release = 'godot4.6' | 'godot3.6' | 'godot3.2' | 'pandemonium5.3';

export interface ReadOptions {
	/** Default: `godot4`. */
	dialect?: Dialect | Release;
	/**
	 * Accept only what a correct encoder writes. Default: what the engine accepts. Keys that a Dictionary has twice are not
	 * found, neither by `decode` nor by `validate`, which would make the module a sixth larger: `validate` of `gdvar/forms` finds them.
	 */
	strict?: boolean;
	/** Objects: `ids` as the engine's default, `inert` also whole ones, as data, `deny` none at all. Nothing is ever made or run. */
	objects?: 'ids' | 'inert' | 'deny';
	/** Refuse values inside more containers. Default: 1024, as the engine. */
	maxDepth?: number;
}

export interface DecodeOptions extends ReadOptions {
	/**
	 * `friendly` (default): an Int is a number while that is exact, else a bigint; a Float is a number, and the container it is
	 * in keeps, unseen, that it is a Float, so that `encode` writes one again. `exact`: an Int is a bigint, a Float a number; for
	 * `encode` with `exact`.
	 */
	numbers?: 'friendly' | 'exact';
	/**
	 * `auto` (default): a Dictionary is an object if all its keys are Strings that keep their order there (no `"7"`, no
	 * `"__proto__"`), else a Map. `always`: always a Map.
	 */
	maps?: 'auto' | 'always';
}

/** For which engine bytes are written: a dialect, with a version such as `godot4.2`, or in parts. */
export type Target =
	| Dialect
	| `${Dialect}.${number}`
	| {
			dialect?: Dialect;
			minor?: number;
			/** Width of reals in vectors: `single` as engines are distributed (default), `double` for builds with precision=double. */
			precision?: 'given' | 'single' | 'double';
			ints?: 'engine' | 'shortest' | 32 | 64;
	  };

export interface EncodeOptions {
	/** Default: `godot4`. */
	target?: Target;
	/**
	 * `friendly` (default): a number is a Float where `decode` found a Float or a typed container asks for one; elsewhere a whole
	 * number is an Int, any other a Float. `exact`: a number is a Float, a bigint an Int.
	 */
	numbers?: 'friendly' | 'exact';
	/**
	 * `refuse`: throw at an object that has exactly the keys of a class, such as `{ x, y }`. That is what `structuredClone` and
	 * `postMessage` make of a Vector2. Default: `write` it as a Dictionary.
	 */
	lookalikes?: 'write' | 'refuse';
	maxDepth?: number;
}

/** A Float that is written as a Float whatever its number is: `new Float(1)`. */
export class Float {
	constructor(value: number);
	value: number;
	readonly type: 'Float';
}
export class Vector2 {
	constructor(x?: number, y?: number);
	x: number;
	y: number;
	readonly type: 'Vector2' | 'Vector2i';
}
export class Vector2i extends Vector2 {
	readonly type: 'Vector2i';
}
export class Vector3 {
	constructor(x?: number, y?: number, z?: number);
	x: number;
	y: number;
	z: number;
	readonly type: 'Vector3' | 'Vector3i';
}
export class Vector3i extends Vector3 {
	readonly type: 'Vector3i';
}
export class Vector4 {
	constructor(x?: number, y?: number, z?: number, w?: number);
	x: number;
	y: number;
	z: number;
	w: number;
	readonly type: 'Vector4' | 'Vector4i';
}
export class Vector4i extends Vector4 {
	readonly type: 'Vector4i';
}
export class Rect2 {
	constructor(position?: Vector2, size?: Vector2);
	position: Vector2;
	size: Vector2;
	readonly type: 'Rect2';
}
export class Rect2i {
	constructor(position?: Vector2i, size?: Vector2i);
	position: Vector2i;
	size: Vector2i;
	readonly type: 'Rect2i';
}
export class Transform2D {
	constructor(x?: Vector2, y?: Vector2, origin?: Vector2);
	x: Vector2;
	y: Vector2;
	origin: Vector2;
	readonly type: 'Transform2D';
}
export class Plane {
	constructor(normal?: Vector3, d?: number);
	normal: Vector3;
	d: number;
	readonly type: 'Plane';
}
export class Quaternion {
	constructor(x?: number, y?: number, z?: number, w?: number);
	x: number;
	y: number;
	z: number;
	w: number;
	readonly type: 'Quaternion';
}
export class AABB {
	constructor(position?: Vector3, size?: Vector3);
	position: Vector3;
	size: Vector3;
	readonly type: 'AABB';
}
/** `x`, `y` and `z` are columns, as in scripts. */
export class Basis {
	constructor(x?: Vector3, y?: Vector3, z?: Vector3);
	x: Vector3;
	y: Vector3;
	z: Vector3;
	readonly type: 'Basis';
}
export class Transform3D {
	constructor(basis?: Basis, origin?: Vector3);
	basis: Basis;
	origin: Vector3;
	readonly type: 'Transform3D';
}
/** `x`, `y`, `z` and `w` are columns. */
export class Projection {
	constructor(x?: Vector4, y?: Vector4, z?: Vector4, w?: Vector4);
	x: Vector4;
	y: Vector4;
	z: Vector4;
	w: Vector4;
	readonly type: 'Projection';
}
export class Color {
	constructor(r?: number, g?: number, b?: number, a?: number);
	r: number;
	g: number;
	b: number;
	a: number;
	readonly type: 'Color';
}
export class StringName {
	constructor(name?: string);
	name: string;
	toString(): string;
	readonly type: 'StringName';
}
export class NodePath {
	/** From text as in scripts: `new NodePath('/root/Player:position:x')`. */
	constructor(path?: string);
	static of(names: string[], subnames?: string[], absolute?: boolean): NodePath;
	names: string[];
	subnames: string[];
	absolute: boolean;
	toString(): string;
	readonly type: 'NodePath';
}
export class RID {
	constructor(id?: bigint | number);
	id: bigint;
	readonly type: 'RID';
}
/** An object as the number it had in the game that wrote it; 0 is no object. */
export class ObjectId {
	constructor(id?: bigint | number);
	id: bigint;
	readonly type: 'ObjectId';
}
/** An object as data: a class and properties, in order. */
export class GodotObject {
	constructor(className: string, properties?: [string, Variant][]);
	class: string;
	properties: [string, Variant][];
	get(name: string): Variant | undefined;
	readonly type: 'Object';
}
export class Callable {
	readonly type: 'Callable';
}
export class Signal {
	constructor(name?: string, objectId?: bigint | number);
	name: string;
	objectId: bigint;
	readonly type: 'Signal';
}

export type ElementType = { builtin: TypeName } | { class: string } | { script: string } | null;

/** An Array that says what its elements are: `TypedArray.of({ builtin: 'Int' }, [1, 2])`. */
export class TypedArray extends Array<Variant> {
	static of(elementType: ElementType, items?: Iterable<Variant>): TypedArray;
	static of<T>(...items: T[]): T[];
	elementType: ElementType;
	readonly type: 'TypedArray';
}
/** A Dictionary that says what its keys and values are. */
export class TypedDictionary extends Map<Variant, Variant> {
	constructor(keyType?: ElementType, valueType?: ElementType, entries?: Iterable<[Variant, Variant]>);
	keyType: ElementType;
	valueType: ElementType;
	readonly type: 'TypedDictionary';
}
export class PackedStringArray extends Array<string> {
	static of(...texts: string[]): PackedStringArray;
	static of<T>(...items: T[]): T[];
	readonly type: 'PackedStringArray';
}

interface Packed<Element, Name extends string, Numbers> {
	/** The numbers, one element behind the other. */
	data: Numbers;
	readonly length: number;
	/** A copy of the element of that number; negative numbers count from the end. */
	at(index: number): Element | undefined;
	[Symbol.iterator](): IterableIterator<Element>;
	readonly type: Name;
}
interface PackedClass<Element, Name extends string, Numbers> {
	new (data?: Numbers | readonly number[]): Packed<Element, Name, Numbers>;
	of(...elements: Element[]): Packed<Element, Name, Numbers>;
}
type Reals = Float32Array | Float64Array;
export const PackedVector2Array: PackedClass<Vector2, 'PackedVector2Array', Reals>;
export type PackedVector2Array = Packed<Vector2, 'PackedVector2Array', Reals>;
export const PackedVector3Array: PackedClass<Vector3, 'PackedVector3Array', Reals>;
export type PackedVector3Array = Packed<Vector3, 'PackedVector3Array', Reals>;
export const PackedVector4Array: PackedClass<Vector4, 'PackedVector4Array', Reals>;
export type PackedVector4Array = Packed<Vector4, 'PackedVector4Array', Reals>;
export const PackedColorArray: PackedClass<Color, 'PackedColorArray', Float32Array>;
export type PackedColorArray = Packed<Color, 'PackedColorArray', Float32Array>;
export const PoolVector2iArray: PackedClass<Vector2i, 'PoolVector2iArray', Int32Array>;
export type PoolVector2iArray = Packed<Vector2i, 'PoolVector2iArray', Int32Array>;
export const PoolVector3iArray: PackedClass<Vector3i, 'PoolVector3iArray', Int32Array>;
export type PoolVector3iArray = Packed<Vector3i, 'PoolVector3iArray', Int32Array>;
export const PoolVector4iArray: PackedClass<Vector4i, 'PoolVector4iArray', Int32Array>;
export type PoolVector4iArray = Packed<Vector4i, 'PoolVector4iArray', Int32Array>;

/** A value that JavaScript has no form for, as its bytes: an Image of Godot 2, a text of Godot 3 that is no text. */
export class Raw {
	constructor(kind: TypeName, bytes: Uint8Array);
	/** The name of its type in Godot. */
	kind: TypeName;
	bytes: Uint8Array;
	readonly type: 'Raw';
}

/** Values that are objects with a `type`: switch over it. */
export type Typed =
	| Vector2
	| Vector2i
	| Vector3
	| Vector3i
	| Vector4
	| Vector4i
	| Rect2
	| Rect2i
	| Transform2D
	| Plane
	| Quaternion
	| AABB
	| Basis
	| Transform3D
	| Projection
	| Color
	| StringName
	| NodePath
	| RID
	| ObjectId
	| GodotObject
	| Callable
	| Signal
	| TypedArray
	| TypedDictionary
	| PackedStringArray
	| PackedVector2Array
	| PackedVector3Array
	| PackedVector4Array
	| PackedColorArray
	| PoolVector2iArray
	| PoolVector3iArray
	| PoolVector4iArray
	| Float
	| Raw;

/** Returns true if a value is of a class of this package, so that its `type` says which. */
export function isTyped(value: Variant): value is Typed;

/** Any value of Godot. PackedByteArray and its kin are the typed arrays of JavaScript. */
export type Variant =
	| null
	| boolean
	| number
	| bigint
	| string
	| Variant[]
	| { [key: string]: Variant }
	| Map<Variant, Variant>
	| Uint8Array
	| Int32Array
	| BigInt64Array
	| Float32Array
	| Float64Array
	| Typed;

/** The names of Godot's types, as `typeOf` gives them and `ElementType` takes them. */
export type TypeName =
	| 'Nil' | 'Bool' | 'Int' | 'Float' | 'String' | 'Vector2' | 'Vector2i' | 'Rect2' | 'Rect2i' | 'Vector3' | 'Vector3i'
	| 'Transform2D' | 'Vector4' | 'Vector4i' | 'Plane' | 'Quaternion' | 'AABB' | 'Basis' | 'Transform3D' | 'Projection'
	| 'Color' | 'Image' | 'StringName' | 'NodePath' | 'RID' | 'Object' | 'InputEvent' | 'Callable' | 'Signal' | 'Dictionary'
	| 'Array' | 'TypedArray' | 'PackedTypedArray' | 'PackedByteArray' | 'PackedInt32Array' | 'PackedInt64Array'
	| 'PackedFloat32Array' | 'PackedFloat64Array' | 'PackedStringArray' | 'PackedVector2Array' | 'PoolVector2iArray'
	| 'PackedVector3Array' | 'PoolVector3iArray' | 'PackedVector4Array' | 'PoolVector4iArray' | 'PackedColorArray';

/** The name of the type that a value has in Godot; of a number on its own: a whole one is an Int. */
export function typeOf(value: Variant): TypeName | undefined;

/**
 * What two keys of a Dictionary share if they have the same value, for look-ups by Vector2i and the like:
 * `new Map(Array.from(map, ([key, value]) => [keyOf(key), value]))`.
 */
export function keyOf(key: Variant): null | boolean | number | bigint | string;

type Bytes = ArrayBuffer | ArrayBufferView;

/** A schema of valibot, zod, arktype and others: https://standardschema.dev. */
export interface Schema<T> {
	readonly '~standard': {
		readonly version: 1;
		readonly vendor: string;
		readonly validate: (value: unknown) => unknown;
		readonly types?: { readonly input: T; readonly output: unknown } | undefined;
	};
}
/**
 * The value is held against the schema: what it says has code `Schema` and the path. The value is given as it was read; defaults and
 * conversions of the schema are not applied.
 */
interface Checked<T> {
	schema: Schema<T>;
}

/**
 * What `encode` takes of a type: values of Godot, and objects, arrays and Maps of them, however they are declared. Functions, symbols and
 * `undefined` have no value.
 */
export type Encodable<T> = T extends Variant
	? T
	: T extends ((...args: never[]) => unknown) | symbol | undefined
		? never
		: T extends readonly (infer Item)[]
			? readonly Encodable<Item>[]
			: T extends ReadonlyMap<infer Key, infer Item>
				? ReadonlyMap<Encodable<Key>, Encodable<Item>>
				: T extends object
					? { [Key in keyof T]: Encodable<T[Key]> }
					: never;

/**
 * The value of bytes of `var_to_bytes`: a `Variant`. Its type is whatever you say, as of `JSON.parse`; a schema says it and checks it. Bytes
 * after the value are ignored, as by the engine.
 */
export function decode<T>(bytes: Bytes, options: DecodeOptions & Checked<T>): T;
export function decode<T = any>(bytes: Bytes, options?: DecodeOptions): T;
/** The bytes that `var_to_bytes` gives for a value. */
export function encode<T>(value: T & Encodable<T>, options?: EncodeOptions): Uint8Array;
/** Reads everything and makes nothing of it: how many bytes the value takes. Throws what is wrong. */
export function validate(bytes: Bytes, options?: ReadOptions): number;
export const var_to_bytes: typeof encode;
export const bytes_to_var: typeof decode;
/** The value behind its length, as `put_var` and `store_var` write it. A `Value` keeps its bytes. */
export function put_var(value: Value, options?: EncodeOptions & { bigEndian?: boolean }): Uint8Array;
export function put_var<T>(value: T & Encodable<T>, options?: EncodeOptions & { bigEndian?: boolean }): Uint8Array;
export const store_var: typeof put_var;
/** The first value behind its length. */
export function get_var<T>(bytes: Bytes, options: DecodeOptions & Checked<T> & { bigEndian?: boolean }): T;
export function get_var<T = any>(bytes: Bytes, options?: DecodeOptions & { bigEndian?: boolean }): T;

/** A value that stays in its bytes until it is asked for. */
export class Value implements Iterable<Value | [Value | string, Value]> {
	private constructor();
	readonly type: TypeName;
	/** Elements, pairs or properties. */
	readonly length: number;
	/** Its first byte. */
	readonly offset: number;
	/** The value at a path: `party[0].hp`, `["odd key"]`, `[-1]`. */
	get(path: string): Value | undefined;
	[Symbol.iterator](): Iterator<Value | [Value | string, Value]>;
	toJS<T>(options: Pick<DecodeOptions, 'numbers' | 'maps'> & Checked<T>): T;
	toJS<T = any>(options?: Pick<DecodeOptions, 'numbers' | 'maps'>): T;
	bytes(): Uint8Array;
	/** Gives the memory of the bytes back at once; all values of the same bytes end with it. */
	free(): void;
}
/** The value that bytes begin with, not decoded. */
export function open(bytes: Bytes, options?: ReadOptions): Value;
/**
 * The values in a file of `store_var`, not decoded. `cut`: the last record is given as far as it goes, where it would be an error that
 * the file ends before the record does. A Value that is cut gives its children until there are no more, then throws.
 */
export function records(bytes: Bytes, options?: ReadOptions & { bigEndian?: boolean; cut?: boolean }): Generator<Value, void>;
/** A file of `store_var`. A `Value` keeps its bytes. */
export function writeRecords(values: Iterable<Value>, options?: EncodeOptions & { bigEndian?: boolean }): Uint8Array;
export function writeRecords<T>(values: Iterable<T & Encodable<T>>, options?: EncodeOptions & { bigEndian?: boolean }): Uint8Array;
/** Values of `put_var` out of bytes as they arrive from a socket. */
export class RecordStream<T = any> extends TransformStream<Uint8Array, T> {
	/** `maxLength`: the longest record, in bytes; default 16 MiB. */
	constructor(options?: DecodeOptions & Partial<Checked<T>> & { bigEndian?: boolean; maxLength?: number });
}
