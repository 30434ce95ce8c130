import { MAX_ACTIVE_KEYS } from '@countersign/domain';
import {
  changeReturnAddresses,
  createUser,
  createWebhook,
  getOwnClient,
  inviteToTeam,
  issueApiKey,
  listApiKeys,
  listTeam,
  listVerifications,
  listWebhooks,
  readOwnMonth,
  readOwnRetentionPolicy,
  readRetentionReport,
  readVerification,
  revokeApiKey,
  switchFileAccess,
} from '@countersign/domain/actions';
import type { User } from '@countersign/domain/staff';
import { createMemoryMailer } from '@countersign/memory';
import { givenService, type Service } from '@countersign/test-support/service/service';
import { givenTeam, signedIn, type Team } from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it } from 'vitest';

const RECEIVED = {
  status: 204,
  verdict: 'accepted',
  retryAfterSeconds: null,
  text: '',
  fault: null,
  durationMs: 1,
} as const;
const refused = (code: string) => expect.objectContaining({ code }) as Error;

let service: Service;
let team: Team;

beforeEach(async () => {
  service = givenService({ webhookSender: { send: async () => RECEIVED } });
  team = await givenTeam(service);
});

const asUser = (user: User, mode: 'live' | 'test') => {
  const caller = signedIn(service, user);
  if (caller.kind !== 'user') throw new Error('not signed in');
  return service.countersign.as({ ...caller, mode });
};
const owner = (mode: 'live' | 'test') => asUser(team.owner, mode);
const KEY = { name: 'Shop', permissions: ['*'] } as const;

async function principalIn(mode: 'live' | 'test') {
  const { value } = await owner(mode).run(issueApiKey, { ...KEY, permissions: ['*'] });
  return service.countersign.authenticate(value, { countRequest: false });
}

const create = async (mode: 'live' | 'test', subjectReference: string, more: object = {}) => {
  const input = { subjectType: 'kyc', subjectReference, ...more };
  return (await service.countersign.verifications.create(await principalIn(mode), input)).verification;
};

describe('the test twin of a client', () => {
  it('the test twin of a client is created with its client, and found by it', async () => {
    const { clients } = service.countersign;
    const twin = await clients.testTwin(team.clientId);

    expect(twin).toMatchObject({ name: 'Acme', testOf: team.clientId });
    expect(await clients.testTwin(twin.id)).toEqual(twin);
    expect(await clients.list()).toEqual([expect.objectContaining({ test: twin })]);
    expect((await clients.search({}, 10)).clients).toHaveLength(1);
    expect((await clients.search({ name: twin.id }, 10)).clients[0]?.client.id).toBe(team.clientId);
  });

  it('the test twin of a client that an older version created is made when it is first needed', async () => {
    const { storage, countersign, clock } = service;
    const id = '00000000-0000-7000-8000-0000000000aa';
    const { client } = await countersign.clients.get(team.clientId);
    await storage.clients.create({ client: { ...client, id, createdAt: clock.now() }, subscription: null });
    expect((await countersign.clients.list()).map(({ test }) => test === null)).toEqual([false, true]);

    const twin = await countersign.clients.testTwin(id);

    expect(twin.testOf).toBe(id);
    expect((await countersign.clients.list()).at(-1)?.test).toEqual(twin);
  });

  it('an unknown client has none', async () => {
    await expect(service.countersign.clients.testTwin('unknown')).rejects.toThrow(refused('CLIENT_NOT_FOUND'));
  });

  it('takes no subscription: the refusal names its client', async () => {
    const { clients } = service.countersign;
    const { id } = await clients.testTwin(team.clientId);
    await expect(clients.setSubscription(id, { plan: 'standard' })).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      message: expect.stringContaining(team.clientId),
    });
  });

  it('a user created for it belongs to its client', async () => {
    const { id } = await service.countersign.clients.testTwin(team.clientId);
    const operator = service.countersign.as({ kind: 'command_line' });
    const { user } = await operator.run(createUser, { email: 'new@example.org', role: 'client', clientId: id });
    expect(user.clientId).toBe(team.clientId);
  });
});

it('a report of erasures has those of one mode, and names test mode', async () => {
  const { id } = await create('test', 'subject');
  await service.countersign.verifications.eraseData(await principalIn('test'), id, { withdraw: true });
  const twin = await service.countersign.clients.testTwin(team.clientId);
  const month = service.clock.now().toISOString().slice(0, 7);
  const commandLine = service.countersign.as({ kind: 'command_line' });

  const [live, test] = [
    await commandLine.run(readRetentionReport, { clientId: team.clientId, month }),
    await commandLine.run(readRetentionReport, { clientId: twin.id, month }),
  ];

  expect([live.client.name, live.total]).toEqual(['Acme', 0]);
  expect([test.client.name, test.total]).toEqual(['Acme (test)', 1]);
});

