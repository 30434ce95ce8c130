import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

const { projects: _, ...test } = base.test ?? {};

/** The configuration of `npm run screenshots`, which uses the test runner but tests nothing. */
export default mergeConfig(
  { ...base, test },
  defineConfig({
    test: { dir: import.meta.dirname, include: ['**/*.shots.ts'], testTimeout: 240_000, hookTimeout: 60_000 },
  }),
);
