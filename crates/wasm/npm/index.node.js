// Node, Deno and Bun: the module is a file beside this one.
import { readFile } from 'node:fs/promises';
import { setup } from './src/wasm.js';

const bytes = await readFile(new URL('./gdvar.wasm', import.meta.url));
setup((await WebAssembly.instantiate(bytes)).instance);

export * from './src/api.js';
