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

export type Layer =
	| { kind: 'compressed'; mode: 'fastlz' | 'deflate' | 'zstd' | 'gzip' | 'brotli' }
	| { kind: 'encrypted'; form: 3 | 4; password: string | Uint8Array }
	| { kind: 'project' }
	| { kind: 'script' };
type Password = string | Uint8Array | null | undefined;
/** The contents of a compressed or encrypted file; other files as they are. */
export function contents(
	file: ArrayBuffer | ArrayBufferView,
	options?: { password?: Password | ((about: { form: 3 | 4; error?: GdvarError }) => Password | Promise<Password>) },
): Promise<{ bytes: Uint8Array; layers: Layer[] }>;
/** A file with those contents, packed again. Zstandard and Brotli can only be read. */
export function close(bytes: Uint8Array, layers: Layer[]): Uint8Array;
/** Changes of a value of a file. */
export interface FileEdit extends Edit {
	/** The bytes of the whole file with the changes: records, compression and encryption are what they were, and every other byte stays. */
	save(): Uint8Array;
}
/** What is in a save. */
export class File {
	private constructor();
	/** What is around the contents, outermost first, as `close` takes it. */
	readonly layers: Layer[];
	readonly form: 'value' | 'records' | 'project';
	/** The values, not decoded. */
	readonly values: Value[];
	/** The names of the settings of a project, in the order of `values`. */
	readonly names: string[];
	/** Changes of one of the values, by its number or by its name in a project; a file of one value needs none. */
	edit(which?: number | string): FileEdit;
}
/**
 * Opens a save: one value, records of `store_var`, settings of a project, each maybe compressed or encrypted. `framing` says what it is
 * if that is known: one value and records can look alike. `objects` is `inert` by default.
 */
export function openFile(
	bytes: ArrayBuffer | ArrayBufferView,
	options?: ReadOptions & EncodeOptions & { password?: string | Uint8Array; framing?: 'value' | 'records'; bigEndian?: boolean },
): File;
/** The settings in a `project.binary`, or the constants in a `.gdc`. */
export function entries(bytes: ArrayBuffer | ArrayBufferView): { name: string; value: Uint8Array }[];
export function joinProject(settings: { name: string; value: Uint8Array }[]): Uint8Array;
