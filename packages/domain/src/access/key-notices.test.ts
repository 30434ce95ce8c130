import { expect, test } from 'vitest';
import { createKeyNotices } from './key-notices.ts';

/** A page of keys, which the job asks for again until one is not full. */
const PAGE = 100;

/** Creates the job over keys that are due one day before they expire, and counts how often it asks for some. */
function givenKeys({ count, outcome }: { count: number; outcome: 'noted' | 'not_due' }) {
  const due = new Set(Array.from({ length: count }, (_, index) => `key-${index}`));
  const reads: number[] = [];
  const noteExpiringKeys = createKeyNotices({
    clock: { now: () => new Date('2026-11-30T12:00:00Z') },
    mailsAbout: async () => [],
    mails: {
      expiringKeys: async ({ days, limit }) => {
        const found = days === 1 ? [...due].slice(0, limit) : [];
        if (days === 1) reads.push(found.length);
        return found.map((keyId) => ({ clientId: 'client', keyId }));
      },
      noteKeyExpiry: async ({ keyId }) => {
        if (outcome === 'noted') due.delete(keyId);
        return { outcome };
      },
    },
  });
  return { noteExpiringKeys, reads };
}

test.each([
  { count: 0, pages: [0] },
  { count: PAGE - 1, pages: [PAGE - 1] },
  { count: PAGE, pages: [PAGE, 0] },
  { count: 2 * PAGE + 1, pages: [PAGE, PAGE, 1] },
])('The job notes $count keys, and ends with the first page that is not full', async ({ count, pages }) => {
  const { noteExpiringKeys, reads } = givenKeys({ count, outcome: 'noted' });
  expect(await noteExpiringKeys()).toBe(count);
  expect(reads).toEqual(pages);
});

test('The job ends after a full page of which another instance noted all keys', async () => {
  const { noteExpiringKeys, reads } = givenKeys({ count: PAGE, outcome: 'not_due' });
  expect(await noteExpiringKeys()).toBe(0);
  expect(reads).toEqual([PAGE]);
});
