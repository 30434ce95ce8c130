import type { NewRole, User } from '@countersign/domain/staff';
import { type Operations, operationsOf } from '@countersign/test-support/service/operations';
import { givenService, type Service } from '@countersign/test-support/service/service';
import {
  auditSummary,
  givenStaff,
  givenTeam,
  linesOf,
  operationsAs,
  type Team,
} from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it } from 'vitest';

const withCode = (code: string) => expect.objectContaining({ code });
const UNKNOWN = '00000000-0000-7000-8000-00000000ffff';
const NO_IDS = [UNKNOWN, '', '\u0000', '\ud800', '../x', 'a'.repeat(5_000), "' OR 1=1 --"];

let service: Service;
let operator: User;
let team: Team;
let acting: Operations;
let commandLine: Operations;

beforeEach(async () => {
  service = givenService();
  operator = await givenStaff(service, { role: 'operator' });
  team = await givenTeam(service);
  acting = operationsAs(service, operator);
  commandLine = operationsOf(service.countersign.as({ kind: 'command_line' }));
});

const ADDRESSES = ['https://shop.example/kyc'];

describe('clients', () => {
  it('createClient, changeSubscription, setReturnAddresses: each line records what was set', async () => {
    const { clients } = acting;
    const { client } = await clients.create({ name: 'Globex', plan: 'none' });
    const endsAt = new Date('2027-01-01T00:00:00.000Z');
    await clients.setSubscription(client.id, {
      plan: 'enterprise',
      planLimit: true,
      endsAt: endsAt.toISOString(),
    });
    await clients.setReturnAddresses(client.id, ADDRESSES);

    expect(await clients.get(client.id)).toMatchObject({
      client: { name: 'Globex', returnAddresses: ADDRESSES },
      subscription: { plan: 'enterprise', monthlyLimit: null, endsAt },
    });
    const about = { clientId: client.id, targetId: client.id, outcome: 'allowed' };
    expect(await linesOf(service)).toMatchObject([
      { action: 'clients.create', clientId: null, targetId: null, detail: { plan: 'none' } },
      { action: 'clients.create', ...about, detail: { of: 1 } },
      {
        action: 'clients.change_subscription',
        ...about,
        detail: { plan: 'enterprise', planLimit: true, endsAt: '2027-01-01T00:00:00.000Z' },
      },
      { action: 'clients.set_return_addresses', ...about, detail: { origins: ['https://shop.example'] } },
    ]);
    expect(JSON.stringify(await linesOf(service))).not.toContain('Globex');
  });

  it('clients: an unknown client is not found, and nothing changes', async () => {
    const before = await service.countersign.clients.list();
    const { clients } = acting;
    for (const id of NO_IDS) {
      await expect(clients.get(id)).rejects.toEqual(withCode('CLIENT_NOT_FOUND'));
      await expect(clients.usage(id)).rejects.toEqual(withCode('CLIENT_NOT_FOUND'));
      await expect(clients.setSubscription(id, { plan: 'standard' })).rejects.toEqual(
        withCode('CLIENT_NOT_FOUND'),
      );
      await expect(clients.setReturnAddresses(id, ADDRESSES)).rejects.toEqual(withCode('CLIENT_NOT_FOUND'));
      await service.countersign.summariseRefusals();
    }
    expect(await service.countersign.clients.list()).toEqual(before);
    const refused = (await auditSummary(service)).filter((line) => line.endsWith('refused CLIENT_NOT_FOUND'));
    expect(refused).toHaveLength(4 * NO_IDS.length);
  });

  it('clients.usage: the usage of any client this month', async () => {
    await expect(acting.clients.usage(team.clientId)).resolves.toMatchObject({
      used: 0,
      state: 'open',
    });
    expect(await linesOf(service)).toEqual([]);
  });
});

