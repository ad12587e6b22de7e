declare global {
	// For libraries of TypeScript that do not declare them, as in @types/node.
	interface SymbolConstructor {
		readonly dispose: unique symbol;
	}
	interface Disposable {
		[Symbol.dispose](): void;
	}
}

/** An error in bytes, or about a value that cannot be written. */
export class GdvarError extends Error {
	/** A stable name for programs: `Truncated`, `UnknownType`, `Unrepresentable`, … */
	readonly code: string;
	/** In a file or stream of several records, the index of the record, from 0. */
	readonly record?: number;
	/**
	 * The offset from the start of the input, in a stream from its first byte. For a value of `openFile` it is the offset in
	 * the contents without layers, and in lines of text the offset in the value.
	 */
	readonly offset?: number;
	/** The path in the value: `$.party[0].hp`. */
	readonly path?: string;
	/**
	 * For a file that can be read in several ways: the options of `openFile` for each reading, and the value
	 * that it gives.
	 */
	readonly choices?: { options: Record<string, string | number>; reads: string }[];
}

/** The engine that wrote the bytes. The bytes do not say it. */
export type Dialect = 'godot4' | 'godot3' | 'godot2' | 'godot4-docs' | 'pandemonium3' | 'pandemonium4' | 'pandemonium5';

/** A release of an engine: its dialect, its depth limit, and its text notation. */
export type Release = 'godot4.6' | 'godot3.6' | 'godot3.2' | 'pandemonium5.3';

export interface ReadOptions {
	/** Default: `godot4`. */
	dialect?: Dialect | Release;
	/**
	 * Accept only what a correct encoder writes. Default: accept what the engine accepts. Neither `decode` nor
	 * `validate` finds repeated keys of a Dictionary, because that would make the module a sixth larger;
	 * `validate` of `gdvar/forms` finds them.
	 */
	strict?: boolean;
	/**
	 * How objects are read: `ids` as the engine does by default, `inert` also whole objects, as data, `deny`
	 * none at all. They are never instantiated or run.
	 */
	objects?: 'ids' | 'inert' | 'deny';
	/** Refuse values inside more containers than this, from 0. Default: 1024, as the engine. */
	maxDepth?: number;
}

export interface DecodeOptions extends ReadOptions {
	/**
	 * `friendly` (default): an Int is a number if that is exact, otherwise a bigint. A Float is a number, and
	 * its container remembers invisibly that it is a Float, so that `encode` writes a Float again. `exact`: an
	 * Int is a bigint and a Float a number; use it together with `encode` and `exact`.
	 */
	numbers?: 'friendly' | 'exact';
	/**
	 * `auto` (default): a Dictionary is an object if all its keys are Strings that keep their sequence there (no
	 * `"7"`, no `"__proto__"`), otherwise a Map. `always`: always a Map.
	 */
	maps?: 'auto' | 'always';
}

/**
 * The engine for which bytes are written: a dialect, a version such as `godot4.2`, or its parts.
 */
export type Target =
	| Dialect
	| `${Dialect}.${number}`
	| {
			dialect?: Dialect;
			minor?: number;
			/**
			 * Width of reals in vectors: `single` as in official builds (default), `double` for builds with
			 * precision=double.
			 */
			precision?: 'given' | 'single' | 'double';
			ints?: 'engine' | 'shortest' | 32 | 64;
	  };

export interface EncodeOptions {
	/** Default: `godot4`. */
	target?: Target;
	/**
	 * `friendly` (default): a number is a Float where `decode` found a Float or a typed container requires one.
	 * Elsewhere a whole number is an Int, any other a Float. `exact`: a number is a Float, a bigint an Int.
	 */
	numbers?: 'friendly' | 'exact';
	/**
	 * `refuse`: throw if an object has exactly the keys of a class, such as `{ x, y }`. `structuredClone` and
	 * `postMessage` turn a Vector2 into such an object. It also throws at the clone of a `TypedArray`, and cannot see
	 * those of a `PackedStringArray`, a `TypedDictionary` and a `Callable`. Default: `write` it as a Dictionary.
	 */
	lookalikes?: 'write' | 'refuse';
	maxDepth?: number;
}

