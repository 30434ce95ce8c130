import { beforeEach, expect, test } from 'vitest';
import { file } from '../../test-support/verifications.ts';
import { EvidenceFault } from '../evidence/evidence-fault.ts';
import { unknownFile } from '../evidence/evidence-keeper.ts';
import { readOrReport, readUnlessLost } from './readable-file.ts';

const PLACE = { clientId: 'client-1', verificationId: 'verification-1' };
const SELFIE = file('selfie', 'selfie');
const damaged = new EvidenceFault('FILE_DAMAGED', { ...PLACE, fileId: SELFIE.id });
const missing = new EvidenceFault('FILE_MISSING', { ...PLACE, fileId: SELFIE.id });
const full = new Error('too many open files');

let faults: unknown[];
beforeEach(() => {
  faults = [];
});

/** Reads whose file has this fault. */
const failing = (fault: Error) => ({
  evidence: { read: () => Promise.reject(fault) },
  onFault: (reported: unknown) => void faults.push(reported),
});

test.each([
  ['readOrReport', readOrReport],
  ['readUnlessLost', readUnlessLost],
])('%s: returns a file that can be read', async (_name, read) => {
  const part = { file: SELFIE, content: new Uint8Array([1]), contentType: 'image/jpeg' } as const;
  const ports = { ...failing(full), evidence: { read: async () => part } };
  expect(await read(ports, PLACE, SELFIE)).toEqual(part);
  expect(faults).toEqual([]);
});

test.each([
  ['readOrReport', 'damaged', readOrReport, damaged, damaged],
  ['readOrReport', 'missing', readOrReport, unknownFile(missing), missing],
  ['readOrReport', 'unreadable now', readOrReport, full, full],
  ['readUnlessLost', 'damaged', readUnlessLost, damaged, damaged],
  ['readUnlessLost', 'missing', readUnlessLost, unknownFile(missing), missing],
])('%s: leaves out a file that is %s, and reports why', async (_name, _what, read, fault, reported) => {
  expect(await read(failing(fault), PLACE, SELFIE)).toBeNull();
  expect(faults).toEqual([reported]);
});

test('readUnlessLost: throws a fault that may pass, and leaves its report to the caller', async () => {
  await expect(readUnlessLost(failing(full), PLACE, SELFIE)).rejects.toBe(full);
  expect(faults).toEqual([]);
});
