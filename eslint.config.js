import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  { ignores: ['dist', 'dist-binary', 'src/index.cjs', 'src/ui/api-docs', 'src/generated', 'node_modules', 'coverage'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['eslint.config.js'] } } },
    rules: {
      // A number or boolean in a message reads well; an object or a missing value does not, and stays an error.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Express hands out requests whose type is its own interface of Node's class; that is its design.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  { files: ['src/cli/**', 'scripts/**', 'bench/**'], rules: { 'no-console': 'off' } },
  {
    // Plain programs, run by whichever Node is measured, with packages that need not be installed: no types to check.
    files: ['bench/servers.mjs', 'test/explore/apps/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { parserOptions: { projectService: false } },
    rules: { 'no-console': 'off' },
  },
  { files: ['test/**'], rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
);
