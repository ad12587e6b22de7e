// For `require` of Node 18, and of Node 20 before 20.19, which cannot load modules. ../build makes all.cjs.
require('./index.cjs');
const { webcrypto } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { forms, instantiate, setupForms } = require('./all.cjs');

// Node 18 has no global `crypto`.
setupForms(instantiate(readFileSync(join(__dirname, 'gdvar-forms.wasm'))), webcrypto);

module.exports = forms;
