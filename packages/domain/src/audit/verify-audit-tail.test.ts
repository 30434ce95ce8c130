import { expect, test } from 'vitest';
import { entryAfter } from './audit-chain.ts';
import type { AuditEntry } from './audit-entry.ts';
import { verifyAuditTail } from './verify-audit-tail.ts';

/** Differs for texts that differ in one character. No hash that anyone should use. */
const sha256 = (text: string): string => {
  let sum = 7;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 4_294_967_291;
  return sum.toString(16).padStart(64, '0');
};

function givenEntries(count: number): AuditEntry[] {
  const entries: AuditEntry[] = [];
  for (let n = 1; n <= count; n += 1) {
    const fact = {
      at: new Date(n),
      actor: { kind: 'operator', id: null },
      from: null,
      action: 'clients.create',
      outcome: 'allowed',
      clientId: null,
      targetId: null,
      detail: { n },
    } as const;
    entries.push(entryAfter(entries.at(-1) ?? null, fact, { sha256 }));
  }
  return entries;
}

function verify(entries: readonly AuditEntry[], count: number, read?: () => never) {
  const audit = {
    head: async () => entries.at(-1) ?? null,
    read: async (after: number, limit: number) => {
      read?.();
      return entries.filter(({ sequence }) => sequence > after).slice(0, limit);
    },
  };
  return verifyAuditTail({ audit, secrets: { sha256 } }, count);
}

const changed = (entries: AuditEntry[], n: number) =>
  entries.map((entry) => (entry.sequence === n ? { ...entry, detail: { n: -n } } : entry));

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
  const fail = (): never => {
    throw new Error('a damaged page');
  };
  expect(await verify(entries, 1_000, fail)).toEqual(broken(1, 'unreadable'));
});
