import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const time = "Take the account's now as a value, or SystemClock (src/time/system-clock.ts) from what constructs you.";
const timer = 'Use SystemClock.setTimer or SystemClock.defer (src/time/system-clock.ts), handed in.';
const chance = 'Draw from a Stream (src/random/stream.ts) or from Ids (src/random/ids.ts), handed in.';
const timers = ['setTimeout', 'setInterval', 'setImmediate'];
const chances = ['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues'];

export default defineConfig(
  { ignores: ['dist', 'src/index.cjs', 'src/ui/api-docs', 'src/generated', 'node_modules', 'coverage'] },
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
  {
    // Time and chance are handed in; only their homes reach for those of the machine.
    files: ['src/**'],
    ignores: ['src/time/**', 'src/random/**', 'src/ui/page/core/browser.ts'],
    rules: {
      'no-restricted-globals': ['error', ...timers.map((name) => ({ name, message: timer }))],
      'no-restricted-properties': [
        'error',
        ...timers.map((property) => ({ object: 'globalThis', property, message: timer })),
        ...chances.map((property) => ({ object: 'crypto', property, message: chance })),
        { object: 'Math', property: 'random', message: chance },
        { object: 'Date', property: 'now', message: time },
        { object: 'performance', property: 'now', message: time },
        { object: 'process', property: 'hrtime', message: time },
      ],
      'no-restricted-imports': [
        'error',
        { name: 'node:timers', message: timer },
        { name: 'node:timers/promises', message: timer },
        { name: 'node:crypto', importNames: chances, message: chance },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: time },
        { selector: "CallExpression[callee.name='Date']", message: time },
      ],
    },
  },
  { files: ['src/cli/**', 'scripts/**', 'bench/**'], rules: { 'no-console': 'off' } },
  {
    // Plain programs, run by whichever Node is measured, with packages that need not be installed: no types to check.
    files: ['bench/servers.mjs', 'test/explore/apps/*.mjs', 'test/stories/app.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { parserOptions: { projectService: false } },
    rules: { 'no-console': 'off' },
  },
  { files: ['test/**'], rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
);
