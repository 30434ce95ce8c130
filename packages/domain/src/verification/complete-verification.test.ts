import { describe, expect, test } from 'vitest';
import { someFlowRules } from '../../test-support/flow-rules.ts';
import { portWith } from '../../test-support/port-with.ts';
import { pending } from '../../test-support/verifications.ts';
import { createCompleteVerification } from './complete-verification.ts';

type Ports = Parameters<typeof createCompleteVerification>[0];

const asks = { placeOfBirth: true, proofOfAddress: false };

/** The operations of a subject, where every move is made and changes nothing. */
const subject = () =>
  createCompleteVerification(
    portWith<Ports>({
      change: async () => pending(),
      readFlowRules: async (client) => (client === 'client-1' ? someFlowRules({ asks }) : someFlowRules()),
    }),
  );

const access = { verificationId: 'verification-1', linkVersion: 1 };
const refusal = { code: 'INVALID_PARAMETERS' };

test("asksOf: what the settings of the verification's client ask for", async () => {
  expect(await subject().asksOf({ clientId: 'client-1' })).toEqual(asks);
});

describe('the number of parts that a subject sends together', () => {
  const steps = (count: number) => Array.from({ length: count }, () => ({ step: 'consent', input: {} }));
  const draft = (count: number) => ({ step: 'consent', fields: Array<string>(count).fill('locale'), input: {} });

  test.each([1, 20])('completeSteps: %d steps are accepted', async (count) => {
    expect(await subject().completeSteps(access, steps(count))).toEqual(pending());
  });

  test.each([0, 21])('completeSteps: %d steps are refused', async (count) => {
    await expect(subject().completeSteps(access, steps(count))).rejects.toMatchObject(refusal);
  });

  test.each([1, 50])('saveDraft: %d fields are accepted', async (count) => {
    expect(await subject().saveDraft(access, draft(count))).toEqual(pending());
  });

  test.each([0, 51])('saveDraft: %d fields are refused', async (count) => {
    await expect(subject().saveDraft(access, draft(count))).rejects.toMatchObject(refusal);
  });
});
