import { expect, test } from 'vitest';
import { createCountersign } from './countersign.ts';
import type { CountersignPorts } from './countersign-ports.ts';

const store = { name: 'store' };
const ports = {
  storage: {
    verifications: { name: 'verifications' },
    dataKeys: { name: 'keys' },
    apiKeys: {},
    clients: {},
    audit: {},
    webhooks: { name: 'webhooks' },
    readings: { name: 'readings' },
    indexes: { name: 'indexes' },
    retention: {},
  },
  evidence: { store, intake: {} },
  clock: {},
  ids: {},
  secrets: {},
  rateLimiter: {},
};

/** Builds the service. @returns what was sealed */
function build(change: object): unknown[] {
  const calls: unknown[] = [];
  const seal = (...call: unknown[]) => {
    calls.push(call);
    return call[0];
  };
  const sealing = {
    sealVerifications: seal,
    sealWebhooks: seal,
    sealEvidence: seal,
    sealReadings: seal,
    sealIndexes: seal,
  };
  const all: object = { ...ports, sealing, ...change };
  createCountersign(all as CountersignPorts, { publicBaseUrl: 'https://verify.example' });
  return calls;
}

test('createCountersign: seals verifications, files, webhooks, readings and index keys, but not with `none`', () => {
  const { verifications, dataKeys, webhooks, readings, indexes } = ports.storage;
  const others = [[webhooks], [readings, dataKeys], [indexes]];
  expect(build({})).toEqual([[verifications, dataKeys], ...others, [store, dataKeys]]);
  expect(build({ evidence: undefined })).toEqual([[verifications, dataKeys], ...others]);
  expect(build({ sealing: 'none' })).toEqual([]);
});

test.each([undefined, null, 'plain', {}])('createCountersign: refuses %j in place of sealing', (sealing) => {
  expect(() => build({ sealing })).toThrow('The port `sealing` is missing');
});

test('createCountersign: refuses a storage without retention, unless the setting says that nothing is erased', () => {
  const { retention: _, ...storage } = ports.storage;
  const withoutErasure = (change: object, isAllowed: boolean) => () => {
    const all: object = { ...ports, sealing: 'none', ...change };
    createCountersign(all as CountersignPorts, {
      publicBaseUrl: 'https://verify.example',
      withoutErasure: isAllowed,
    });
  };
  expect(withoutErasure({ storage }, false)).toThrow(
    'The storage has no part `retention`, so nothing is ever erased.',
  );
  expect(withoutErasure({ storage }, true)).not.toThrow();
  expect(withoutErasure({}, true)).toThrow('Leave out the setting `withoutErasure`');
});

test('createCountersign: a part that is null is missing', () => {
  const storage = { ...ports.storage, webhooks: null, retention: null };
  const all: object = { ...ports, storage, sealing: 'none' };
  const settings = { publicBaseUrl: 'https://verify.example', withoutErasure: true };
  expect([...createCountersign(all as CountersignPorts, settings).parts]).toEqual(['readings', 'indexes']);
});
