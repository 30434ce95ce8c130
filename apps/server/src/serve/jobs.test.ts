import { expect, test, vi } from 'vitest';
import type { Log } from '../logging/log.ts';
import { tidyEvidence } from './jobs.ts';

test('tidyEvidence: logs how many files it deleted, and warns of files of another database', async () => {
  const log = { event: vi.fn<Log['event']>(), warning: vi.fn<Log['warning']>() };
  await tidyEvidence({ tidy: async () => ({ deleted: 0, foreign: 0 }) }, log);
  expect([log.event.mock.calls, log.warning.mock.calls]).toEqual([[], []]);
  await tidyEvidence({ tidy: async () => ({ deleted: 2, foreign: 3 }) }, log);
  expect(log.event).toHaveBeenCalledExactlyOnceWith(expect.any(String), { count: 2 });
  expect(log.warning).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('not in this database'), {
    count: 3,
  });
});
