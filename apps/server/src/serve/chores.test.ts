import { expect, test, vi } from 'vitest';
import type { Log } from '../logging/log.ts';
import { tidyEvidence } from './chores.ts';

test('what was deleted, and what seems to belong to another database, is told in the log', async () => {
  const log = { event: vi.fn<Log['event']>(), warning: vi.fn<Log['warning']>() };
  await tidyEvidence({ tidy: async () => ({ deleted: 0, foreign: 0 }) }, log);
  expect([log.event.mock.calls, log.warning.mock.calls]).toEqual([[], []]);
  await tidyEvidence({ tidy: async () => ({ deleted: 2, foreign: 3 }) }, log);
  expect(log.event).toHaveBeenCalledExactlyOnceWith(expect.any(String), { count: 2 });
  expect(log.warning).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('not in this database'), {
    count: 3,
  });
});
