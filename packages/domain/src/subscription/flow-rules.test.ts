import { describe, expect, it, test } from 'vitest';
import { aClient } from '../../test-support/client.ts';
import type { Client } from './client-repository.ts';
import { createIndexesFamilyNames, createReadFlowRules, flowRulesOf } from './flow-rules.ts';
import { NEW_FLOW_SETTINGS } from './flow-settings.ts';

const DEFAULTS = { minimumAge: 18, linkLifetimeDays: 30 };

describe('flowRulesOf', () => {
  it('takes the installation’s values where the client has none', () => {
    expect(flowRulesOf(NEW_FLOW_SETTINGS, DEFAULTS)).toEqual({
      asks: { placeOfBirth: false, proofOfAddress: false },
      minimumAge: 18,
      linkDays: 30,
      decisionWithin: null,
      readingIsAdvice: false,
      dueHours: null,
      warningsInDetails: false,
    });
  });

  it('takes the values of the client', () => {
    const settings = { placeOfBirth: true, proofOfAddress: false, minimumAge: 21, linkDays: 7 } as const;
    expect(
      flowRulesOf(
        {
          ...settings,
          decisionWithin: 'hours',
          readingIsAdvice: true,
          familyNameIndex: false,
          warningsInDetails: false,
          dueHours: 24,
        },
        DEFAULTS,
      ),
    ).toEqual({
      asks: { placeOfBirth: true, proofOfAddress: false },
      minimumAge: 21,
      linkDays: 7,
      decisionWithin: 'hours',
      readingIsAdvice: true,
      dueHours: 24,
      warningsInDetails: false,
    });
  });

  it.each([
    [18, 18, 18],
    [18, 21, 21],
    [25, 21, 25],
    [null, 0, 0],
  ])(
    'a client with the minimum age %j, on an installation with %i, has %i',
    (minimumAge, installation, expected) => {
      const rules = flowRulesOf({ ...NEW_FLOW_SETTINGS, minimumAge }, { ...DEFAULTS, minimumAge: installation });
      expect(rules.minimumAge).toBe(expected);
    },
  );
});

describe('the rules of a client', () => {
  const clients = new Map<string, Client>();
  const find = async (id: string) => {
    const client = clients.get(id);
    return client === undefined ? null : { client, subscription: null };
  };
  const read = createReadFlowRules({ find }, DEFAULTS);

  it('a test twin has the rules of its client, whatever it has stored itself', async () => {
    clients.set('live', aClient({ id: 'live', flowSettings: { ...NEW_FLOW_SETTINGS, linkDays: 7 } }));
    const own = { ...NEW_FLOW_SETTINGS, linkDays: 1, placeOfBirth: true };
    clients.set('twin', aClient({ id: 'twin', testOf: 'live', flowSettings: own }));
    const expected = { asks: { placeOfBirth: false, proofOfAddress: false }, linkDays: 7 };
    expect(await read('twin')).toMatchObject(expected);
    expect(await read('live')).toMatchObject(expected);
  });

  it('a client that was read is not read again, and of its test twin only the client', async () => {
    const reads: string[] = [];
    const counting = createReadFlowRules(
      {
        find: (id) => {
          reads.push(id);
          return find(id);
        },
      },
      DEFAULTS,
    );
    const live = aClient({ id: 'live', flowSettings: { ...NEW_FLOW_SETTINGS, linkDays: 7 } });
    clients.set('live', live);
    expect(await counting(live)).toMatchObject({ linkDays: 7 });
    expect(reads).toEqual([]);
    expect(await counting(aClient({ id: 'twin', testOf: 'live' }))).toMatchObject({ linkDays: 7 });
    expect(reads).toEqual(['live']);
  });

  it('a change holds from the next read on', async () => {
    clients.set('live', aClient({ id: 'live' }));
    expect(await read('live')).toMatchObject({ minimumAge: 18 });
    clients.set('live', aClient({ id: 'live', flowSettings: { ...NEW_FLOW_SETTINGS, minimumAge: 30 } }));
    expect(await read('live')).toMatchObject({ minimumAge: 30 });
  });
});

const unknown = { find: async () => null };

test('readFlowRules: an unknown client is a fault', async () => {
  const read = createReadFlowRules(unknown, DEFAULTS);
  await expect(read('unknown')).rejects.toThrow('The client unknown is missing');
  await expect(read(aClient({ id: 'twin', testOf: 'unknown' }))).rejects.toThrow('The client twin is missing');
});

test('indexesFamilyNames: a client has what it has set, and an unknown client indexes none', async () => {
  const indexes = createIndexesFamilyNames(unknown);
  const flowSettings = { ...NEW_FLOW_SETTINGS, familyNameIndex: true };
  expect(await indexes(aClient({ flowSettings }))).toBe(true);
  expect(await indexes('unknown')).toBe(false);
});
