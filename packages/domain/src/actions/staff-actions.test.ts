// What the actions of reviewers and operators pass on, and what the audit log keeps of them.
import { beforeEach, expect, test } from 'vitest';
import { actionsAs, OPERATOR, REVIEWER } from '../../test-support/actions.ts';
import { nothingRecorded, type RecordedActions } from '../../test-support/recorded-actions.ts';
import { NOW } from '../../test-support/verifications.ts';
import { DEFAULT_RETENTION } from '../retention/policy.ts';
import { readServiceState } from './operations.ts';
import { eraseVerificationData, setRetentionPolicy } from './retention.ts';
import { claimNextVerification, handOverVerification } from './review.ts';

let recorded: RecordedActions;
let calls: unknown[];

beforeEach(() => {
  [recorded, calls] = [nothingRecorded(), []];
});

const clientOfVerification = async () => 'client-1';

test('readServiceState: returns how the service runs, and null where it does not report that', async () => {
  const state = { version: '0.4.0', startedAt: NOW };
  const read = (serviceStatus: object | undefined) =>
    actionsAs(OPERATOR, recorded, { serviceStatus }).run(readServiceState, {});
  expect(await read({ read: async () => state })).toEqual(state);
  expect(await read(undefined)).toBeNull();
});

test.each([
  [{}, false],
  [{ withdraw: false }, false],
  [{ withdraw: true }, true],
])('eraseVerificationData: with %j, an open verification is withdrawn: %s', async (options, withdraw) => {
  const erase = async (...call: unknown[]) => void calls.push(call);
  const { run } = actionsAs(OPERATOR, recorded, { retention: { erase }, clientOfVerification });
  await run(eraseVerificationData, { verificationId: 'v1', ...options });
  const actor = { kind: 'operator', id: 'ola' };
  expect(calls).toEqual([[{ clientId: 'client-1', verificationId: 'v1', actor }, { withdraw }]]);
});

test('setRetentionPolicy: the audit log keeps the periods of a policy, or the return to the default', async () => {
  const setPolicy = async (...call: unknown[]) => void calls.push(call);
  const { run } = actionsAs(OPERATOR, recorded, { retention: { setPolicy } });
  await run(setRetentionPolicy, { clientId: 'client-1', ...DEFAULT_RETENTION });
  await run(setRetentionPolicy, { clientId: 'client-1', useDefault: true });
  expect(calls).toEqual([
    ['client-1', DEFAULT_RETENTION],
    ['client-1', null],
  ]);
  expect(recorded.ran.map(({ detail }) => detail)).toStrictEqual([DEFAULT_RETENTION, { useDefault: true }]);
});

test('setRetentionPolicy: a policy is refused that lacks a period, or has one beside the return to the default', async () => {
  const { run } = actionsAs(OPERATOR, recorded);
  const { rejected: _, ...without } = DEFAULT_RETENTION;
  const refused = (code: string) => ({ data: { issues: [{ path: 'rejected', code }] } });
  await expect(run(setRetentionPolicy, { clientId: 'client-1', ...without })).rejects.toMatchObject(
    refused('required'),
  );
  const both = { clientId: 'client-1', rejected: 'P6Y', useDefault: true };
  await expect(run(setRetentionPolicy, both)).rejects.toMatchObject(refused('unknown_field'));
});

test.each([
  [{ verificationId: 'v1', clientId: 'client-1' }, [{ targetId: 'v1', clientId: 'client-1' }]],
  [null, []],
])('claimNextVerification: of the claim %j, the audit log keeps %j', async (claimed, made) => {
  const { run } = actionsAs(REVIEWER, recorded, { review: { claimNext: async () => claimed } });
  expect(await run(claimNextVerification, {})).toEqual(claimed);
  expect(recorded.made).toEqual(made);
});

test('handOverVerification: the claim passes to the reviewer with the address', async () => {
  const rita = { id: 'rita', email: 'rita@example.org', role: 'reviewer', hasJoined: true };
  const { run } = actionsAs(REVIEWER, recorded, {
    staff: { search: async () => ({ users: [rita] }) },
    review: { handOver: async (...call: unknown[]) => void calls.push(call) },
    clientOfVerification,
  });
  const input = { verificationId: 'v1', version: 3, internalNote: 'Yours' };
  await run(handOverVerification, { ...input, email: 'Rita@example.org' });
  const context = { verificationId: 'v1', expectedVersion: 3, reviewerId: 'rita', internalNote: 'Yours' };
  expect(calls).toEqual([[context, 'rita']]);
});
