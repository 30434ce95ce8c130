// Takes some seconds: each action runs in a service of its own.
import { type ErrorCode, isCountersignError } from '@countersign/domain';
import { ACTIONS, type Action, type ActionEntry } from '@countersign/domain/actions';
import { currentFlow, stepsOf } from '@countersign/domain/flows';
import { PART_NAMES } from '@countersign/domain/storage';
import { answerStep } from '@countersign/test-support/service/answers';
import { givenStaff, givenTeam, operationsAs, signedIn } from '@countersign/test-support/service/team';
import { expect, it } from 'vitest';
import { RIGHTS } from '../authorisation/rights-table.ts';
import { givenWithout } from './given-without.ts';

const KYC = { subjectType: 'kyc' } as const;

/** A core-only service with callers, and the ids of what it has, so that an action finds its target. */
async function givenWorld() {
  const service = givenWithout(PART_NAMES);
  const { countersign } = service;
  const { clientId, owner, agent, viewer } = await givenTeam(service);
  const [operator, reviewer, colleague] = [
    await givenStaff(service, { role: 'operator' }),
    await givenStaff(service, { role: 'reviewer' }),
    await givenStaff(service, { role: 'reviewer' }),
  ];
  const { key, value } = await countersign.apiKeys.issue(clientId, { name: 'shop', permissions: ['*'] });
  const principal = await countersign.authenticate(value);
  const create = (subjectReference: string) =>
    countersign.verifications.create(principal, { ...KYC, subjectReference });

  const { verification: pending } = await create('user_2');
  const { verification: submitted } = await create('user_3');
  const { access } = await countersign.subject.open(submitted.verificationUrl.split('/').at(-1) ?? '');
  for (const step of stepsOf(currentFlow('kyc'))) await answerStep(countersign, access, step);
  await countersign.subject.submit(access);
  const { review } = operationsAs(service, reviewer);
  const { version } = (await review.open(submitted.id)).verification;
  const claimed = await review.claim({ verificationId: submitted.id, version });

  const common = { clientId, clientIds: [clientId], keyId: key.id };
  /** What actions of reviewers, of operators on users, and of all others are about. */
  const targetsOf = ({ id }: ActionEntry): Readonly<Record<string, unknown>> => {
    const [area] = id.split('.');
    if (area === 'review')
      return { ...common, verificationId: submitted.id, version: claimed.version, email: colleague.email };
    if (area === 'users')
      return { userId: colleague.id, ...(id === 'users.remove' && { email: colleague.email }) };
    return { ...common, verificationId: pending.id, userId: viewer.id };
  };
  const callers = {
    owner: signedIn(service, owner),
    agent: signedIn(service, agent),
    viewer: signedIn(service, viewer),
    reviewer: signedIn(service, reviewer),
    operator: signedIn(service, operator),
    'command line': { kind: 'command_line' },
    anonymous: { kind: 'anonymous', from: '192.0.2.1' },
  } as const;
  return { countersign, callers, targetsOf };
}

/** Runs an action as the first caller that may, with the ids of the world. Returns `done`, or the code of the refusal. */
async function codeOf(action: Action<never, unknown>): Promise<string> {
  const { countersign, callers, targetsOf } = await givenWorld();
  const [[who] = [], example] = RIGHTS[action.id] ?? [[], {}];
  if (who === undefined) throw new Error('The table of rights names no caller');
  const targets = targetsOf(action);
  const input = Object.entries(example).map(([name, value]) => [name, targets[name] ?? value]);
  try {
    await countersign.as(callers[who]).runUnchecked(action, Object.fromEntries(input));
    return 'done';
  } catch (error) {
    if (isCountersignError(error)) return error.code;
    throw error;
  }
}

/** Actions without `needs` that a rule refuses in this world: what they ask for is missing, there already, or switched off. */
const REFUSED: Readonly<Record<string, ErrorCode>> = {
  'clients.create_first_api_key': 'API_KEY_EXISTS',
  'review.read_file': 'FILE_NOT_FOUND',
  'team.renew_invitation': 'ALREADY_JOINED',
  'verifications.export_data': 'FILES_SWITCHED_OFF',
  'verifications.read_file': 'FILES_SWITCHED_OFF',
};

const AREAS = Map.groupBy(ACTIONS, ({ id }) => id.split('.')[0]);

it.each([...AREAS])(
  'a core-only service runs the actions of %s, except those that need a part',
  async (_area, actions) => {
    const codes: [id: string, code: string][] = [];
    for (const action of actions) codes.push([action.id, await codeOf(action as Action<never, unknown>)]);

    const expected = actions.map(({ id, needs }) => [
      id,
      needs.length > 0 ? 'NOT_AVAILABLE' : (REFUSED[id] ?? 'done'),
    ]);
    expect(codes).toEqual(expected);
  },
);
