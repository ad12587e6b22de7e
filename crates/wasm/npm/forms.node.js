// For Node, Deno and Bun: reads the module, which is next to this file.
import './index.node.js';
import { webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setupForms } from './src/forms.js';
import { instantiate } from './src/wasm.js';

const bytes = readFileSync(new URL('./gdvar-forms.wasm', import.meta.url));
// Node 18 has no global `crypto`.
setupForms(instantiate(bytes), webcrypto);

export * from './src/forms-api.js';