/** A number that is always written as a Float: `new Float(1)`. */
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
	/**
	 * Parses a path as scripts write it: `new NodePath('/root/Player:position:x')`. A RangeError for one that the engine
	 * refuses, as in `a::b`: there is no name between two colons.
	 */
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
/** An object, given by the id that it had in the game that wrote it; 0 is not an object. */
export class ObjectId {
	constructor(id?: bigint | number);
	id: bigint;
	readonly type: 'ObjectId';
}
/** An object as data: its class, and its properties in sequence. */
export class GodotObject {
	constructor(className: string, properties?: [string | Raw, Variant][]);
	class: string;
	/** A name that no string can hold is a `Raw` of the String. */
	properties: [string | Raw, Variant][];
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

/** `{ builtin: 'Vector2i' }`, the class of the engine's objects or the path of their script; `null` is any type. */
export type ElementType = { builtin: TypeName } | { class: string } | { script: string } | null;

/** The type of all numbers for `1`, of all texts for `'a'`: an Array of these holds others too. */
type Widened<Item> = Item extends number ? number : Item extends bigint ? bigint : Item extends string ? string : Item extends boolean ? boolean : Item;

/** An Array with an element type: `TypedArray.of({ builtin: 'Int' }, [1, 2])`. */
export class TypedArray<Item extends Variant = Variant> extends Array<Item> {
	static of<Item extends Variant = Variant>(elementType: ElementType, items?: Iterable<Item>): TypedArray<Widened<Item>>;
	static of<T>(...items: T[]): T[];
	elementType: ElementType;
	readonly type: 'TypedArray';
}
/** A Dictionary with key and value types; `null` is any type. */
export class TypedDictionary<Key extends Variant = Variant, Item extends Variant = Variant> extends Map<Key, Item> {
	constructor(keyType?: ElementType, valueType?: ElementType, entries?: Iterable<[Key, Item]>);
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
	/** The numbers of all elements, one element after the other. */
	data: Numbers;
	readonly length: number;
	/** Returns a copy of an element. A negative index counts from the end. */
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

/**
 * The bytes of a value for which JavaScript has no form: an Image of Godot 2, or a text of Godot 3 with
 * invalid characters.
 */
export class Raw {
	constructor(kind: TypeName, bytes: Uint8Array);
	/** The name of its type in Godot. */
	kind: TypeName;
	bytes: Uint8Array;
	readonly type: 'Raw';
}

/** Values that are objects with a `type`, over which you can switch. */
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

/** Returns true if a value belongs to a class of this package, so that its `type` says which. */
export function isTyped(value: Variant | OtherBytes): value is Typed;

/**
 * Any value of Godot. PackedByteArray and the packed arrays of numbers are JavaScript's typed arrays.
 */
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

/** The names of Godot's types, as `typeOf` returns them and `ElementType` expects them. */
export type TypeName =
	| 'Nil' | 'Bool' | 'Int' | 'Float' | 'String' | 'Vector2' | 'Vector2i' | 'Rect2' | 'Rect2i' | 'Vector3' | 'Vector3i'
	| 'Transform2D' | 'Vector4' | 'Vector4i' | 'Plane' | 'Quaternion' | 'AABB' | 'Basis' | 'Transform3D' | 'Projection'
	| 'Color' | 'Image' | 'StringName' | 'NodePath' | 'RID' | 'Object' | 'InputEvent' | 'Callable' | 'Signal' | 'Dictionary'
	| 'Array' | 'TypedArray' | 'PackedTypedArray' | 'PackedByteArray' | 'PackedInt32Array' | 'PackedInt64Array'
	| 'PackedFloat32Array' | 'PackedFloat64Array' | 'PackedStringArray' | 'PackedVector2Array' | 'PoolVector2iArray'
	| 'PackedVector3Array' | 'PoolVector3iArray' | 'PackedVector4Array' | 'PoolVector4iArray' | 'PackedColorArray';

/**
 * Returns the name of the type that a value has in Godot. A whole number without a container is an Int.
 */
export function typeOf(value: Variant | OtherBytes): TypeName | undefined;

/**
 * Returns what two keys of a Dictionary share if they are one key for Godot 4, and no others do, for look-ups by Vector2i
 * and similar types: `new Map(Array.from(map, ([key, value]) => [keyOf(key), value]))`. `1`, `1n` and an Int of a file are
 * one key, `new Float(1)` is another; a StringName is one key with its text. Two objects never are, nor are two Arrays
 * with a NaN in them.
 *
 * A number without a fraction is taken for an Int. So a Float 1.0 that `decode` gives as the key 1, because its Map has
 * no Int 1, has the key of the Int. With `numbers: 'exact'`, for keys of a `decode` with that option, every number is a
 * Float.
 */
export function keyOf(key: Variant | OtherBytes, options?: Pick<DecodeOptions, 'numbers'>): null | boolean | number | bigint | string;

/** An ArrayBuffer, a SharedArrayBuffer, a Buffer, a DataView or any typed array. */
type Bytes = ArrayBufferLike | ArrayBufferView;

/** Other objects that are written as a PackedByteArray. */
type OtherBytes = ArrayBuffer | Uint8ClampedArray;

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
 * The value is checked with the schema. If it is refused, the error has the code `Schema` and the path. The
 * value is returned as it was read: defaults and conversions of the schema are not applied.
 */
interface Checked<T> {
	schema: Schema<T>;
}

/**
 * The types that `encode` accepts: values of Godot, and objects, arrays and Maps of them, however they are
 * declared. Functions, symbols and `undefined` are refused.
 */
export type Encodable<T> = T extends Variant | OtherBytes
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
 * Decodes the bytes of `var_to_bytes` as a `Variant`. Its type is the one that you name, as with
 * `JSON.parse`, or the one that a schema describes and checks. Bytes after the value are ignored, as by the
 * engine.
 */
export function decode<T>(bytes: Bytes, options: DecodeOptions & Checked<T>): T;
export function decode<T = any>(bytes: Bytes, options?: DecodeOptions): T;
/** Returns the bytes that `var_to_bytes` makes of a value. */
export function encode<T>(value: T & Encodable<T>, options?: EncodeOptions): Uint8Array;
/**
 * Reads the whole value without building it. Returns its size in bytes, or throws what is wrong.
 */
export function validate(bytes: Bytes, options?: ReadOptions): number;
export const var_to_bytes: typeof encode;
export const bytes_to_var: typeof decode;
/**
 * Returns the value after its length, as `put_var` and `store_var` write it. A `Value` keeps its bytes.
 */
export function put_var(value: Value, options?: EncodeOptions & { bigEndian?: boolean }): Uint8Array;
export function put_var<T>(value: T & Encodable<T>, options?: EncodeOptions & { bigEndian?: boolean }): Uint8Array;
export const store_var: typeof put_var;
/** Returns the first value after its length. */
export function get_var<T>(bytes: Bytes, options: DecodeOptions & Checked<T> & { bigEndian?: boolean }): T;
export function get_var<T = any>(bytes: Bytes, options?: DecodeOptions & { bigEndian?: boolean }): T;

/** A value that stays in its bytes until you ask for it. */
export class Value implements Iterable<Value | [Value | string | Raw, Value]> {
	private constructor();
	/** The engine as whose value it is read. A Value is not written for another one. */
	readonly dialect: Dialect | Release;
	readonly type: TypeName;
	/** The number of elements, pairs or properties. */
	readonly length: number;
	/** Its offset in bytes. */
	readonly offset: number;
	/** Returns the value at a path: `party[0].hp`, `["odd key"]`, `[-1]`. */
	get(path: string): Value | undefined;
	[Symbol.iterator](): Iterator<Value | [Value | string | Raw, Value]>;
	toJS<T>(options: Pick<DecodeOptions, 'numbers' | 'maps'> & Checked<T>): T;
	toJS<T = any>(options?: Pick<DecodeOptions, 'numbers' | 'maps'>): T;
	bytes(): Uint8Array;
	/**
	 * Frees the memory of the bytes now. All values of the same bytes become invalid, also the other records of one
	 * `records` or `openFile`.
	 */
	free(): void;
	/** `free`, for `using`. It is there if `Symbol.dispose` is when the package is loaded; Node 18 and 20 may lack it. */
	[Symbol.dispose](): void;
}
/** Opens the value at the start of bytes, without decoding it. */
export function open(bytes: Bytes, options?: ReadOptions): Value;
/**
 * Iterates over the values in a file of `store_var`, without decoding them. `cut`: a truncated last record is
 * returned as far as it goes; without it, it is an error. A truncated Value yields its children until there
 * are no more, then throws. If the file ends in or right after the length of a record, whatever is asked of that last
 * Value is the error.
 */
export function records(bytes: Bytes, options?: ReadOptions & { bigEndian?: boolean; cut?: boolean }): Generator<Value, void>;
/** Writes a file of `store_var`. A `Value` keeps its bytes. */
export function writeRecords(values: Iterable<Value>, options?: EncodeOptions & { bigEndian?: boolean }): Uint8Array;
export function writeRecords<T>(values: Iterable<T & Encodable<T>>, options?: EncodeOptions & { bigEndian?: boolean }): Uint8Array;
type StreamOptions = DecodeOptions & { bigEndian?: boolean; /** The longest record in bytes; default 16 MiB. */ maxLength?: number };
/** Reads values of `put_var` from bytes as they arrive from a socket. */
export class RecordStream<T = any> {
	constructor(options?: StreamOptions & Partial<Checked<T>>);
	/** The values. An error comes after the last whole value before it. */
	readonly readable: ReadableStream<T>;
	/** Takes the bytes, in pieces of any size. */
	readonly writable: WritableStream<Bytes>;
	/**
	 * Iterates over the values in pieces of bytes: `for await (const value of RecordStream.from(socket))` for a
	 * socket of Node, which stays open for answers.
	 */
	static from<T>(pieces: AsyncIterable<Bytes> | Iterable<Bytes>, options: StreamOptions & Checked<T>): AsyncGenerator<T, void, undefined>;
	static from<T = any>(pieces: AsyncIterable<Bytes> | Iterable<Bytes>, options?: StreamOptions): AsyncGenerator<T, void, undefined>;
}
