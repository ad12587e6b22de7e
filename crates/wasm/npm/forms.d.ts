import type { Dialect, EncodeOptions, GdvarError, ReadOptions, Release, Target, Value, Variant } from './index.js';

type Input = ArrayBufferLike | ArrayBufferView;
type Source = Input | Value;

/**
 * `plain` for people and other programs, `native` for Godot's JSON.to_native, `tagged` to keep everything.
 */
export type Style = 'plain' | 'native' | 'tagged';

/**
 * Like `validate` of `gdvar`. With `strict` it also finds repeated keys of a Dictionary (`DuplicateKey`).
 */
export function validate(bytes: Source, options?: ReadOptions): number;
export function toJSON(bytes: Source, options?: ReadOptions & { style?: Style }): string;
/** Describes what `toJSON` loses in that style, for people; '' if it loses nothing. */
export function lossesOfJSON(bytes: Source, options?: ReadOptions & { style?: Style }): string;
export function fromJSON(json: string, options?: { style?: Style; target?: Target }): Uint8Array;
/** Returns the text that the engine prints; with `{ dialect: 'godot3.2' }` that release's text. */
export function var_to_str(bytes: Source, options?: ReadOptions): string;
/** Converts text to bytes, as `str_to_var` reads it. */
export function str_to_var(text: string, options?: { target?: Target }): Uint8Array;

export interface Loss {
	count: number;
	type: string;
	what: string;
	/** The path of the first loss. */
	first: string;
}
/** Converts the value for another engine; by default from Godot 3 to Godot 4. */
export function convert(
	bytes: Source,
	options?: { from?: Dialect | Release; to?: Target } & Omit<ReadOptions, 'dialect'>,
): { bytes: Uint8Array; report: Loss[] };

export interface Difference {
	path: string;
	change: 'set' | 'added' | 'removed' | 'moved';
	from?: string;
	to?: string;
	place?: number;
}
export function diff(before: Source, after: Source, options?: ReadOptions & { limit?: number }): Difference[];
/** Reports how Godot 4 and Godot 3 would read the bytes. */
export function detect(bytes: Source): { choice: string; readings: { dialect: Dialect; exact: boolean }[] };
/** Returns the path to a byte. */
export function locate(bytes: Source, offset: number, options?: ReadOptions): string;

/** A value that is already encoded. */
export class Bytes {
	constructor(bytes: Input);
	bytes: Uint8Array;
}
type New = Variant | ArrayBuffer | Uint8ClampedArray | Value | Bytes;
/**
 * Changes of a value. `bytes()` applies all of them; everything else keeps its bytes.
 *
 * Every path refers to the value before the first change, also after others: after `append('party', …)`, `party[-1]` is
 * still the member that was the last one. Give the new value as it is to be, or start another edit with `bytes()`.
 */
export class Edit {
	constructor(bytes: Source, options?: ReadOptions & EncodeOptions);
	/**
	 * Replaces a value. The new one takes the type of its place: `3` becomes 3.0 where a float was, a string a
	 * StringName where one was, an Array `Array[float]` or a packed array where one was. A number, string, boolean,
	 * Array, object or Map that cannot become that type is an error, `Fit`. What says its type changes it: a value of a
	 * class, a typed array. A `Float`, a bigint, a `Value` and `Bytes` are written as they are, and so is a number with
	 * `numbers: 'exact'`. null replaces anything, and anything null. A typed container holds its type and no other, and
	 * that also holds for `insert`, `insertPair` and `append`.
	 */
	set(path: string, value: New): this;
	insert(path: string, value: New): this;
	insertPair(path: string, key: New, value: New, before?: number): this;
	append(path: string, value: New): this;
	remove(path: string): this;
	renameKey(path: string, key: New): this;
	move(from: string, to: string): this;
	bytes(): Uint8Array;
}
export function edit(bytes: Source, options?: ReadOptions & EncodeOptions): Edit;

