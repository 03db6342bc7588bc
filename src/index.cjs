/**
 * The entry point for `require`. It loads the ES module with Node's own loader, because jest's loader cannot. jest also
 * gives its test files their own `process`, so the real one is taken from the main context.
 */
const { getBuiltinModule } = require('node:vm').runInThisContext('process');
module.exports = getBuiltinModule('node:module').createRequire(__filename)('./index.js');