describe('a key of test mode', () => {
  it('a key of test mode has the format of any key, and says its mode', async () => {
    const { value } = await owner('test').run(issueApiKey, { ...KEY, permissions: ['*'] });
    expect(value).toMatch(/^csk_[0-9a-f]{64}$/);
    expect((await service.countersign.authenticate(value)).mode).toBe('test');
    expect((await principalIn('live')).mode).toBe('live');
  });

  it('a key of test mode has ten places beside those of live mode', async () => {
    for (const mode of ['live', 'test'] as const) {
      for (let n = 0; n < MAX_ACTIVE_KEYS; n += 1) await principalIn(mode);
      await expect(principalIn(mode)).rejects.toThrow(refused('API_KEY_LIMIT_REACHED'));
    }
  });

  it('creates without a subscription and without a monthly limit, and is counted', async () => {
    const { clients } = service.countersign;
    await clients.setSubscription(team.clientId, { status: 'canceled', monthlyLimit: 0 });
    const principal = await principalIn('test');
    for (let n = 0; n < 5; n += 1) {
      await service.countersign.verifications.create(principal, {
        subjectType: 'kyc',
        subjectReference: `user_${n}`,
      });
    }

    expect(await owner('test').run(readOwnMonth, {})).toMatchObject({ used: 5, allowance: null, state: 'open' });
    expect(await owner('live').run(readOwnMonth, {})).toMatchObject({ used: 0, state: 'no_active_subscription' });
    await expect(create('live', 'user_1')).rejects.toThrow(refused('NO_ACTIVE_SUBSCRIPTION'));
  });

  it('counts requests in a bucket of its own, at the rate of Standard', async () => {
    const { clients, rateLimits } = service.countersign;
    await clients.setSubscription(team.clientId, { plan: 'enterprise' });
    const live = await rateLimits.forClient(await principalIn('live'));
    const test = await rateLimits.forClient(await principalIn('test'));
    expect([live.limit, live.remaining]).toEqual([500, 499]);
    expect([test.limit, test.remaining]).toEqual([100, 99]);
  });
});

