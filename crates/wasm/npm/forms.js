// For browsers: fetches the module, which is next to this file.
import './index.js';
import { setupForms } from './src/forms.js';
import { instantiateLater } from './src/wasm.js';

const response = await fetch(new URL('./gdvar-forms.wasm', import.meta.url));
if (!response.ok) throw new Error(`gdvar-forms.wasm: ${response.status} ${response.statusText}`);
setupForms(await instantiateLater(await response.arrayBuffer()));

export * from './src/forms-api.js';
