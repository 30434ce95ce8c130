import { expect, test } from 'vitest';
import { NOW } from '../../test-support/verifications.ts';
import { createAppendFact } from './append-fact.ts';
import type { AuditEntry, AuditFact } from './audit-entry.ts';
import type { AuditLog } from './audit-log.ts';

const FACT: Omit<AuditFact, 'at'> = {
  actor: { kind: 'operator', id: null },
  from: null,
  action: 'clients.create',
  outcome: 'allowed',
  clientId: null,
  targetId: null,
  detail: {},
};

/** A log with the operations that an instance asked for. */
function givenLog() {
  const lines: AuditEntry[] = [];
  const asked: string[] = [];
  const last = () => lines.at(-1) ?? null;
  const audit: Pick<AuditLog, 'append' | 'head'> = {
    async append(entry) {
      asked.push('append');
      if (entry.sequence !== lines.length + 1) return { outcome: 'not_next', head: last() };
      lines.push(entry);
      return { outcome: 'appended' };
    },
    async head() {
      asked.push('head');
      return last();
    },
  };
  const instance = () =>
    createAppendFact({
      audit: audit as AuditLog,
      clock: { now: () => NOW },
      secrets: {
        sha256: (text) => `hash of ${text}`,
        randomHex: () => '',
        randomBase64: () => '',
        sign: () => '',
        verify: () => false,
      },
    });
  return { asked, lines, instance };
}

test('an instance reads the end of the log once, and appends each line at its first attempt', async () => {
  const { asked, instance } = givenLog();
  await instance()(FACT);
  asked.splice(0);

  const append = instance();
  await append(FACT);
  await append(FACT);
  expect(asked).toEqual(['head', 'append', 'append']);
});

test('an instance that another one overtook appends at its second attempt', async () => {
  const { asked, lines, instance } = givenLog();
  const [one, other] = [instance(), instance()];
  await one(FACT);
  await other(FACT);
  asked.splice(0);

  expect(await one(FACT)).toMatchObject({ sequence: 3, previousHash: lines[1]?.hash });
  expect(asked).toEqual(['append', 'append']);
});
