// Node, Deno and Bun: the module is a file beside this one.
import './index.node.js';
import { webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setupForms } from './src/forms.js';
import { instantiate } from './src/wasm.js';

const bytes = readFileSync(new URL('./gdvar-forms.wasm', import.meta.url));
// Node 18 has no global `crypto`.
setupForms(instantiate(bytes), webcrypto);

export * from './src/forms-api.js';
