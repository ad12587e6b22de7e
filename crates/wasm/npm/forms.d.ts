import type { Dialect, EncodeOptions, GdvarError, ReadOptions, Release, Target, Value, Variant } from './index.js';

type Source = ArrayBuffer | ArrayBufferView | Value;

/** `plain` for people and other programs, `native` as JSON.from_native of Godot gives it, `tagged` keeps everything. */
export type Style = 'plain' | 'native' | 'tagged';

/** As `validate` of `gdvar`. With `strict` it also finds a key that a Dictionary has twice (`DuplicateKey`). */
export function validate(bytes: Source, options?: ReadOptions): number;
export function toJSON(bytes: Source, options?: ReadOptions & { style?: Style }): string;
/** The losses of `toJSON` in that style, for people; '' for nothing. */
export function lossesOfJSON(bytes: Source, options?: ReadOptions & { style?: Style }): string;
export function fromJSON(json: string, options?: { style?: Style; target?: Target }): Uint8Array;
/** As the engine prints a value; `{ dialect: 'godot3.2' }` as that release does. */
export function var_to_str(bytes: Source, options?: ReadOptions): string;
/** Bytes of the value that a text says. */
export function str_to_var(text: string, options?: { target?: Target }): Uint8Array;

export interface Loss {
	count: number;
	type: string;
	what: string;
	/** The path of the first. */
	first: string;
}
/** The value for another engine, by default from Godot 3 for Godot 4. */
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
/** How Godot 4 and Godot 3 read bytes. */
export function detect(bytes: Source): { choice: string; readings: { dialect: Dialect; exact: boolean }[] };
/** The path to a byte. */
export function locate(bytes: Source, offset: number, options?: ReadOptions): string;

/** A value that is encoded already. */
export class Bytes {
	constructor(bytes: ArrayBuffer | ArrayBufferView);
	bytes: Uint8Array;
}
type New = Variant | Value | Bytes;
/** Changes, made all at once by `bytes()`; what is not changed keeps its bytes. */
export class Edit {
	constructor(bytes: Source, options?: ReadOptions & EncodeOptions);
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

/** What is around the contents of a file, as it was found; `name` is for people: `compressed:zstd`. */
export type Layer = { name?: string; /** The game's own bytes in front, and the length of the layer: a size in them is mended. */ header?: Uint8Array; length?: number } & (
	/** The text of `file`, in whose way other contents are written. */
	| { kind: 'text'; encoding: 'hex' | 'hexdump' | 'base64' | 'array'; lines?: boolean; file: Uint8Array }
	/** A file of `open_compressed`. */
	| { kind: 'compressed'; mode: 'fastlz' | 'deflate' | 'zstd' | 'gzip' | 'brotli'; blockSize?: number }
	/** Compressed as a whole, with or without the size in front: `deflate` is zlib. */
	| { kind: 'packed'; mode: 'fastlz' | 'deflate' | 'zstd' | 'gzip'; sizeBytes?: 0 | 4 | 8 }
	| { kind: 'encrypted'; form: 3 | 4; password: string | Uint8Array }
	/** `project.binary`, as the Dictionary of its settings. */
	| { kind: 'project'; dialect: Dialect; file: Uint8Array }
	/** A compiled script, as the Array of its constants; it is not written. */
	| { kind: 'script' }
);
type Password = string | Uint8Array | null | undefined;
export type Framing = 'bare' | 'len32' | 'len32be' | 'hex' | 'base64';
/** What is known of a file; what is not said is found out. */
export interface FileOptions {
	/** The engine that wrote it; `auto` is Godot 4 or Godot 3, `any` tries the rare ones too. */
	dialect?: Dialect | Release | 'auto' | 'any';
	/** One value, records of `store_var` of either byte order, or a value a line. */
	framing?: Framing;
	/** How the bytes are written as text. */
	encoding?: 'raw' | 'hex' | 'hexdump' | 'base64' | 'array';
	/** The length of a header of the game's own, in bytes. */
	skip?: number;
}
/** The contents of a file without its layers; `header` is the length of the game's own header in front of the values. */
export function contents(
	file: ArrayBuffer | ArrayBufferView,
	options?: FileOptions & { password?: Password | ((about: { error?: GdvarError }) => Password | Promise<Password>) },
): Promise<{ bytes: Uint8Array; layers: Layer[]; header: number }>;
/** A file with those contents, in layers again. Zstandard and Brotli can only be read. */
export function close(bytes: Uint8Array, layers: Layer[], about?: { header?: number; length?: number }): Uint8Array;
/** Changes of a value of a file. */
export interface FileEdit extends Edit {
	/** The bytes of the whole file with the changes: layers, header and lengths are what they were, and every other byte stays. */
	save(): Uint8Array;
}
/** What is in a save. */
export class File {
	private constructor();
	/** What is around the contents, outermost first, as `close` takes it. */
	readonly layers: Layer[];
	/** The game's own bytes in front of the values. */
	readonly header: Uint8Array;
	readonly framing: Framing;
	/** The engine that wrote the values. */
	readonly dialect: Dialect;
	/** How sure that is; `same`: several engines read the same values, `furthest`: none reads all. */
	readonly certainty: 'given' | 'certain' | 'same' | 'likely' | 'furthest';
	/** The engines that read the same values, if there are several. */
	readonly same: Dialect[];
	/** The first record that is cut or missing. */
	readonly damage?: { code: string; message: string };
	/** The values, not decoded. */
	readonly values: Value[];
	/** Changes of one of the values, by its number; a file of one value needs none. */
	edit(which?: number): FileEdit;
}
/**
 * Opens a save: one value or records, in any layers, after a header of the game's own; settings of a project. If several readings are
 * equally good, the error names them, and its `choices` have the options for each. `objects` is `inert` by default.
 */
export function openFile(
	bytes: ArrayBuffer | ArrayBufferView,
	options?: FileOptions & Omit<ReadOptions, 'dialect'> & Omit<EncodeOptions, 'dialect'> & { password?: string | Uint8Array },
): File;
