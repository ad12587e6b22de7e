// Node, Deno and Bun: the module is a file beside this one.
import { readFile } from 'node:fs/promises';
import { instantiate, setup } from './src/wasm.js';

const bytes = await readFile(new URL('./gdvar.wasm', import.meta.url));
setup(await instantiate(bytes));

export * from './src/api.js';
