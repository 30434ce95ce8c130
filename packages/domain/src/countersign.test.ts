import { expect, test } from 'vitest';
import { type CountersignPorts, createCountersign } from './countersign.ts';

const store = { name: 'store' };
const ports = {
  storage: {
    verifications: { name: 'verifications' },
    dataKeys: { name: 'keys' },
    apiKeys: {},
    clients: {},
    audit: {},
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
  const sealing = { sealVerifications: seal, sealEvidence: seal };
  const all: object = { ...ports, sealing, ...change };
  createCountersign(all as CountersignPorts, { publicBaseUrl: 'https://verify.example' });
  return calls;
}

test('createCountersign: seals verifications and files, but not with `none`', () => {
  const { verifications, dataKeys } = ports.storage;
  expect(build({})).toEqual([
    [verifications, dataKeys],
    [store, dataKeys],
  ]);
  expect(build({ evidence: undefined })).toEqual([[verifications, dataKeys]]);
  expect(build({ sealing: 'none' })).toEqual([]);
});

test.each([undefined, null, 'plain', {}])('createCountersign: refuses %j in place of sealing', (sealing) => {
  expect(() => build({ sealing })).toThrow('The port `sealing` is missing');
});
