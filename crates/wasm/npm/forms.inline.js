// For bundlers that do not include other files: both modules are text in this package.
import './inline.js';
import { setupForms } from './src/forms.js';
import { instantiate } from './src/wasm.js';
import { base64 } from './gdvar-forms.wasm.base64.js';

const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
setupForms(instantiate(bytes));

export * from './src/forms-api.js';
