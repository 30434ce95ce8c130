import { expect, it } from 'vitest';
import { someFlowRules } from '../../test-support/flow-rules.ts';
import { pending } from '../../test-support/verifications.ts';
import { findWithRules } from './find-with-rules.ts';
import { toRecord } from './verification-record.ts';

const RECORD = toRecord(pending());

it('findWithRules reads the rules of the client with each read of the verification', async () => {
  let minimumAge = 18;
  const asked: unknown[] = [];
  const { find, rules } = findWithRules(
    async () => RECORD,
    async (client) => {
      asked.push(client);
      return someFlowRules({ minimumAge });
    },
  );
  expect(await find()).toBe(RECORD);
  expect(rules().minimumAge).toBe(18);
  minimumAge = 21;
  await find();
  expect(rules().minimumAge).toBe(21);
  expect(asked).toEqual(['client-1', 'client-1']);
});

it('findWithRules has no rules before the first read, and none of a verification that is missing', async () => {
  const { find, rules } = findWithRules(
    async () => null,
    async () => expect.fail('No client to read the rules of'),
  );
  expect(rules).toThrow('not read yet');
  expect(await find()).toBeNull();
  expect(rules).toThrow('not read yet');
});
