// Examples import the package by its name, as users do. The compiler does not know its types here, so these rules need
// none.
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig({
  files: ['**/*.{js,mjs,ts}'],
  // Not one of its presets: a preset records the folder that uses it, and only the project's own folder may be
  // recorded.
  languageOptions: { parser: tseslint.parser },
  plugins: { ts: tseslint.plugin },
  rules: {
    'ts/no-unused-vars': 'error',
    'ts/no-explicit-any': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    eqeqeq: 'error',
  },
});
