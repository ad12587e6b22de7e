// Node, Deno and Bun: the module is a file beside this one.
import { readFileSync } from 'node:fs';
import { instantiate, setup } from './src/wasm.js';

const bytes = readFileSync(new URL('./gdvar.wasm', import.meta.url));
setup(instantiate(bytes));

export * from './src/api.js';