/** A layer around the contents of a file. `name` is for people, such as `compressed:zstd`. */
export type Layer = { name?: string; /** The game's own bytes before the layer, and the lengths of the layer and of its contents: a size in them is updated. */ header?: Uint8Array; length?: number; contentsLength?: number; /** The game's own bytes after the layer, which stay. */ trailer?: Uint8Array } & (
	/** Other contents are written in the layout of the text in `file`. */
	| { kind: 'text'; encoding: 'hex' | 'hexdump' | 'base64' | 'array'; lines?: boolean; file: Uint8Array }
	/** A file of `open_compressed`. */
	| { kind: 'compressed'; mode: 'fastlz' | 'deflate' | 'zstd' | 'gzip' | 'brotli'; blockSize?: number }
	/** Compressed as a whole, with or without its size before it. `deflate` is zlib. */
	| { kind: 'packed'; mode: 'fastlz' | 'deflate' | 'zstd' | 'gzip'; sizeBytes?: 0 | 4 | 8 }
	| { kind: 'encrypted'; form: 3 | 4; password: string | Input }
	/** `project.binary`, as the Dictionary of its settings. */
	| { kind: 'project'; dialect: Dialect; file: Uint8Array }
	/** The text of a ConfigFile, resource, scene or value, as the value that it expresses. */
	| { kind: 'document'; dialect: Dialect; file: Uint8Array }
	/** A compiled script, as the Array of its constants. It cannot be written. */
	| { kind: 'script' }
	/** The engine's own JSON of a value. It can only be read. */
	| { kind: 'json' }
);
type Password = string | Input | null | undefined;
export type Framing = 'bare' | 'len32' | 'len32be' | 'hex' | 'base64';
/** What you know about a file. Everything else is detected. */
export interface FileOptions {
	/** The engine that wrote it: `auto` is Godot 4 or Godot 3, `any` also tries the rare ones. */
	dialect?: Dialect | Release | 'auto' | 'any';
	/** One value, records of `store_var` in either byte order, or one value per line. */
	framing?: Framing;
	/** How the bytes are written as text. */
	encoding?: 'raw' | 'hex' | 'hexdump' | 'base64' | 'array';
	/** The length of the game's own header in bytes. */
	skip?: number;
	/**
	 * The maximum size of an unpacked layer in bytes; a larger one is an error, `TooLong`. Default: 200 times the
	 * size of the layer, and at least 64 MiB.
	 */
	maxUnpacked?: number;
}
/**
 * Removes the layers of a file. `header` and `trailer` are the lengths of the game's own bytes before and after the
 * values.
 */
export function contents(
	file: Input,
	options?: FileOptions & { password?: Password | ((about: { error?: GdvarError }) => Password | Promise<Password>) },
): Promise<{ bytes: Uint8Array; layers: Layer[]; header: number; trailer: number }>;
/** Puts contents into layers. Zstandard and Brotli can only be read. */
export function close(bytes: Input, layers: Layer[], about?: { header?: number; trailer?: number; length?: number }): Uint8Array;
/** Changes of one value of a file. */
export interface FileEdit extends Edit {
	/**
	 * Returns the bytes of the whole changed file. Layers, header and framing stay the same, lengths are
	 * updated, and every other byte is kept.
	 */
	save(): Uint8Array;
}
/** A record that cannot be read. */
export interface Damage {
	/** Its index, from 0. `values` leaves out records that have no value at all, so that later ones have another index there. */
	record: number;
	/** The name of the error, the same as in `gdvar check --json`. */
	code: string;
	message: string;
	/** Where the error is in the contents without layers; in lines of text, where it is in the value. */
	offset: number;
	/** Where the error is in the value. */
	path: string;
}
/** An opened save. */
export class File {
	private constructor();
	/** The layers around the contents, the outermost first, as `close` expects them. */
	readonly layers: Layer[];
	/** The game's own bytes before the values. */
	readonly header: Uint8Array;
	/** The game's own bytes after the values, such as a checksum. */
	readonly trailer: Uint8Array;
	readonly framing: Framing;
	/** The engine that wrote the values. */
	readonly dialect: Dialect;
	/**
	 * How certain the dialect is. `same`: several engines read identical values; `furthest`: no engine reads
	 * everything.
	 */
	readonly certainty: 'given' | 'certain' | 'same' | 'likely' | 'furthest';
	/** The engines that read identical values, if there are several. */
	readonly same: Dialect[];
	/** The records that cannot be read, as `gdvar check` finds them; empty if there are none. The first use reads the whole file. */
	readonly damage: Damage[];
	/** The values, not decoded. */
	readonly values: Value[];
	/**
	 * Starts an edit of one value. `which` is its index; it may be omitted if the file has only one value.
	 */
	edit(which?: number): FileEdit;
	/** Frees the memory of the values' bytes now. The values become invalid, and `edit` throws. */
	free(): void;
	/** `free`, for `using`. It is there if `Symbol.dispose` is when the package is loaded; Node 18 and 20 may lack it. */
	[Symbol.dispose](): void;
}
/**
 * Opens a save: one value or records, in any layers, after the game's own header; also the settings of a
 * project. If several readings are equally good, the error lists them, and its `choices` have the options for
 * each. `objects` is `inert` by default.
 */
export function openFile(
	bytes: Input,
	options?: FileOptions & Omit<ReadOptions, 'dialect'> & Omit<EncodeOptions, 'dialect'> & { password?: string | Input },
): File;
