import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    // Two cores, and some tests start real servers: a hung test should fail, a slow machine should not.
    testTimeout: 60_000,
    // By default one core is left free, which on two is half of them.
    maxWorkers: '100%',
    hookTimeout: 120_000,
  },
});