describe('users', () => {
  const users = () => acting.users;

  it('users: created, invited, changed and removed, each with a line that names their client', async () => {
    const { user } = await users().create({ email: 'ada@example.com', role: 'client', clientId: team.clientId });
    await users().invite(user.id);
    await users().changeRole(user.id, { role: 'client', teamRole: 'viewer' });
    await users().resetSecondFactor(user.id);
    await users().remove(user.id, user.email);

    const lines = await linesOf(service);
    expect(lines.map(({ action, clientId, targetId }) => [action, clientId, targetId])).toEqual([
      ['users.create', team.clientId, null],
      ['users.create', team.clientId, user.id],
      ['users.invite', team.clientId, user.id],
      ['users.change_role', team.clientId, user.id],
      ['users.reset_second_factor', team.clientId, user.id],
      ['users.remove', team.clientId, user.id],
    ]);
    expect(lines[3]?.detail).toEqual({ role: 'client', teamRole: 'viewer' });
    expect(JSON.stringify(lines)).not.toContain('ada');
  });

  it('users.changeRole and remove: an operator may leave a team without an owner', async () => {
    await users().remove(team.owner.id, team.owner.email);
    expect(await service.staff.find(team.owner.id)).toBeNull();
  });

  it.each<[string, string, (all: ReturnType<typeof users>) => Promise<unknown>]>([
    [
      'an unknown role',
      'INVALID_PARAMETERS',
      (all) => all.changeRole(team.agent.id, { role: 'admin' } as unknown as NewRole),
    ],
    [
      'a role without its team role',
      'INVALID_PARAMETERS',
      (all) => all.changeRole(team.agent.id, { role: 'client' } as NewRole),
    ],
    [
      "a client's staff as operator",
      'INVALID_PARAMETERS',
      (all) => all.changeRole(team.agent.id, { role: 'operator' }),
    ],
    [
      'a client that is none',
      'CLIENT_NOT_FOUND',
      (all) => all.create({ email: 'a@b.example', role: 'client', clientId: UNKNOWN }),
    ],
    ['an e-mail that is none', 'INVALID_PARAMETERS', (all) => all.create({ email: 'a', role: 'reviewer' })],
    ['an e-mail that is taken', 'USER_EXISTS', (all) => all.create({ email: team.agent.email, role: 'reviewer' })],
    ['the own role', 'OWN_ACCOUNT', (all) => all.changeRole(operator.id, { role: 'reviewer' })],
    ['oneself', 'OWN_ACCOUNT', (all) => all.remove(operator.id)],
    [
      'removing a user by the e-mail of another',
      'INVALID_PARAMETERS',
      (all) => all.remove(team.agent.id, team.owner.email),
    ],
    ['a link for a password of their own', 'OWN_ACCOUNT', (all) => all.invite(operator.id)],
    ['the own second factor', 'OWN_ACCOUNT', (all) => all.resetSecondFactor(operator.id)],
  ])('%s: %s, and nothing changes', async (_, code, call) => {
    const before = await service.staff.list();
    await expect(call(users())).rejects.toEqual(withCode(code));
    expect(await service.staff.list()).toEqual(before);
    expect((await linesOf(service)).at(-1)).toMatchObject({ outcome: 'refused', detail: { code } });
  });

  it('users: an unknown user is not found', async () => {
    const before = await service.staff.list();
    for (const id of NO_IDS) {
      for (const call of [
        users().get(id),
        users().invite(id),
        users().changeRole(id, { role: 'reviewer' }),
        users().resetSecondFactor(id),
        users().remove(id),
      ]) {
        await expect(call).rejects.toEqual(withCode('USER_NOT_FOUND'));
      }
    }
    expect(await service.staff.list()).toEqual(before);
  });

  it('users: without the port `staff` each action fails and leaves a failed line', async () => {
    const bare = givenService({ storage: service.storage, staff: undefined });
    const administration = operationsOf(bare.countersign.as({ kind: 'command_line' }));
    await expect(administration.users.create({ email: 'a@b.example', role: 'reviewer' })).rejects.toThrow('staff');
    expect(await auditSummary(service)).toEqual(['users.create allowed', 'users.create failed INTERNAL_ERROR']);
  });
});

