import { describe, expect, it } from 'vitest';
import { aClient } from '../../test-support/client.ts';
import type { ClientRepository, ClientWithSubscription } from './client-repository.ts';
import { createManageClients, type ManageClients } from './manage-clients.ts';
import { NO_TEMPLATES } from './reason-templates.ts';

const NOW = new Date('2026-03-01T10:00:00.000Z');
const CLIENT: ClientWithSubscription = {
  client: aClient(),
  subscription: null,
};
const SUBSCRIBED: ClientWithSubscription = {
  ...CLIENT,
  subscription: { plan: 'standard', status: 'active', monthlyLimit: null, startsAt: NOW, endsAt: null },
};

/** A repository with one client, whose answers a test can replace. */
function manage(answers: Partial<ClientRepository> = {}, stored = CLIENT): ManageClients {
  const clients: ClientRepository = {
    create: async () => ({ outcome: 'created' }),
    find: async () => stored,
    testTwin: async () => null,
    list: async () => [stored],
    search: async () => ({ entries: [stored], totalCount: 1 }),
    names: async () => new Map(),
    changeSubscription: async () => ({ outcome: 'client_not_found' }),
    setReturnAddresses: async () => ({ outcome: 'client_not_found' }),
    setFileAccess: async () => ({ outcome: 'client_not_found' }),
    setFlowSettings: async () => ({ outcome: 'client_not_found' }),
    setReasonTemplates: async () => ({ outcome: 'client_not_found' }),
    usedIn: async () => 0,
    ...answers,
  };
  const clock = { now: () => NOW };
  return createManageClients({ clients, clock, ids: { next: () => 'client-1' } }, { allowsLocalReturns: false });
}

const issueAt = (path: string) => ({
  code: 'INVALID_PARAMETERS',
  data: { issues: [expect.objectContaining({ path })] },
});

describe('a new client', () => {
  it('a new client without a plan cannot have a monthly limit', async () => {
    await expect(manage().create({ name: 'Acme', plan: 'none', monthlyLimit: 5 })).rejects.toMatchObject({
      ...issueAt('monthlyLimit'),
      message: 'monthlyLimit belongs to a subscription, and plan none has none',
    });
    await expect(manage().create({ name: 'Acme', plan: 'none' })).resolves.toMatchObject({
      client: { reasonTemplates: NO_TEMPLATES },
      subscription: null,
    });
    await expect(manage().create({ name: 'Acme', plan: 'standard', monthlyLimit: 5 })).resolves.toMatchObject({
      subscription: { monthlyLimit: 5 },
    });
  });

  it('a new client is never reported as created when its id is taken', async () => {
    const { create } = manage({ create: async () => ({ outcome: 'exists' }) });
    await expect(create({ name: 'Acme', plan: 'standard' })).rejects.toThrow('client-1 is taken');
  });
});

describe('a subscription', () => {
  it('needs a plan when it is the first', async () => {
    await expect(manage().setSubscription('client-1', { monthlyLimit: 5 })).rejects.toMatchObject(issueAt('plan'));
  });

  it('a subscription that vanished between reading and changing it needs a plan again', async () => {
    const { setSubscription } = manage(
      { changeSubscription: async () => ({ outcome: 'no_subscription' }) },
      SUBSCRIBED,
    );
    await expect(setSubscription('client-1', { monthlyLimit: 5 })).rejects.toMatchObject(issueAt('plan'));
  });

  it('a subscription of a client that vanished between reading and changing it is not found', async () => {
    const { setSubscription } = manage({}, SUBSCRIBED);
    await expect(setSubscription('client-1', { monthlyLimit: 5 })).rejects.toMatchObject({
      code: 'CLIENT_NOT_FOUND',
    });
  });
});

