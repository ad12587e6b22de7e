// For bundlers that do not include other files: the module is text in this package.
import { fromBase64, instantiate, setup } from './src/wasm.js';
import { base64 } from './gdvar.wasm.base64.js';

setup(instantiate(fromBase64(base64)));

export * from './src/api.js';
