import { expect, test } from 'vitest';
import { FACT } from '../../test-support/audit-chain.ts';
import { portWith } from '../../test-support/port-with.ts';
import { NOW } from '../../test-support/verifications.ts';
import { createAppendFact } from './append-fact.ts';
import type { AuditEntry } from './audit-entry.ts';
import { APPENDED_AT_ONCE, type AuditLog } from './audit-log.ts';

/** A log with the operations that an instance asked for. */
function givenLog() {
  const lines: AuditEntry[] = [];
  const asked: string[] = [];
  let hashes = 0;
  const last = () => lines.at(-1) ?? null;
  const audit: Pick<AuditLog, 'append' | 'head'> = {
    async append(...entries) {
      asked.push('append');
      if (entries[0].sequence !== lines.length + 1) return { outcome: 'not_next', head: last() };
      lines.push(...entries);
      return { outcome: 'appended' };
    },
    async head() {
      asked.push('head');
      return last();
    },
  };
  const instance = () =>
    createAppendFact({
      audit: portWith<AuditLog>(audit),
      clock: { now: () => NOW },
      secrets: {
        sha256: () => {
          hashes += 1;
          return `hash ${hashes}`;
        },
        randomHex: () => '',
        randomBase64: () => '',
        sign: () => '',
        verify: () => false,
        label: () => '',
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

test('lines that arrive while another is written are appended together, in their order', async () => {
  const { asked, lines, instance } = givenLog();
  const append = instance();
  const targets = Array.from({ length: APPENDED_AT_ONCE + 2 }, (_, n) => `target-${n}`);

  const entries = await Promise.all(targets.map((targetId) => append({ ...FACT, targetId })));

  expect(asked).toEqual(['head', 'append', 'append', 'append']);
  expect(lines).toEqual(entries);
  expect(lines.map(({ targetId }) => targetId)).toEqual(targets);
  for (const [index, { sequence, previousHash }] of lines.slice(1).entries()) {
    expect({ sequence, previousHash }).toEqual({ sequence: index + 2, previousHash: lines[index]?.hash });
  }
});

test('several lines of an instance that another one overtook follow its line', async () => {
  const { asked, lines, instance } = givenLog();
  const [one, other] = [instance(), instance()];
  await one(FACT);
  await other(FACT);
  asked.splice(0);

  const entries = await Promise.all([one(FACT), one(FACT), one(FACT)]);

  expect(entries.map(({ sequence }) => sequence)).toEqual([3, 4, 5]);
  expect(lines).toHaveLength(5);
  expect(asked).toEqual(['append', 'append', 'append']);
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
