import { beforeEach, describe, expect, it, test } from 'vitest';
import { actionsAs, COMMAND_LINE, OPERATOR, OWNER, REVIEWER } from '../../test-support/actions.ts';
import { aClient } from '../../test-support/client.ts';
import { nothingRecorded, type RecordedActions } from '../../test-support/recorded-actions.ts';
import type { CountersignError } from '../errors.ts';
import { type ActionDefinition, defineAction } from './action.ts';
import { listAudit } from './audit.ts';
import { type Caller, callerContext, teamOf } from './caller.ts';
import { changeSubscription } from './clients.ts';
import { askForAction, findClients } from './review.ts';
import { isOneOf } from './rights.ts';
import { listUsers } from './users.ts';
import { createVerification, withdrawVerification } from './verifications.ts';

let recorded: RecordedActions;

beforeEach(() => {
  recorded = nothingRecorded();
});

const as = (caller: Caller, services?: object) => actionsAs(caller, recorded, services);

interface Input {
  readonly userId: string;
  readonly fileId?: string | undefined;
  readonly plan?: 'standard' | undefined;
}

const greet = (change: Partial<ActionDefinition<Input, string>> = {}) =>
  defineAction<Input, string>({
    id: 'users.greet',
    who: ['team', 'command_line'],
    fields: {
      userId: { kind: 'id' },
      fileId: { kind: 'id', optional: true },
      plan: { kind: 'choice', of: ['standard'], optional: true },
    },
    audit: { keep: ['fileId', 'plan'] },
    outcomes: [],
    run: async (_services, { userId }) => `hello ${userId}`,
    ...change,
  });

describe('the line of an action', () => {
  it('keeps what was given of the fields to keep, and nothing else', async () => {
    await as(COMMAND_LINE).run(greet(), { userId: 'u1' });
    await as(COMMAND_LINE).run(greet(), { userId: 'u1', fileId: 'f1', plan: 'standard' });
    await as(COMMAND_LINE).run(greet(), { userId: 'u1', fileId: 'ada@example.org' });
    expect(recorded.ran.map(({ detail }) => Object.entries(detail))).toEqual([
      [],
      [
        ['fileId', 'f1'],
        ['plan', 'standard'],
      ],
      [],
    ]);
  });

  it('names no target and no client unless the action has one', async () => {
    const input = { userId: 'u1', null: 'other' };
    await expect(as(COMMAND_LINE).runUnchecked(greet(), input)).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
    });
    expect(recorded.refused).toMatchObject([[{ targetId: null, clientId: null }, 'INVALID_PARAMETERS']]);
  });

  it('names the fields of a bad input, if there are any', async () => {
    const refusedInputs: object[] = [
      { userId: 'u1', extra: 1 },
      { plan: 'gold', extra: 1 },
    ];
    for (const input of refusedInputs) {
      await expect(as(COMMAND_LINE).runUnchecked(greet(), input)).rejects.toThrow();
    }
    expect(recorded.refused.map(([{ detail }]) => detail)).toEqual([{}, { fields: 'userId,plan' }]);
  });

  it('the line of an action has the client of a team, whatever the lookup finds', async () => {
    const action = greet({ audit: { target: 'userId', client: async () => 'client-9' } });
    expect(await as(OWNER).run(action, { userId: 'u1' })).toBe('hello u1');
    expect(recorded.ran).toMatchObject([{ clientId: 'client-1', targetId: 'u1' }]);
  });

  it('the line of an action whose target the lookup refuses is written after it: the action does not run', async () => {
    const lookUp = () => Promise.reject(new Error('no such user'));
    const action = greet({ audit: { target: 'userId', client: lookUp } });
    for (const caller of [OWNER, COMMAND_LINE]) {
      await expect(as(caller).run(action, { userId: 'u1' })).rejects.toThrow('no such user');
    }
    expect(recorded.ran).toEqual([]);
    expect(recorded.notDone.map(([attempt]) => attempt)).toMatchObject([
      { clientId: 'client-1', targetId: 'u1' },
      { clientId: null, targetId: 'u1' },
    ]);
  });

  it('the line of an action is not refused when a check of the input fails by itself', async () => {
    const fault = new Error('the table is gone');
    const check = () => {
      throw fault;
    };
    await expect(as(COMMAND_LINE).run(greet({ check }), { userId: 'u1' })).rejects.toBe(fault);
    expect(recorded.refused).toEqual([]);
  });

  it('the line of an action of a request that reached no action has the code given, or NOT_ALLOWED', async () => {
    const { recordRefusal } = as(OPERATOR);
    const about = { action: 'page.request', clientId: 'client-2', targetId: 'key-1' } as const;
    await recordRefusal({ ...about, detail: { code: 'FORGED_ORIGIN', path: '/admin' } });
    await recordRefusal({ ...about, detail: { code: 7 } });
    await as(OWNER).recordRefusal({ ...about, detail: {} });
    expect(recorded.refused).toMatchObject([
      [{ clientId: 'client-2', targetId: 'key-1', detail: { path: '/admin' } }, 'FORGED_ORIGIN'],
      [{ detail: {} }, 'NOT_ALLOWED'],
      [{ clientId: 'client-1' }, 'NOT_ALLOWED'],
    ]);
  });
});

test('an action of live mode alone runs for a caller without a team, who has no mode', async () => {
  expect(await as(COMMAND_LINE).run(greet({ liveOnly: true }), { userId: 'u1' })).toBe('hello u1');
});

