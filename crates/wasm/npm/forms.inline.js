// For bundlers that do not include other files: both modules are text in this package.
import './inline.js';
import { setupForms } from './src/forms.js';
import { fromBase64, instantiate } from './src/wasm.js';
import { base64 } from './gdvar-forms.wasm.base64.js';

setupForms(instantiate(fromBase64(base64)));

export * from './src/forms-api.js';
