import { expect, test } from 'vitest';
import { createLatestDownloads } from './latest-downloads.ts';

test('a download is the latest of its release until another begins, or the release expires and one of any release begins', () => {
  let now = new Date('2026-03-01T10:00:00Z');
  const downloads = createLatestDownloads({ now: () => now });
  const one = { id: 'one', expiresAt: new Date('2026-03-02T10:00:00Z') };
  const other = { id: 'other', expiresAt: new Date('2026-03-09T10:00:00Z') };

  const first = downloads.begin(one);
  const second = downloads.begin(one);
  const third = downloads.begin(other);
  expect([first(), second(), third()]).toEqual([false, true, true]);

  now = new Date(one.expiresAt.getTime() - 1);
  downloads.begin({ ...other, id: 'third' });
  expect(second()).toBe(true);
  now = one.expiresAt;
  downloads.begin({ ...other, id: 'fourth' });
  expect([second(), third()]).toEqual([false, true]);
});
