// Node, Deno and Bun: the module is a file beside this one.
import './index.node.js';
import { readFile } from 'node:fs/promises';
import { setupForms } from './src/forms.js';
import { instantiate } from './src/wasm.js';

const bytes = await readFile(new URL('./gdvar-forms.wasm', import.meta.url));
setupForms(await instantiate(bytes));

export * from './src/forms.js';