test('isOneOf: an operator who is signed in and one at the command line are two groups', () => {
  const groups = ['operator', 'reviewer', 'command_line', 'team'] as const;
  const groupsOf = (caller: Caller) => groups.filter((group) => isOneOf([group], callerContext(caller)));
  expect([OPERATOR, REVIEWER, COMMAND_LINE, OWNER].map(groupsOf)).toEqual([
    ['operator'],
    ['reviewer'],
    ['command_line'],
    ['team'],
  ]);
  expect(groupsOf({ kind: 'anonymous', from: '192.0.2.1' })).toEqual([]);
});

test('teamOf: a caller without a team is not allowed', () => {
  expect(() => teamOf(callerContext(OPERATOR))).toThrow(expect.objectContaining({ code: 'NOT_ALLOWED' }));
  expect(teamOf(callerContext(OWNER))).toEqual({
    clientId: 'client-1',
    mode: 'live',
    userId: 'ann',
    teamRole: 'owner',
  });
});

test.each([
  [{}, {}],
  [{ planLimit: true }, { monthlyLimit: null }],
  [{ planLimit: false, monthlyLimit: 5 }, { monthlyLimit: 5 }],
  [{ openEnded: true }, { endsAt: null }],
  [{ openEnded: false }, {}],
  [{ endsAt: '2027-01-01T00:00:00.000Z' }, { endsAt: new Date('2027-01-01') }],
  [{ endsAt: '2027-01-01T00:00:00.000Z', openEnded: true }, { endsAt: null }],
])('changeSubscription: %j', async (input, change) => {
  const calls: unknown[] = [];
  const setSubscription = async (...call: unknown[]) => void calls.push(call);
  await as(OPERATOR, { clients: { setSubscription } }).run(changeSubscription, { clientId: 'client-1', ...input });
  expect(calls).toStrictEqual([['client-1', change]]);
});

test('listUsers: of one client, or of all', async () => {
  const calls: unknown[] = [];
  const staff = { list: async (...call: unknown[]) => void calls.push(call) };
  await as(OPERATOR, { staff }).run(listUsers, { clientId: 'client-1' });
  await as(OPERATOR, { staff }).run(listUsers, {});
  expect(calls).toStrictEqual([[{ clientId: 'client-1' }], [undefined]]);
});

test('findClients: gives ids and names alone, and whether there are more', async () => {
  const client = aClient();
  const page = { clients: [{ client, subscription: null }], total: { count: 1, isExact: true } };
  for (const next of [null, 'client-1']) {
    const clients = { search: async () => ({ ...page, next }) };
    expect(await as(REVIEWER, { clients }).run(findClients, { name: 'ac' })).toEqual({
      clients: [{ id: 'client-1', name: 'Acme' }],
      hasMore: next !== null,
    });
  }
});

test('askForAction: the line has each reason once', async () => {
  const review = { askForAction: async () => undefined };
  const reasons = ['selfie_unclear', 'document_glare', 'selfie_unclear'] as const;
  await as(REVIEWER, { review, clientOfVerification: async () => 'client-1' }).run(askForAction, {
    verificationId: 'v1',
    version: 1,
    items: reasons.map((reasonCode) => ({ step: 'selfie', reasonCode })),
  });
  expect(recorded.ran).toMatchObject([{ detail: { reasonCodes: ['document_glare', 'selfie_unclear'] } }]);
});

test('createVerification: metadata is JSON as text, or left out, and so is the e-mail address', async () => {
  const bodies: unknown[] = [];
  const create = async (body: unknown) => {
    bodies.push(body);
    return { id: 'v1' };
  };
  const { run } = as(OWNER, { verificationsOf: () => ({ create }) });
  const body = { subjectType: 'kyc', subjectReference: 'user_1' } as const;
  await run(createVerification, body);
  await run(createVerification, { ...body, metadata: '{"a":1}' });
  await run(createVerification, { ...body, email: 'erika@example.org' });
  const pathsOf = async (input: object) => {
    const error = await as(OWNER)
      .runUnchecked(createVerification, { ...body, ...input })
      .catch((fault) => fault as Error);
    return (error as CountersignError).data?.issues?.map(({ path }) => path);
  };
  expect(await pathsOf({ metadata: '{a:1}' })).toEqual(['metadata']);
  expect(await pathsOf({ metadata: '[]', subjectReference: 'x'.repeat(257) })).toEqual([
    'subjectReference',
    'metadata',
  ]);
  expect(await pathsOf({ metadata: '{a:1}', subjectType: 'person' })).toEqual(['subjectType', 'metadata']);
  expect(bodies).toStrictEqual([
    body,
    { ...body, metadata: { a: 1 } },
    { ...body, notify: { email: 'erika@example.org' } },
  ]);
});

test('withdrawVerification: one of an unknown client is not found', async () => {
  const { run } = as(OPERATOR, { clientOfVerification: async () => null, management: {} });
  await expect(run(withdrawVerification, { verificationId: 'v1' })).rejects.toMatchObject({
    code: 'VERIFICATION_NOT_FOUND',
  });
});

test('listAudit: 50 lines a page, and an action that has the form of one', async () => {
  const list = async ({ limit }: { limit: number }) =>
    Array.from({ length: Math.min(limit, total) }, (_, index) => ({ sequence: total - index }));
  let total = 50;
  const { run } = as(OPERATOR, { audit: { list } });
  expect((await run(listAudit, {})).next).toBeNull();
  total = 51;
  expect(await run(listAudit, {})).toMatchObject({ entries: { length: 50 }, next: 2 });
  await expect(run(listAudit, { action: 'create' })).rejects.toMatchObject({
    data: { issues: [{ path: 'action', code: 'invalid' }] },
  });
});
