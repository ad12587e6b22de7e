// For `require` of Node 18, and of Node 20 before 20.19, which cannot load modules. ../build makes all.cjs.
require('./index.cjs');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { packet, instantiate, setupPacket } = require('./all.cjs');

setupPacket(instantiate(readFileSync(join(__dirname, 'gdvar-packet.wasm'))));

module.exports = packet;
