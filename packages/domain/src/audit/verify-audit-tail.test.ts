import { expect, test } from 'vitest';
import { changed, givenEntries, reading, sha256 } from '../../test-support/audit-chain.ts';
import type { AuditEntry } from './audit-entry.ts';
import { verifyAuditTail } from './verify-audit-tail.ts';

function verify(entries: readonly AuditEntry[], count: number, read = reading(entries)) {
  const audit = { head: async () => entries.at(-1) ?? null, read };
  return verifyAuditTail({ audit, secrets: { sha256 } }, count);
}

test('verifyAuditTail: checks the last entries only', async () => {
  const entries = givenEntries(250);
  const head = { sequence: 250, hash: entries.at(-1)?.hash };
  expect(await verify(entries, 120)).toEqual({ outcome: 'intact', checked: 120, head });
  expect(await verify(entries, 1_000)).toEqual({ outcome: 'intact', checked: 250, head });
  expect(await verify([], 120)).toEqual({ outcome: 'intact', checked: 0, head: null });
  expect(await verify(changed(entries, 130), 120)).toMatchObject({ outcome: 'intact' });
});

test('verifyAuditTail: names the first entry that was changed, is missing or cannot be read', async () => {
  const entries = givenEntries(250);
  const broken = (sequence: number, reason: string) => ({ outcome: 'broken', sequence, reason });
  expect(await verify(changed(entries, 131), 120)).toEqual(broken(131, 'wrong_hash'));
  expect(await verify(changed(entries, 250), 120)).toEqual(broken(250, 'wrong_hash'));
  expect(await verify(entries.toSpliced(199, 1), 120)).toEqual(broken(201, 'gap'));
  expect(await verify(entries.toSpliced(129, 1), 120)).toEqual(broken(130, 'unreadable'));
  expect(await verify(entries, 1_000, reading(entries.slice(0, -1)))).toEqual(broken(250, 'gap'));
  const fail = () => Promise.reject(new Error('a damaged page'));
  expect(await verify(entries, 1_000, fail)).toEqual(broken(1, 'unreadable'));
  expect(await verify(entries, 120, fail)).toEqual(broken(130, 'unreadable'));
});
