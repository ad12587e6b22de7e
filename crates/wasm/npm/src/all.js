// Everything, for the single file for `require` that ../build makes of it.
export * as api from './api.js';
export * as forms from './forms-api.js';
export * as packet from './packet.js';
export { setupForms } from './forms.js';
export { setupPacket } from './packet.js';
export { instantiate, setup } from './wasm.js';
