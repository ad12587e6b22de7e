// For `require` of Node 18, and of Node 20 before 20.19, which cannot load modules. ../build makes all.cjs.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { api, instantiate, setup } = require('./all.cjs');

setup(instantiate(readFileSync(join(__dirname, 'gdvar.wasm'))));

module.exports = api;
