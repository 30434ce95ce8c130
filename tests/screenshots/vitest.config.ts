import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

const { projects: _, ...test } = base.test ?? {};

/** `npm run screenshots`: no test, but made of the same parts. */
export default mergeConfig(
  { ...base, test },
  defineConfig({
    test: { dir: import.meta.dirname, include: ['**/*.shots.ts'], testTimeout: 120_000, hookTimeout: 60_000 },
  }),
);
