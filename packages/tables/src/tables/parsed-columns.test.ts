import { RETENTION_PERIODS } from '@countersign/domain/retention';
import { expect, test } from 'vitest';
import { clientRetention, clients } from '../index.ts';

const { parse } = clientRetention.columns.policy;
const policy = Object.fromEntries(RETENTION_PERIODS.map((period) => [period, 'P1Y']));

test('clientRetention: a stored policy has the known periods alone', () => {
  expect(parse({ ...policy, other: 'P2Y' })).toEqual(policy);
});

test.each(RETENTION_PERIODS)('clientRetention: a stored policy without %s is corrupt', (period) => {
  expect(() => parse({ ...policy, [period]: 1 })).toThrow(`policy has no ${period}`);
});

test('clients: a client is a test twin if it names the client of which it is one', () => {
  const { value } = clients.columns.sandbox;
  expect([null, 'client-1'].map((testOf) => value({ testOf } as never))).toEqual([false, true]);
});
