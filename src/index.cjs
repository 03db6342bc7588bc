/**
 * The door for `require`. It loads the ES module by Node's own loader, because that of jest loads none. jest also gives its
 * test files a `process` of their own, so the real one is taken from the main context.
 */
const { getBuiltinModule } = require('node:vm').runInThisContext('process');
module.exports = getBuiltinModule('node:module').createRequire(__filename)('./index.js');
