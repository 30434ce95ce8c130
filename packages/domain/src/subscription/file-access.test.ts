import { expect, test } from 'vitest';
import { hasFileAccess } from './file-access.ts';

test('hasFileAccess: an unknown client has none', async () => {
  expect(await hasFileAccess({ find: async () => null }, 'unknown')).toBe(false);
});