describe('a search', () => {
  const entries = ['a', 'b', 'c'].map((id) => ({ ...CLIENT, client: { ...CLIENT.client, id } }));
  const search: ClientRepository['search'] = async ({ limit }) => ({
    entries: entries.slice(0, limit),
    totalCount: entries.length,
  });

  it('a search has a next page if there is one more client than the page holds', async () => {
    const { search: searched } = manage({ search, find: async () => null });
    expect(await searched({ name: 'ac' }, 1)).toEqual({
      clients: entries.slice(0, 1),
      total: { count: 3, isExact: true },
      next: 'a',
    });
    expect(await searched({ name: 'ac' }, 3)).toMatchObject({ clients: entries, next: null });
  });

  it('a search by an id finds this client alone', async () => {
    const { search: searched } = manage({ search });
    expect(await searched({ name: 'client-1' }, 2)).toEqual({
      clients: [CLIENT],
      total: { count: 1, isExact: true },
      next: null,
    });
  });

  it.each([
    [1_000, true],
    [1_001, false],
  ])('counts up to a thousand: of %i, whether the count is exact is %j', async (totalCount, isExact) => {
    const { search: searched } = manage({ search: async () => ({ entries, totalCount }) });
    expect((await searched({}, 2)).total).toEqual({ count: 1_000, isExact });
  });

  it('begins a page after a known client, and refuses one after an unknown client', async () => {
    expect(await manage({ search }).search({ after: 'client-1' }, 3)).toMatchObject({ clients: entries });
    const { search: searched } = manage({ find: async () => null });
    await expect(searched({ after: 'x' }, 2)).rejects.toMatchObject(issueAt('after'));
  });
});

it('setReasonTemplates: replaces both lists, and refuses a test twin, an unknown client and bad templates without a write', async () => {
  const ask = [{ name: 'Blurred', en: 'Take it again.' }];
  const written: unknown[] = [];
  const setReasonTemplates: ClientRepository['setReasonTemplates'] = async (...input) => {
    written.push(input);
    return { outcome: 'changed', client: CLIENT.client };
  };
  await manage({ setReasonTemplates }).setReasonTemplates('client-1', { ask });
  expect(written).toEqual([['client-1', { ask, reject: [] }]]);

  const twin = { ...CLIENT, client: { ...CLIENT.client, testOf: 'live' } };
  await expect(manage({ setReasonTemplates }, twin).setReasonTemplates('twin', { ask })).rejects.toMatchObject({
    message: expect.stringContaining('Change the templates of live'),
    ...issueAt('clientId'),
  });
  const bad = { ask: [...ask, ...ask] };
  await expect(manage({ setReasonTemplates }).setReasonTemplates('client-1', bad)).rejects.toMatchObject(
    issueAt('ask.1.name'),
  );
  await expect(
    manage({ setReasonTemplates, find: async () => null }).setReasonTemplates('unknown', { ask }),
  ).rejects.toMatchObject({ code: 'CLIENT_NOT_FOUND' });
  await expect(manage().setReasonTemplates('client-1', { ask })).rejects.toMatchObject({
    code: 'CLIENT_NOT_FOUND',
  });
  expect(written).toHaveLength(1);
});

it('testTwin: a client that vanished after it was read is CLIENT_NOT_FOUND', async () => {
  await expect(manage().testTwin('client-1')).rejects.toMatchObject({ code: 'CLIENT_NOT_FOUND' });
});

it('names: reads each id once, and marks test twins', async () => {
  const read: (readonly string[])[] = [];
  const named = { name: 'Acme', dueHours: null };
  const { names } = manage({
    names: async (ids) => {
      read.push(ids);
      return new Map([
        ['live', { ...named, testOf: null }],
        ['twin', { ...named, testOf: 'live' }],
      ]);
    },
  });
  expect([...(await names(['live', 'twin', 'live']))]).toEqual([
    ['live', 'Acme'],
    ['twin', 'Acme (test)'],
  ]);
  expect(read).toEqual([['live', 'twin']]);
});

it('returnAddressIssues: names an address on the own device where the installation refuses those', () => {
  expect(manage().returnAddressIssues(['http://localhost'])).toMatchObject([{ path: 'returnAddresses.0' }]);
});
