import { type Caller, type Desks, isCountersignError } from '@countersign/domain';
import { ADDRESS, givenStaff, givenTeam, linesOf, signedIn } from '@countersign/test-support/service/desks';
import { givenService, type Service } from '@countersign/test-support/service/service';
import { beforeEach, describe, expect, it } from 'vitest';

const ID = '00000000-0000-7000-8000-00000000ffff';
const context = { verificationId: ID, expectedVersion: 1, reviewerId: 'somebody else' };

/** All that can be asked for, by its name, with the action that a line names and who may. */
type Case = [name: string, action: string, who: readonly Who[], ask: (desks: Desks) => Promise<unknown>];
const everybody = ['owner', 'agent', 'viewer', 'reviewer', 'operator', 'command line', 'nobody'] as const;
type Who = (typeof everybody)[number];

const team: Who[] = ['owner', 'agent', 'viewer'];
const agents: Who[] = ['owner', 'agent'];
const owners: Who[] = ['owner'];
const reviewers: Who[] = ['reviewer', 'operator'];
const operators: Who[] = ['operator', 'command line'];

const key = { name: 'desk', permissions: ['*'] } as const;

const cases: Case[] = [
  ['dashboard.client', 'page.request', team, (d) => d.dashboard.client()],
  ['dashboard.usage', 'page.request', team, (d) => d.dashboard.usage()],
  ['dashboard.keys.list', 'page.request', owners, (d) => d.dashboard.keys.list()],
  ['dashboard.keys.get', 'page.request', owners, (d) => d.dashboard.keys.get(ID)],
  ['dashboard.keys.issue', 'api_keys.create', owners, (d) => d.dashboard.keys.issue(key)],
  ['dashboard.keys.rotate', 'api_keys.rotate', owners, (d) => d.dashboard.keys.rotate(ID, {})],
  ['dashboard.keys.revoke', 'api_keys.revoke', owners, (d) => d.dashboard.keys.revoke(ID, 'desk')],
  ['dashboard.verifications.browse', 'page.request', team, (d) => d.dashboard.verifications.browse({})],
  ['dashboard.verifications.open', 'verifications.read', team, (d) => d.dashboard.verifications.open(ID)],
  ['dashboard.verifications.create', 'verifications.create', agents, (d) => d.dashboard.verifications.create({})],
  [
    'dashboard.verifications.withdraw',
    'verifications.withdraw',
    agents,
    (d) => d.dashboard.verifications.withdraw(ID),
  ],
  [
    'dashboard.verifications.renewLink',
    'verifications.renew_link',
    agents,
    (d) => d.dashboard.verifications.renewLink(ID),
  ],
  ['dashboard.verifications.export', 'verifications.export', agents, (d) => d.dashboard.verifications.export({})],
  ['dashboard.team.list', 'page.request', team, (d) => d.dashboard.team.list()],
  [
    'dashboard.team.invite',
    'team.invite',
    owners,
    (d) => d.dashboard.team.invite({ email: 'a@b.example', teamRole: 'viewer' }),
  ],
  ['dashboard.team.renewInvitation', 'team.renew_invitation', owners, (d) => d.dashboard.team.renewInvitation(ID)],
  ['dashboard.team.changeRole', 'team.change_role', owners, (d) => d.dashboard.team.changeRole(ID, 'viewer')],
  ['dashboard.team.remove', 'team.remove', owners, (d) => d.dashboard.team.remove(ID)],

  ['review.queue', 'page.request', reviewers, (d) => d.review.queue()],
  ['review.open', 'review.open', reviewers, (d) => d.review.open(ID)],
  ['review.readFile', 'review.read_file', reviewers, (d) => d.review.readFile(ID, ID)],
  ['review.claim', 'review.claim', reviewers, (d) => d.review.claim(context)],
  ['review.release', 'review.release', reviewers, (d) => d.review.release(context)],
  ['review.note', 'review.note', reviewers, (d) => d.review.note(context, 'seen')],
  ['review.approve', 'review.approve', reviewers, (d) => d.review.approve(context)],
  [
    'review.reject',
    'review.reject',
    reviewers,
    (d) => d.review.reject(context, { reasonCodes: ['document_glare'] }),
  ],
  [
    'review.askForAction',
    'review.ask_for_action',
    reviewers,
    (d) => d.review.askForAction(context, { items: [] }),
  ],

  ['administration.clients.list', 'page.request', operators, (d) => d.administration.clients.list()],
  ['administration.clients.get', 'page.request', operators, (d) => d.administration.clients.get(ID)],
  ['administration.clients.usage', 'page.request', operators, (d) => d.administration.clients.usage(ID)],
  [
    'administration.clients.create',
    'clients.create',
    operators,
    (d) => d.administration.clients.create({ name: 'A', plan: 'none' }),
  ],
  [
    'administration.clients.setSubscription',
    'clients.change_subscription',
    operators,
    (d) => d.administration.clients.setSubscription(ID, {}),
  ],
  [
    'administration.clients.setSandbox',
    'clients.switch_sandbox',
    operators,
    (d) => d.administration.clients.setSandbox(ID, true),
  ],
  ['administration.users.list', 'page.request', operators, (d) => d.administration.users.list()],
  ['administration.users.get', 'page.request', operators, (d) => d.administration.users.get(ID)],
  [
    'administration.users.create',
    'users.create',
    operators,
    (d) => d.administration.users.create({ email: 'a@b.example', role: 'reviewer' }),
  ],
  ['administration.users.invite', 'users.invite', operators, (d) => d.administration.users.invite(ID)],
  [
    'administration.users.changeRole',
    'users.change_role',
    operators,
    (d) => d.administration.users.changeRole(ID, { role: 'operator' }),
  ],
  [
    'administration.users.resetSecondFactor',
    'users.reset_second_factor',
    operators,
    (d) => d.administration.users.resetSecondFactor(ID),
  ],
  ['administration.users.remove', 'users.remove', operators, (d) => d.administration.users.remove(ID)],
  ['administration.keys.list', 'page.request', operators, (d) => d.administration.keys.list(ID)],
  ['administration.keys.issue', 'api_keys.create', operators, (d) => d.administration.keys.issue(ID, key)],
  ['administration.keys.revoke', 'api_keys.revoke', operators, (d) => d.administration.keys.revoke(ID, ID)],
  [
    'administration.verifications.withdraw',
    'verifications.withdraw',
    operators,
    (d) => d.administration.verifications.withdraw(ID),
  ],
  [
    'administration.verifications.renewLink',
    'verifications.renew_link',
    operators,
    (d) => d.administration.verifications.renewLink(ID),
  ],
  ['administration.audit.list', 'page.request', operators, (d) => d.administration.audit.list({})],
];

