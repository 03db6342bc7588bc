import type { Plugin } from 'esbuild';

/**
 * The validator compiles the meta-schema of OpenAPI for each document it is given, even when told not to check it: a
 * fifth of a second. Our documents do not change after the build, and the tests check them.
 */
export const documentsAreChecked: Plugin = {
  name: 'documents-are-checked',
  setup(plugins) {
    plugins.onLoad({ filter: /express-openapi-validator.*openapi\.schema\.validator\.js$/ }, () => ({
      contents: 'exports.OpenAPISchemaValidator = class { validate() { return { errors: [] }; } };',
      loader: 'js',
    }));
  },
};
