import { defineConfig } from 'vitest/config';

const counts = process.env.TEST_COUNTS;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/setup.ts'],
    setupFiles: ['test/support/contract-setup.ts'],
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    reporters: counts ? ['default', ['json', { outputFile: counts }]] : ['default'],
  },
});
