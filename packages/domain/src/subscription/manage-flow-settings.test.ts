import { expect, it } from 'vitest';
import { aClient } from '../../test-support/client.ts';
import type { Client } from './client-repository.ts';
import { type FlowSettings, NEW_FLOW_SETTINGS } from './flow-settings.ts';
import { createManageFlowSettings } from './manage-flow-settings.ts';

const OFF = {
  placeOfBirth: false,
  proofOfAddress: false,
  readingIsAdvice: false,
  familyNameIndex: false,
  warningsInDetails: false,
};
const DEFAULTS = { minimumAge: 18, linkLifetimeDays: 30 };

/** The service for some clients, and what was written to them. */
function given(...clients: readonly Client[]) {
  /** How many settings were written when the labels were made again. */
  const reindexed: number[] = [];
  const written: [id: string, settings: FlowSettings][] = [];
  const read: string[] = [];
  const service = createManageFlowSettings(
    {
      find: async (id) => {
        read.push(id);
        const client = clients.find((each) => each.id === id);
        return client === undefined ? null : { client, subscription: null };
      },
      setFlowSettings: async (id, flowSettings) => {
        written.push([id, flowSettings]);
        return { outcome: 'changed', client: aClient({ id, flowSettings }) };
      },
    },
    DEFAULTS,
    async () => void reindexed.push(written.length),
  );
  return { service, written, read, reindexed };
}

it('change: replaces all settings and returns what they mean', async () => {
  const { service, written } = given(aClient());
  const settings = { ...NEW_FLOW_SETTINGS, proofOfAddress: true, linkDays: 7 };
  expect(await service.change('client-1', { ...OFF, proofOfAddress: true, linkDays: 7 })).toEqual({
    clientId: 'client-1',
    settings,
    rules: {
      asks: { placeOfBirth: false, proofOfAddress: true },
      minimumAge: 18,
      linkDays: 7,
      decisionWithin: null,
      readingIsAdvice: false,
      dueHours: null,
      warningsInDetails: false,
    },
    defaults: DEFAULTS,
  });
  expect(written).toEqual([['client-1', settings]]);
});

it('get: reads a client in live use once', async () => {
  const { service, read } = given(aClient());
  expect(await service.get('client-1')).toMatchObject({ clientId: 'client-1', settings: NEW_FLOW_SETTINGS });
  expect(read).toEqual(['client-1']);
});

it.each([
  ['a minimum age under the installation’s', { ...OFF, minimumAge: 16 }, 'minimumAge'],
  ['a value of another type', { ...OFF, linkDays: '7' }, 'linkDays'],
  ['an unknown setting', { ...OFF, colour: 'red' }, 'colour'],
  [
    'a setting that is missing',
    { placeOfBirth: true, readingIsAdvice: false, familyNameIndex: false, warningsInDetails: false },
    'proofOfAddress',
  ],
])('change: refuses %s and writes nothing', async (_what, input, path) => {
  const { service, written } = given(aClient());
  await expect(service.change('client-1', input as never)).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
    data: { issues: [expect.objectContaining({ path })] },
  });
  expect(written).toEqual([]);
});

it('a test twin has the settings of its client, which are changed there', async () => {
  const live = aClient({ id: 'live', flowSettings: { ...NEW_FLOW_SETTINGS, minimumAge: 21 } });
  const { service, written } = given(live, aClient({ id: 'twin', testOf: 'live' }));
  expect(await service.get('twin')).toMatchObject({ clientId: 'live', rules: { minimumAge: 21 } });
  expect(await service.get('twin')).toEqual(await service.get('live'));
  await expect(service.change('twin', OFF)).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
    message: expect.stringContaining('Change the flow settings of live'),
  });
  expect(written).toEqual([]);
});

it('an unknown client is CLIENT_NOT_FOUND', async () => {
  const { service } = given();
  await expect(service.get('unknown')).rejects.toMatchObject({ code: 'CLIENT_NOT_FOUND' });
  await expect(service.change('unknown', OFF)).rejects.toMatchObject({ code: 'CLIENT_NOT_FOUND' });
});

it('change: a client that vanished after it was read is CLIENT_NOT_FOUND', async () => {
  const clients = {
    find: async () => ({ client: aClient(), subscription: null }),
    setFlowSettings: async () => ({ outcome: 'client_not_found' as const }),
  };
  const { change } = createManageFlowSettings(clients, DEFAULTS, async () => {});
  await expect(change('client-1', OFF)).rejects.toMatchObject({ code: 'CLIENT_NOT_FOUND' });
});

it('change: labels again before and after the terms of the index change, and for no other setting', async () => {
  const { service, reindexed } = given(aClient());
  await service.change('client-1', { ...OFF, minimumAge: 21 });
  expect(reindexed).toEqual([]);
  await service.change('client-1', { ...OFF, familyNameIndex: true, warningsInDetails: true });
  expect(reindexed).toEqual([1, 2]);
});