describe('keys and verifications of a client', () => {
  it('clientKeys.issue: createdBy is the operator, and null for the command line', async () => {
    const byOperator = await acting.clientKeys.issue(team.clientId, { permissions: ['*'] });
    const byCommand = await commandLine.clientKeys.issue(team.clientId, { permissions: ['*'] });
    expect([byOperator.key.createdBy, byCommand.key.createdBy]).toEqual([operator.id, null]);
    await commandLine.clientKeys.revoke(team.clientId, byOperator.key.id);
    expect((await linesOf(service)).at(-1)).toMatchObject({
      action: 'clients.revoke_api_key',
      clientId: team.clientId,
      targetId: byOperator.key.id,
    });
  });

  it('clientKeys.issueFirst: creates a key only while the client has no active one', async () => {
    const { clientKeys } = acting;
    const first = await clientKeys.issueFirst(team.clientId, { permissions: ['*'], expiresInDays: 30 });
    const second = () => clientKeys.issueFirst(team.clientId, { permissions: ['*'] });
    await expect(second()).rejects.toEqual(withCode('API_KEY_EXISTS'));
    expect((await clientKeys.list(team.clientId)).keys).toHaveLength(1);
    expect((await linesOf(service)).at(-1)).toMatchObject({
      action: 'clients.create_first_api_key',
      clientId: team.clientId,
      outcome: 'refused',
      detail: { code: 'API_KEY_EXISTS' },
    });
    await clientKeys.revoke(team.clientId, first.key.id);
    expect((await second()).key.createdBy).toBe(operator.id);
  });

  it('clientKeys.issueFirst: of two operators at once, one creates the key and the other is refused', async () => {
    const issueFirst = () => acting.clientKeys.issueFirst(team.clientId, { permissions: ['*'] });
    const outcomes = await Promise.allSettled([issueFirst(), issueFirst()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'API_KEY_EXISTS' },
    });
    expect((await acting.clientKeys.list(team.clientId)).keys).toHaveLength(1);
  });

  it('withdraw: the history names the operator', async () => {
    const { verifications } = operationsAs(service, team.agent);
    const { id } = await verifications.create({ subjectType: 'kyc', subjectReference: 'user_1' });
    await acting.verifications.renewLink(id);
    await acting.verifications.withdraw(id);
    const found = await service.storage.verifications.findWithEventsForAnyClient(id, 100);
    expect(found?.events.map(({ actor }) => actor)).toEqual([
      { kind: 'team_member', id: team.agent.id },
      { kind: 'operator', id: operator.id },
      { kind: 'operator', id: operator.id },
    ]);
    expect((await linesOf(service)).slice(2)).toMatchObject([
      { action: 'verifications.renew_link', clientId: team.clientId, targetId: id },
      { action: 'verifications.withdraw', clientId: team.clientId, targetId: id },
    ]);
    for (const none of NO_IDS) {
      await expect(acting.verifications.withdraw(none)).rejects.toEqual(withCode('VERIFICATION_NOT_FOUND'));
    }
  });
});

describe('the audit log', () => {
  it('listAudit: newest first, 50 lines a page, with filters', async () => {
    const { verifications } = operationsAs(service, team.agent);
    for (let n = 0; n < 60; n += 1) await verifications.export({});
    await acting.clients.setReturnAddresses(team.clientId, ADDRESSES);

    const first = await acting.audit.list({});
    expect([first.entries.length, first.entries[0]?.sequence, first.next]).toEqual([50, 61, 12]);
    const second = await acting.audit.list({ before: 12 });
    expect([second.entries.length, second.entries.at(-1)?.sequence, second.next]).toEqual([11, 1, null]);

    const sequences = async (request: Parameters<typeof acting.audit.list>[0]) =>
      (await acting.audit.list(request)).entries.map(({ sequence }) => sequence);
    expect(await sequences({ actorId: operator.id })).toEqual([61]);
    expect(await sequences({ action: 'clients.set_return_addresses', clientId: team.clientId })).toEqual([61]);
    expect(await sequences({ outcome: 'failed' })).toEqual([]);
    expect(await linesOf(service)).toHaveLength(61);
  });

  it.each([
    { actorId: '' },
    { actorId: '\u0000' },
    { clientId: 'a'.repeat(101) },
    { action: 'steal' },
    { outcome: 'maybe' },
    { before: 0 },
    { before: 1.5 },
    { after: 1 },
  ])('listAudit refuses %j', async (request) => {
    await expect(acting.audit.list(request as never)).rejects.toEqual(withCode('INVALID_PARAMETERS'));
    expect(await auditSummary(service)).toEqual(['audit.list refused INVALID_PARAMETERS']);
  });
});
