import type { ExportRequest, NewExportRequest } from '@countersign/domain/exports';
import type { Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { clientId, exportId, minute, verificationId } from './ids.ts';

/** A request for an export of the `n`th verification. */
export function aRequest(n: number, given: Partial<NewExportRequest> = {}): NewExportRequest {
  return {
    id: exportId(n),
    clientId: clientId(1),
    verificationId: verificationId(n),
    requestedAt: minute(n, 5),
    requestedBy: 'subject',
    ...given,
  };
}

/** The export of a request before its release. */
export function requested(request: NewExportRequest): ExportRequest {
  return {
    ...request,
    releasedAt: null,
    releasedBy: null,
    codeHash: null,
    linkVersion: 0,
    expiresAt: null,
    wrongCodes: 0,
    downloadedAt: null,
    downloads: 0,
    declinedAt: null,
    declineReason: null,
  };
}

/** A release of the `n`th export. */
export const aRelease = (n: number, given: Partial<Release> = {}): Release => ({
  id: exportId(n),
  clientId: clientId(1),
  releasedAt: minute(100, 3),
  releasedBy: 'user 1',
  codeHash: `hash ${n}`,
  expiresAt: EXPIRES_AT,
  ...given,
});
type Release = Parameters<Storage['exports']['release']>[0];

/** A refusal of the `n`th export. */
export const aRefusal = (n: number, given: Partial<Refusal> = {}): Refusal => ({
  id: exportId(n),
  clientId: clientId(1),
  declinedAt: DECLINED_AT,
  declineReason: 'identity_unclear',
  ...given,
});
type Refusal = Parameters<Storage['exports']['decline']>[0];

/** When an export of a case is declined, before its release ends. */
export const DECLINED_AT: Date = minute(120, 3);

/** When a release of a case ends. */
export const EXPIRES_AT: Date = minute(200, 7);

/** Stores a request for an export. */
export async function givenRequest(
  storage: Storage,
  n: number,
  given: Partial<NewExportRequest> = {},
): Promise<ExportRequest> {
  const request = aRequest(n, given);
  const stored = await storage.exports.request(request);
  expect(stored, 'set-up of the case: exports.request').toEqual(requested(request));
  return requested(request);
}

/** Stores a released export. */
export async function givenReleased(
  storage: Storage,
  n: number,
  given: Partial<Release> = {},
): Promise<ExportRequest> {
  const { id, clientId: owner } = await givenRequest(storage, n, { clientId: given.clientId ?? clientId(1) });
  const stored = await storage.exports.release(aRelease(n, { ...given, id, clientId: owner }));
  if (stored === null) throw new Error('set-up of the case: exports.release found no export');
  return stored;
}
