// For Node, Deno and Bun: reads the module, which is next to this file.
import { readFileSync } from 'node:fs';
import { instantiate, setup } from './src/wasm.js';

const bytes = readFileSync(new URL('./gdvar.wasm', import.meta.url));
setup(instantiate(bytes));

export * from './src/api.js';
