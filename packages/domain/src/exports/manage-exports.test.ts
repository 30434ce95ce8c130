import { describe, expect, it, test } from 'vitest';
import { portWith } from '../../test-support/port-with.ts';
import { NOW } from '../../test-support/verifications.ts';
import type { Secrets } from '../runtime.ts';
import { createLinks } from '../verification/link.ts';
import type { ExportRepository } from './export-repository.ts';
import { type ExportRequest, NO_RELEASE } from './export-request.ts';
import { createManageExports, createRequestExport } from './manage-exports.ts';

const PLACE = { clientId: 'client-1', verificationId: 'verification-1' };
const TARGET = { ...PLACE, actor: { kind: 'operator', id: 'staff-1' } } as const;
const REQUEST = { ...PLACE, id: 'export-1', requestedAt: NOW, requestedBy: 'subject' } as const;
const withCode = (code: string) => expect.objectContaining({ code });

const secrets = portWith<Secrets>({ randomHex: () => '00', sign: (text) => `hash of ${text}` });

/** The export of this id, requested by the subject. */
const requested = (id: string): ExportRequest => ({ ...NO_RELEASE, ...REQUEST, id });

/** Manages these exports of verifications that belong to a client. */
function managing(operations: Partial<ExportRepository>, owner = 'client-1') {
  const exports = portWith<ExportRepository>(operations);
  const verifications = { clientOf: async () => owner };
  const current = async (stored: ExportRequest) => stored;
  return createManageExports({
    exports,
    verifications,
    current,
    request: createRequestExport({ exports, verifications, current }),
    links: createLinks(secrets, 'https://verify.example'),
    clock: { now: () => NOW },
    ids: { next: () => 'export-1' },
    secrets,
  });
}

describe('list', () => {
  it.each([
    [49, null],
    [50, null],
    [51, 'export-50'],
  ])('list: of %i exports, the next page begins after %s', async (count, next) => {
    const stored = Array.from({ length: count }, (_, index) => requested(`export-${index + 1}`));
    const { list } = managing({ list: async ({ limit }) => stored.slice(0, limit) });
    const page = await list({});
    expect(page).toEqual({ exports: stored.slice(0, 50), next });
  });
});

test('release: an export that an erasure deletes meanwhile, twice, is not released', async () => {
  const { release } = managing({
    ofVerification: async () => null,
    request: async (request) => ({ ...NO_RELEASE, ...request }),
    release: async () => null,
  });
  await expect(release(TARGET)).rejects.toEqual(withCode('ILLEGAL_TRANSITION'));
});

test.each([
  ['client-1', 'ILLEGAL_TRANSITION'],
  ['client-2', 'VERIFICATION_NOT_FOUND'],
])(
  'decline and release: where nothing is stored of a verification of %s, client-1 gets %s',
  async (owner, code) => {
    const { decline, release } = managing({ ofVerification: async () => null, request: async () => null }, owner);
    await expect(decline(TARGET, 'excessive')).rejects.toEqual(withCode(code));
    await expect(release(TARGET)).rejects.toEqual(withCode(code));
  },
);