let service: Service;
let acting: Record<Who, Caller>;

beforeEach(async () => {
  service = givenService();
  const { owner, agent, viewer } = await givenTeam(service);
  acting = {
    owner: signedIn(service, owner),
    agent: signedIn(service, agent),
    viewer: signedIn(service, viewer),
    reviewer: signedIn(service, await givenStaff(service, { role: 'reviewer' })),
    operator: signedIn(service, await givenStaff(service, { role: 'operator' })),
    nobody: { kind: 'anonymous', from: ADDRESS },
    'command line': { kind: 'command_line' },
  };
});

it('covers every operation of every desk', () => {
  const { dashboard, review, administration } = service.countersign.actingAs(acting.owner);
  const named = operationsOf({ dashboard, review, administration }).filter((name) => name !== 'dashboard.may');
  expect(cases.map(([name]) => name).sort()).toEqual(named.sort());
});

describe.each(everybody)('%s', (who) => {
  it('may do what is for them, and is refused everything else with one line each', async () => {
    const desks = service.countersign.actingAs(acting[who]);
    for (const [name, action, allowed, ask] of cases) {
      const { length } = await linesOf(service);
      const before = await contentOf(service);
      const code = await ask(desks).then(
        () => 'done',
        (error: unknown) => (isCountersignError(error) ? error.code : String(error)),
      );
      if (allowed.includes(who)) {
        expect([name, code]).not.toEqual([name, 'NOT_ALLOWED']);
        expect(code).toMatch(/^(?:done|[A-Z_]+)$/);
        continue;
      }
      expect([name, code]).toEqual([name, 'NOT_ALLOWED']);
      expect(await contentOf(service)).toEqual(before);
      const [line, ...more] = (await linesOf(service)).slice(length);
      expect([line, more]).toMatchObject([{ action, outcome: 'refused', detail: { code } }, []]);
      expect(line?.actor.kind).toBe(KINDS[who]);
      if (action === 'page.request')
        expect(line?.detail.operation).toBe(name.replace(/^(?:dashboard|administration)\./, ''));
      service.clock.advance(10_000);
    }
  });
});

const KINDS: Record<Who, string> = {
  owner: 'client',
  agent: 'client',
  viewer: 'client',
  reviewer: 'reviewer',
  operator: 'operator',
  'command line': 'operator',
  nobody: 'nobody',
};

it('tells pages what their reader may', () => {
  const rights = ['manage_keys', 'manage_team', 'read_submitted_data', 'manage_verifications', 'export'] as const;
  const of = (who: Who) =>
    rights.filter((right) => service.countersign.actingAs(acting[who]).dashboard.may(right));
  expect(of('owner')).toEqual(rights);
  expect(of('agent')).toEqual(['read_submitted_data', 'manage_verifications', 'export']);
  for (const who of everybody.slice(2)) expect(of(who)).toEqual([]);
});

it('gives nothing where an account contradicts itself', async () => {
  const { owner } = await givenTeam(service);
  for (const broken of [{ clientId: null }, { teamRole: null }, { role: 'reviewer' } as const]) {
    const desks = service.countersign.actingAs(signedIn(service, { ...owner, ...broken }));
    await expect(desks.dashboard.keys.list()).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    expect(desks.dashboard.may('export')).toBe(false);
  }
});

function operationsOf(desk: object): string[] {
  return Object.entries(desk).flatMap(([name, value]) =>
    typeof value === 'function' ? [name] : operationsOf(value as object).map((inner) => `${name}.${inner}`),
  );
}

async function contentOf({ staff, countersign }: Service): Promise<unknown> {
  const clients = await countersign.clients.list();
  const keys = await Promise.all(clients.map(({ client }) => countersign.apiKeys.list(client.id)));
  return { clients, keys, staff: await staff.list() };
}
