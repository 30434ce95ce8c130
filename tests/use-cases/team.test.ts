import { isCountersignError } from '@countersign/domain';
import type { TeamRole } from '@countersign/domain/staff';
import type { Operations } from '@countersign/test-support/service/operations';
import { givenService, outcomesOf, type Service } from '@countersign/test-support/service/service';
import {
  ADDRESS,
  auditSummary,
  givenStaff,
  givenTeam,
  linesOf,
  operationsAs,
  type Team,
} from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it } from 'vitest';

const withCode = (code: string) => expect.objectContaining({ code });

let service: Service;
let mine: Team;
let theirs: Team;
let owner: Operations;

beforeEach(async () => {
  service = givenService();
  mine = await givenTeam(service, 'Acme');
  theirs = await givenTeam(service, 'Globex');
  owner = operationsAs(service, mine.owner);
});

const newColleague = { email: 'ada@example.com', name: 'Ada', teamRole: 'agent' } as const;

describe('an owner', () => {
  it('renews an invitation three times an hour', async () => {
    const { user } = await owner.team.invite(newColleague);
    for (let n = 0; n < 3; n += 1)
      await expect(owner.team.renewInvitation(user.id)).resolves.toMatchObject({ user });

    const retryAt = new Date(service.clock.now().getTime() + 60 * 60 * 1_000).toISOString();
    const refused = { code: 'TOO_MANY_RENEWALS', data: { retryAt } };
    await expect(owner.team.renewInvitation(user.id)).rejects.toMatchObject(refused);
    expect((await linesOf(service)).at(-1)).toMatchObject({ outcome: 'refused', detail: { code: refused.code } });

    service.clock.advance(60 * 60 * 1_000);
    const laterOwner = operationsAs(service, mine.owner);
    await expect(laterOwner.team.renewInvitation(user.id)).resolves.toMatchObject({ user });
  });

  it('lists their own team only', async () => {
    const ids = (await owner.team.list()).map(({ id }) => id);
    expect(ids).toEqual([mine.owner.id, mine.agent.id, mine.viewer.id]);
  });

  it('invites a user into their own team; the line has no e-mail address', async () => {
    const { user, invitationPath } = await owner.team.invite(newColleague);
    expect(user).toMatchObject({ clientId: mine.clientId, role: 'client', teamRole: 'agent' });
    expect(invitationPath).toMatch(/^\//);

    const lines = await linesOf(service);
    expect(lines).toMatchObject([
      {
        sequence: 1,
        at: service.clock.now(),
        actor: { kind: 'team_member', id: mine.owner.id },
        from: ADDRESS,
        action: 'team.invite',
        outcome: 'allowed',
        clientId: mine.clientId,
        targetId: null,
        detail: { teamRole: 'agent' },
      },
      { action: 'team.invite', outcome: 'allowed', targetId: user.id, detail: { of: 1 } },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/ada|@|welcome/i);
  });

  it('an owner who invites an e-mail address that has an account elsewhere gets the same answer, with a link that sets no password', async () => {
    const before = await service.staff.list();
    const { invite } = owner.team;
    const elsewhere = await invite({ email: theirs.owner.email.toUpperCase(), name: 'Ada', teamRole: 'agent' });
    expect(await service.staff.list()).toEqual(before);
    expect(service.staff.userOfLink(elsewhere.invitationPath?.split('/').at(-1) ?? '')).toBeNull();
    expect(await service.staff.find(elsewhere.user.id)).toBeNull();
    expect(await operationsAs(service, theirs.owner).team.list()).toEqual(
      before.filter(({ clientId }) => clientId === theirs.clientId),
    );

    const fresh = await invite({ email: 'new@example.com', name: 'Ada', teamRole: 'agent' });
    const shown = ({ user, expiresAt, invitationPath }: typeof fresh) => ({
      user: { ...user, id: '', email: '' },
      expiresAt,
      path: invitationPath?.replace(/[^/]+$/, ''),
    });
    expect(shown(elsewhere)).toEqual(shown(fresh));
    expect(elsewhere.user.email).toBe(theirs.owner.email);
    // Operators see it in the audit log.
    expect((await linesOf(service))[1]).toMatchObject({
      outcome: 'allowed',
      clientId: mine.clientId,
      targetId: theirs.owner.id,
      detail: { code: 'USER_EXISTS' },
    });
  });

  it('sees an invited e-mail that has an account elsewhere like any other: in the list and by every action', async () => {
    const { list, invite, renewInvitation, changeRole, remove } = owner.team;
    const shown = async (email: string) => {
      const { user } = await invite({ email, name: 'Ada', teamRole: 'agent' });
      const entry = async () => ({ ...(await list()).find(({ id }) => id === user.id), id: '', email: '' });
      const invited = await entry();
      await expect(invite({ email, teamRole: 'agent' })).rejects.toEqual(withCode('USER_EXISTS'));
      const renewed = await renewInvitation(user.id);
      await changeRole(user.id, 'viewer');
      const changed = await entry();
      await remove(user.id);
      const codes = [];
      for (const each of [renewInvitation, remove, (id: string) => changeRole(id, 'agent')])
        codes.push(
          await each(user.id).catch((error: unknown) => (isCountersignError(error) ? error.code : error)),
        );
      return [
        invited,
        renewed.expiresAt,
        renewed.user.email === user.email,
        changed,
        codes,
        (await list()).length,
      ];
    };
    const elsewhere = await shown(theirs.owner.email);
    expect(elsewhere).toEqual(await shown('new@example.com'));
    expect(elsewhere[0]).toMatchObject({ name: 'Ada', teamRole: 'agent', hasJoined: false });
    expect(await service.staff.findByEmail(theirs.owner.email)).toEqual(theirs.owner);
  });

  it('sends at most a hundred invitations an hour, failed ones included', async () => {
    const { invite } = owner.team;
    for (let n = 0; n < 50; n += 1) await invite({ email: `new${n}@example.com`, teamRole: 'viewer' });
    for (let n = 0; n < 50; n += 1) {
      const known = { email: mine.agent.email, teamRole: 'viewer' } as const;
      await expect(invite(known)).rejects.toEqual(withCode('USER_EXISTS'));
    }
    await expect(invite(newColleague)).rejects.toEqual(withCode('RATE_LIMIT_EXCEEDED'));
    expect((await auditSummary(service)).at(-1)).toBe('team.invite refused RATE_LIMIT_EXCEEDED');
    // The other team has a limit of its own.
    await operationsAs(service, theirs.owner).team.invite(newColleague);
    service.clock.advance(60 * 60_000);
    await expect(
      operationsAs(service, mine.owner).team.invite({ ...newColleague, email: 'b@example.com' }),
    ).resolves.toBeDefined();
  });

  it('renews an unused invitation, and none of a user who has joined', async () => {
    const { user } = await owner.team.invite(newColleague);
    await expect(owner.team.renewInvitation(user.id)).resolves.toMatchObject({ user });
    service.staff.join(user.id);
    await expect(owner.team.renewInvitation(user.id)).rejects.toEqual(withCode('ALREADY_JOINED'));
  });

  it('gets no link for a user who joins at the same moment', async () => {
    const { staff, storage } = service;
    const invite = (userId: string) => {
      staff.join(userId);
      return staff.invite(userId);
    };
    const racing = givenService({ storage, staff: { ...staff, invite } });
    const { user } = await owner.team.invite(newColleague);
    const { team } = operationsAs(racing, mine.owner);
    await expect(team.renewInvitation(user.id)).rejects.toEqual(withCode('ALREADY_JOINED'));
  });

  it('changes roles and removes colleagues', async () => {
    await owner.team.changeRole(mine.viewer.id, 'agent');
    await owner.team.remove(mine.agent.id);
    const team = await owner.team.list();
    expect(team.map(({ id, teamRole }) => [id, teamRole])).toEqual([
      [mine.owner.id, 'owner'],
      [mine.viewer.id, 'agent'],
    ]);
    expect(await auditSummary(service)).toEqual(['team.change_role allowed', 'team.remove allowed']);
  });
});

describe('another client', () => {
  const operations: [string, (team: Operations['team'], id: string) => Promise<unknown>][] = [
    ['team.renew_invitation', (team, id) => team.renewInvitation(id)],
    ['team.change_role', (team, id) => team.changeRole(id, 'viewer')],
    ['team.remove', (team, id) => team.remove(id)],
  ];

  it.each(operations)(
    '%s finds none of 50 ids that are not of the team, and changes nothing',
    async (action, call) => {
      const foreign: string[] = [];
      for (let n = 0; n < 40; n += 1) {
        foreign.push(
          (await givenStaff(service, { role: 'client', clientId: theirs.clientId, teamRole: 'agent' })).id,
        );
      }
      foreign.push(
        (await givenStaff(service, { role: 'reviewer' })).id,
        (await givenStaff(service, { role: 'operator' })).id,
      );
      foreign.push(mine.clientId, '', 'null', '../x', '\u0000', '\ud800', 'a'.repeat(5_000), "' OR 1=1 --");
      const before = await service.staff.list();

      for (const id of foreign) await expect(call(owner.team, id)).rejects.toEqual(withCode('USER_NOT_FOUND'));

      expect(await service.staff.list()).toEqual(before);
      const refused = (await linesOf(service)).filter(({ outcome }) => outcome === 'refused');
      expect(refused).toHaveLength(50);
      for (const line of refused) expect(line).toMatchObject({ action, detail: { code: 'USER_NOT_FOUND' } });
      expect(refused.map(({ targetId }) => targetId)).toEqual(
        foreign.map((id) => (/^[\w.:|-]{1,64}$/.test(id) ? id : null)),
      );
      await expect(service.countersign.verifyAudit()).resolves.toMatchObject({ outcome: 'intact', entries: 100 });
    },
  );

  it('cannot be named in the fields of an invitation', async () => {
    const smuggled = { ...newColleague, clientId: theirs.clientId, role: 'operator' };
    await expect(owner.team.invite(smuggled)).rejects.toEqual(withCode('INVALID_PARAMETERS'));
    expect(await service.staff.findByEmail(newColleague.email)).toBeNull();
  });
});

describe('a rule refuses', () => {
  it.each<[string, string, (team: Operations['team']) => Promise<unknown>]>([
    ['an unknown role', 'INVALID_PARAMETERS', (team) => team.changeRole(mine.agent.id, 'admin' as TeamRole)],
    ['no role', 'INVALID_PARAMETERS', (team) => team.invite({ ...newColleague, teamRole: '' as TeamRole })],
    ['no e-mail', 'INVALID_PARAMETERS', (team) => team.invite({ ...newColleague, email: 'ada' })],
    [
      'an e-mail that is taken',
      'USER_EXISTS',
      (team) => team.invite({ ...newColleague, email: mine.agent.email }),
    ],
    ['oneself', 'OWN_ACCOUNT', (team) => team.remove(mine.owner.id)],
    ['the last owner', 'LAST_OWNER', (team) => team.changeRole(mine.owner.id, 'viewer')],
  ])('%s: %s, nothing changes, and a line says so', async (_, code, call) => {
    const before = await service.staff.list();
    await expect(call(owner.team)).rejects.toEqual(withCode(code));
    expect(await service.staff.list()).toEqual(before);
    expect((await linesOf(service)).at(-1)).toMatchObject({ outcome: 'refused', detail: { code } });
  });

  it('a bad role has an issue at its path', async () => {
    const refusal = await owner.team.changeRole(mine.agent.id, 'admin' as TeamRole).catch((error) => error);
    expect(isCountersignError(refusal, 'INVALID_PARAMETERS') && refusal.data?.issues).toMatchObject([
      { path: 'teamRole' },
    ]);
  });

  it('two owners who remove each other at the same time: one succeeds', async () => {
    const other = await givenStaff(service, { role: 'client', clientId: mine.clientId, teamRole: 'owner' });
    const outcomes = await outcomesOf([
      owner.team.remove(other.id),
      operationsAs(service, other).team.remove(mine.owner.id),
    ]);
    expect(outcomes).toEqual({ ok: 1, LAST_OWNER: 1 });
    const owners = (await service.staff.list({ clientId: mine.clientId })).filter(
      ({ teamRole }) => teamRole === 'owner',
    );
    expect(owners).toHaveLength(1);
  });

  it('a confirmed identity is not required of callers without the right', async () => {
    const operations = operationsAs(service, mine.agent, { confirmedSecondsAgo: null });
    await expect(operations.team.remove(mine.viewer.id)).rejects.toEqual(withCode('NOT_ALLOWED'));
  });
});
