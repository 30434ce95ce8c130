import {
  ACTIONS,
  type Action,
  type Caller,
  isCountersignError,
  issueApiKey,
  listApiKeys,
} from '@countersign/domain';
import { givenService, type Service } from '@countersign/test-support/service/service';
import { ADDRESS, givenStaff, givenTeam, linesOf, signedIn } from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it } from 'vitest';

const ID = '00000000-0000-7000-8000-00000000ffff';

const everyone = ['owner', 'agent', 'viewer', 'reviewer', 'operator', 'command line', 'anonymous'] as const;
type Who = (typeof everyone)[number];

const team: Who[] = ['owner', 'agent', 'viewer'];
const agents: Who[] = ['owner', 'agent'];
const owners: Who[] = ['owner'];
const reviewers: Who[] = ['reviewer', 'operator'];
const operators: Who[] = ['operator', 'command line'];

const key = { name: 'shop', permissions: ['*'] };
const onVerification = { verificationId: ID };
const seen = { verificationId: ID, version: 1 };
const onUser = { userId: ID };
const onClient = { clientId: ID };

/** The callers of each action, repeated on purpose, with an input that its fields accept. */
const RIGHTS: Readonly<Record<string, readonly [who: readonly Who[], input: object]>> = {
  'api_keys.list': [owners, {}],
  'api_keys.get': [owners, { keyId: ID }],
  'api_keys.create': [owners, key],
  'api_keys.rotate': [owners, { keyId: ID }],
  'api_keys.revoke': [owners, { keyId: ID, name: 'shop' }],
  'verifications.list': [team, {}],
  'verifications.read': [team, onVerification],
  'verifications.create': [agents, { subjectType: 'kyc', subjectReference: 'user_1' }],
  'verifications.export': [agents, {}],
  'verifications.withdraw': [[...agents, ...operators], onVerification],
  'verifications.renew_link': [[...agents, ...operators], onVerification],
  'review.queue': [reviewers, {}],
  'review.clients': [reviewers, {}],
  'review.open': [reviewers, onVerification],
  'review.preview': [reviewers, onVerification],
  'review.read_file': [reviewers, { ...onVerification, fileId: ID }],
  'review.claim': [reviewers, seen],
  'review.release': [reviewers, seen],
  'review.note': [reviewers, { ...seen, text: 'seen' }],
  'review.approve': [reviewers, seen],
  'review.reject': [reviewers, { ...seen, reasonCodes: ['document_glare'] }],
  'review.ask_for_action': [reviewers, { ...seen, items: [{ step: 'document', reasonCode: 'document_glare' }] }],
  'team.list': [team, {}],
  'team.invite': [owners, { email: 'a@b.example', teamRole: 'viewer' }],
  'team.renew_invitation': [owners, onUser],
  'team.change_role': [owners, { ...onUser, teamRole: 'viewer' }],
  'team.remove': [owners, onUser],
  'dashboard.client': [team, {}],
  'dashboard.usage': [team, {}],
  'dashboard.month': [team, {}],
  'clients.list': [operators, {}],
  'clients.get': [operators, onClient],
  'clients.usage': [operators, onClient],
  'clients.month': [operators, onClient],
  'clients.create': [operators, { name: 'A', plan: 'none' }],
  'clients.change_subscription': [operators, onClient],
  'clients.switch_sandbox': [operators, { ...onClient, sandbox: true }],
  'clients.list_api_keys': [operators, onClient],
  'clients.create_api_key': [operators, { ...onClient, ...key }],
  'clients.revoke_api_key': [operators, { ...onClient, keyId: ID }],
  'users.list': [operators, {}],
  'users.get': [operators, onUser],
  'users.create': [operators, { email: 'a@b.example', role: 'reviewer' }],
  'users.invite': [operators, onUser],
  'users.change_role': [operators, { ...onUser, role: 'operator' }],
  'users.reset_second_factor': [operators, onUser],
  'users.remove': [operators, { ...onUser, email: 'a@b.example' }],
  'audit.list': [operators, {}],
};

const NOBODY: readonly [who: readonly Who[], input: object] = [[], {}];

let service: Service;
let callers: Record<Who, Caller>;

beforeEach(async () => {
  service = givenService();
  const { owner, agent, viewer } = await givenTeam(service);
  callers = {
    owner: signedIn(service, owner),
    agent: signedIn(service, agent),
    viewer: signedIn(service, viewer),
    reviewer: signedIn(service, await givenStaff(service, { role: 'reviewer' })),
    operator: signedIn(service, await givenStaff(service, { role: 'operator' })),
    anonymous: { kind: 'anonymous', from: ADDRESS },
    'command line': { kind: 'command_line' },
  };
});

it('names every action', () => {
  expect(Object.keys(RIGHTS).sort()).toEqual(ACTIONS.map(({ id }) => id).sort());
});

describe.each(everyone)('%s', (who) => {
  it('may run the actions of the role, and is refused every other one with one line each', async () => {
    const as = service.countersign.as(callers[who]);
    for (const action of ACTIONS as readonly Action<never, unknown>[]) {
      const [allowed, input] = RIGHTS[action.id] ?? NOBODY;
      const { length } = await linesOf(service);
      const before = await contentOf(service);
      const code = await as.runUnchecked(action, input).then(
        () => 'done',
        (error: unknown) => (isCountersignError(error) ? error.code : String(error)),
      );
      expect([action.id, as.may(action)]).toEqual([action.id, allowed.includes(who) ? 'yes' : 'no']);
      if (allowed.includes(who)) {
        expect([action.id, code]).not.toEqual([action.id, 'NOT_ALLOWED']);
        expect(['done', ...action.outcomes]).toContain(code);
        continue;
      }
      expect([action.id, code]).toEqual([action.id, 'NOT_ALLOWED']);
      expect(await contentOf(service)).toEqual(before);
      const [line, ...more] = (await linesOf(service)).slice(length);
      expect([line, more]).toMatchObject([{ action: action.id, outcome: 'refused', detail: { code } }, []]);
      expect(line?.actor.kind).toBe(KINDS[who]);
      await service.countersign.summariseRefusals();
    }
  });
});

const KINDS: Record<Who, string> = {
  owner: 'team_member',
  agent: 'team_member',
  viewer: 'team_member',
  reviewer: 'reviewer',
  operator: 'operator',
  'command line': 'operator',
  anonymous: 'anonymous',
};

it('gives no right to an account whose role and team role contradict', async () => {
  const { owner } = await givenTeam(service);
  for (const broken of [{ clientId: null }, { teamRole: null }, { role: 'reviewer' } as const]) {
    const as = service.countersign.as(signedIn(service, { ...owner, ...broken }));
    await expect(as.run(listApiKeys, {})).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    expect(as.may(issueApiKey)).toBe('no');
  }
});

async function contentOf({ staff, countersign }: Service): Promise<unknown> {
  const clients = await countersign.clients.list();
  const keys = await Promise.all(clients.map(({ client }) => countersign.apiKeys.list(client.id)));
  return { clients, keys, staff: await staff.list() };
}
