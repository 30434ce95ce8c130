import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

const { projects: _, ...test } = base.test ?? {};

/** The configuration of `npm run release-fixtures`, which uses the test runner but tests nothing. */
export default mergeConfig(
  { ...base, test },
  defineConfig({ test: { dir: import.meta.dirname, include: ['**/*.fixture.ts'], testTimeout: 300_000 } }),
);
