import type { Caller } from '@countersign/domain';
import {
  type Action,
  changeUserRole,
  defineAction,
  issueApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '@countersign/domain/actions';
import { givenService, type Service } from '@countersign/test-support/service/service';
import {
  ADDRESS,
  auditSummary,
  givenTeam,
  linesOf,
  signedIn,
  type Team,
} from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it } from 'vitest';

const withCode = (code: string) => expect.objectContaining({ code });
const NEW_KEY = { name: 'shop', permissions: ['verifications:read'], expiresInDays: 30 } as const;
const ANONYMOUS: Caller = { kind: 'anonymous', from: ADDRESS };

let service: Service;
let team: Team;

beforeEach(async () => {
  service = givenService();
  team = await givenTeam(service);
});

const owner = (options?: { confirmedSecondsAgo: number | null }) =>
  service.countersign.as(signedIn(service, team.owner, options));
const viewer = () => service.countersign.as(signedIn(service, team.viewer));

describe('may', () => {
  it('yes for a caller with the right, no for a caller without it', () => {
    expect(owner().may(issueApiKey)).toBe('yes');
    expect(viewer().may(issueApiKey)).toBe('no');
    expect(service.countersign.as(ANONYMOUS).may(listApiKeys)).toBe('no');
    expect(service.countersign.as({ kind: 'command_line' }).may(listApiKeys)).toBe('no');
  });

  it('after_confirmation when the password was not confirmed recently', () => {
    const { may } = owner({ confirmedSecondsAgo: null });
    expect([may(issueApiKey), may(listApiKeys)]).toEqual(['after_confirmation', 'yes']);
  });
});

describe('run', () => {
  it('records an allowed action before it runs, and what it made after it', async () => {
    const { key } = await owner().run(issueApiKey, NEW_KEY);
    expect(await linesOf(service)).toMatchObject([
      {
        actor: { kind: 'team_member', id: team.owner.id },
        from: ADDRESS,
        action: 'api_keys.create',
        outcome: 'allowed',
        clientId: team.clientId,
        targetId: null,
        detail: { permissions: ['verifications:read'], expiresInDays: 30 },
      },
      { outcome: 'allowed', targetId: key.id, detail: { of: 1, display: key.display } },
    ]);
    expect(JSON.stringify(await linesOf(service))).not.toContain('shop');
  });

  it('records reading lists only when it is refused', async () => {
    await owner().run(listApiKeys, {});
    await expect(viewer().run(listApiKeys, {})).rejects.toEqual(withCode('NOT_ALLOWED'));
    expect(await auditSummary(service)).toEqual(['api_keys.list refused NOT_ALLOWED']);
  });

  it('records one line for a caller without the right, with what its fields accept of the input', async () => {
    const input = { permissions: ['*'], expiresInDays: 7, name: 'shop' };
    await expect(viewer().runUnchecked(issueApiKey, input)).rejects.toEqual(withCode('NOT_ALLOWED'));
    expect(await linesOf(service)).toMatchObject([
      { outcome: 'refused', detail: { code: 'NOT_ALLOWED', permissions: ['*'] } },
    ]);
    expect((await linesOf(service))[0]?.detail).not.toHaveProperty('expiresInDays');
  });

  it('records one line that names the fields of a bad input, and not what was typed', async () => {
    const input = { name: '', permissions: ['read everything'], extra: 1 };
    await expect(owner().runUnchecked(issueApiKey, input)).rejects.toEqual(withCode('INVALID_PARAMETERS'));
    expect(await linesOf(service)).toMatchObject([
      { outcome: 'refused', detail: { code: 'INVALID_PARAMETERS', fields: 'name,permissions' } },
    ]);
    expect(await service.countersign.apiKeys.list(team.clientId)).toEqual([]);
  });

  it('asks for the password again before an action that needs it, and records the refusal', async () => {
    const late = owner({ confirmedSecondsAgo: 600 });
    await expect(late.run(issueApiKey, NEW_KEY)).rejects.toEqual(withCode('CONFIRMATION_NEEDED'));
    expect(await auditSummary(service)).toEqual(['api_keys.create refused CONFIRMATION_NEEDED']);
  });

  it('records a rule that refuses a running action in a second line', async () => {
    const { key } = await owner().run(issueApiKey, NEW_KEY);
    await owner().run(revokeApiKey, { keyId: key.id, name: 'shop' });
    await expect(owner().run(rotateApiKey, { keyId: key.id })).rejects.toEqual(withCode('API_KEY_NOT_ACTIVE'));
    expect((await linesOf(service)).slice(-2)).toMatchObject([
      { action: 'api_keys.rotate', outcome: 'allowed', targetId: key.id },
      { action: 'api_keys.rotate', outcome: 'refused', targetId: key.id, detail: { code: 'API_KEY_NOT_ACTIVE' } },
    ]);
  });
});

describe('an action that looks up its client', () => {
  const lookUp = (client: () => Promise<string | null>): Action<{ readonly userId: string }, string> =>
    defineAction({
      id: 'users.greet',
      who: ['command_line'],
      fields: { userId: { kind: 'id', by: 'page' } },
      audit: { target: 'userId', client },
      outcomes: [],
      run: async (_services, { userId }) => `hello ${userId}`,
    });

  const commandLine = () => service.countersign.as({ kind: 'command_line' });

  it('an action that looks up its client is recorded with that client', async () => {
    const action = lookUp(async () => team.clientId);
    expect(await commandLine().run(action, { userId: 'u1' })).toBe('hello u1');
    expect(await linesOf(service)).toMatchObject([
      { clientId: team.clientId, targetId: 'u1', outcome: 'allowed' },
    ]);
  });

  it('an action that looks up its client is recorded with that client when its input is refused', async () => {
    const input = { userId: team.viewer.id, role: 'owner' };
    await expect(commandLine().runUnchecked(changeUserRole, input)).rejects.toEqual(
      withCode('INVALID_PARAMETERS'),
    );
    expect(await linesOf(service)).toMatchObject([
      { action: 'users.change_role', outcome: 'refused', clientId: team.clientId, targetId: team.viewer.id },
    ]);
  });

  it('looks up no client for a target that cannot be an id', async () => {
    const action = lookUp(() => Promise.reject(new Error('not called')));
    await expect(commandLine().runUnchecked(action, { userId: 'ada@example.com', name: 1 })).rejects.toEqual(
      withCode('INVALID_PARAMETERS'),
    );
    expect(await linesOf(service)).toMatchObject([{ outcome: 'refused', clientId: null, targetId: null }]);
  });
});
