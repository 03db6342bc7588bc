/** For `require`, by Node's own loader, as in index.cjs. */
const { getBuiltinModule } = require('node:vm').runInThisContext('process');
module.exports = getBuiltinModule('node:module').createRequire(__filename)('./vitest.js');