describe('a team in test mode', () => {
  it('sees what belongs to the twin, and nothing of live mode, and the reverse', async () => {
    const made = { live: await create('live', 'in live'), test: await create('test', 'in test') };
    for (const mode of ['live', 'test'] as const) {
      await owner(mode).run(createWebhook, {
        name: mode,
        url: `https://${mode}.example/`,
        types: ['verification.created'],
      });
    }

    for (const mode of ['live', 'test'] as const) {
      const { run } = owner(mode);
      const other = mode === 'live' ? 'test' : 'live';
      expect((await run(listVerifications, {})).items.map(({ id }) => id)).toEqual([made[mode].id]);
      expect((await run(listWebhooks, {})).endpoints.map(({ name }) => name)).toEqual([mode]);
      const { keys } = await run(listApiKeys, {});
      expect(keys).toHaveLength(1);
      await expect(run(readVerification, { verificationId: made[other].id })).rejects.toThrow(
        refused('VERIFICATION_NOT_FOUND'),
      );
      const ofOther = (await owner(other).run(listApiKeys, {})).keys[0]?.id ?? '';
      await expect(run(revokeApiKey, { keyId: ofOther, name: 'Shop' })).rejects.toThrow(
        refused('API_KEY_NOT_FOUND'),
      );
    }
  });

  it('a team in test mode of another client reaches neither the client nor its twin', async () => {
    const { id } = await create('test', 'user_1');
    const other = await givenTeam(service, 'Other');
    for (const mode of ['live', 'test'] as const) {
      const { run } = asUser(other.owner, mode);
      await expect(run(readVerification, { verificationId: id })).rejects.toThrow(
        refused('VERIFICATION_NOT_FOUND'),
      );
      expect((await run(listVerifications, {})).items).toEqual([]);
    }
  });

  it('a team in test mode cannot change what both share: team, retention, access to files', async () => {
    const { run, may } = owner('test');
    expect([listTeam, inviteToTeam, readOwnRetentionPolicy, switchFileAccess].map(may)).toEqual([
      'no',
      'no',
      'no',
      'no',
    ]);
    await expect(run(switchFileAccess, { fileAccess: true })).rejects.toThrow(refused('NOT_ALLOWED'));
    await expect(run(listTeam, {})).rejects.toThrow(refused('NOT_ALLOWED'));
    expect(owner('live').may(switchFileAccess)).toBe('yes');
  });

  it('a team in test mode has return addresses of its own', async () => {
    await owner('test').run(changeReturnAddresses, { returnAddresses: ['https://staging.example/'] });
    const addresses = async (mode: 'live' | 'test') =>
      (await owner(mode).run(getOwnClient, {})).client.returnAddresses;
    expect([await addresses('live'), await addresses('test')]).toEqual([[], ['https://staging.example/']]);
  });

  it('reads files while an owner has switched them on for the client', async () => {
    const { id: verificationId } = await create('test', 'user_1', { metadata: { sandboxOutcome: 'approved' } });
    while ((await service.countersign.sandbox.drive()).driven > 0);
    const mayRead = async () => (await owner('test').run(readVerification, { verificationId })).mayReadFiles;
    expect(await mayRead()).toBe(false);
    await owner('live').run(switchFileAccess, { fileAccess: true });
    expect(await mayRead()).toBe(true);
    await owner('live').run(switchFileAccess, { fileAccess: false });
    expect(await mayRead()).toBe(false);
  });

  it('leaves audit entries with the twin as their client', async () => {
    await principalIn('test');
    const { id } = await service.countersign.clients.testTwin(team.clientId);
    const entries = await service.storage.audit.read(0, 100);
    expect(entries.filter(({ action }) => action === 'api_keys.create').map(({ clientId }) => clientId)).toContain(
      id,
    );
  });

  it('finds the twin again after a read of the storage failed', async () => {
    const { clients } = service.storage;
    let isDown = true;
    const failing = {
      ...service.storage,
      clients: {
        ...clients,
        testTwin: async (...input: Parameters<typeof clients.testTwin>) => {
          if (isDown) throw new Error('the database is down');
          return clients.testTwin(...input);
        },
      },
    };
    const { countersign } = givenService({ storage: failing, staff: service.staff });
    const caller = signedIn(service, team.owner);
    const as = countersign.as(caller.kind === 'user' ? { ...caller, mode: 'test' } : caller);
    await expect(as.run(listVerifications, {})).rejects.toThrow('the database is down');
    await as.recordRefusal({ action: 'page.request', detail: { path: '/dashboard/test', reason: 'role' } });
    isDown = false;
    expect((await as.run(listVerifications, {})).items).toEqual([]);
  });
});

describe('mail of test mode', () => {
  it('reaches users of the client who have joined, and no other address', async () => {
    const mailer = createMemoryMailer();
    service = givenService({ mailer });
    team = await givenTeam(service);
    const other = await givenTeam(service, 'Other');
    const invited = { ...team.viewer, id: 'invited', email: 'invited@example.org' };
    service.staff.add(invited, { hasJoined: false });
    const addresses = ['ada@example.org', other.owner.email, invited.email, team.viewer.email.toUpperCase()];
    for (const [n, email] of addresses.entries()) {
      await create('test', `user_${n}`, { notify: { email } });
    }
    await create('live', 'user_1', { notify: { email: 'ada@example.org' } });
    while (!(await service.countersign.mails.send()).isDone);

    const { testOf } = await service.countersign.clients.testTwin(team.clientId);
    expect(testOf).toBe(team.clientId);
    expect(mailer.received.map(({ to }) => to.toLowerCase()).sort()).toEqual(
      ['ada@example.org', team.viewer.email].sort(),
    );
    expect(service.faults).toEqual([]);
  });

  it('mail of test mode reaches no address without user accounts', async () => {
    const mailer = createMemoryMailer();
    const { countersign } = givenService({ mailer, staff: undefined });
    const { client } = await countersign.clients.create({ name: 'Acme', plan: 'none' });
    const { id } = await countersign.clients.testTwin(client.id);
    const { value } = await countersign.apiKeys.issue(id, { permissions: ['*'] });
    const principal = await countersign.authenticate(value);
    const notify = { email: 'ada@example.org' };
    await countersign.verifications.create(principal, { subjectType: 'kyc', subjectReference: 'user_1', notify });

    expect(await countersign.mails.send()).toMatchObject({ sent: 0, moot: 1 });
    expect(mailer.received).toEqual([]);
  });
});
