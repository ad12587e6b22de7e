// For bundlers that do not include other files: the module is text in this package.
import { instantiate, setup } from './src/wasm.js';
import { base64 } from './gdvar.wasm.base64.js';

const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
setup(instantiate(bytes));

export * from './src/api.js';
