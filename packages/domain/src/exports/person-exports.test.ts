import { beforeEach, describe, expect, it } from 'vitest';
import { portWith } from '../../test-support/port-with.ts';
import { file, found, NOW, pending } from '../../test-support/verifications.ts';
import type { AuditRecorder } from '../audit/audit-recorder.ts';
import { DEFAULT_RETENTION_SETTINGS } from '../erasure/retained-rules.ts';
import { EvidenceFault } from '../evidence/evidence-fault.ts';
import type { Secrets } from '../runtime.ts';
import { NO_APPEARANCE } from '../subscription/client-appearance.ts';
import { createLinks } from '../verification/link.ts';
import type { FoundVerification } from '../verification/retained.ts';
import type { VerificationRepository } from '../verification/verification-repository.ts';
import { hashOfCode } from './export-code.ts';
import type { ExportRepository } from './export-repository.ts';
import { EXPORT_LIFETIME_MS, type ExportRequest, NO_RELEASE } from './export-request.ts';
import { createExportServices } from './export-services.ts';

const secrets = portWith<Secrets>({
  sign: (text) => `hash of ${text}`,
  verify: (text, hash) => hash === `hash of ${text}`,
});
const links = createLinks(secrets, 'https://verify.example');
const CODE = '01A11-ZZZZZ';
const SELFIE = file('selfie', 'selfie');

const REQUESTED: ExportRequest = {
  ...NO_RELEASE,
  id: 'export-1',
  clientId: 'client-1',
  verificationId: 'verification-1',
  requestedAt: NOW,
  requestedBy: 'subject',
};
const RELEASED: ExportRequest = {
  ...REQUESTED,
  releasedAt: NOW,
  codeHash: hashOfCode(secrets, REQUESTED.id, CODE),
  linkVersion: 1,
  expiresAt: new Date(NOW.getTime() + EXPORT_LIFETIME_MS),
};
/** The last part of its link. */
const LINK = 'export-1.hash of export.export-1.1';
const NOT_FOUND = { code: 'EXPORT_NOT_FOUND' };

let stored: ExportRequest;
let data: FoundVerification | null;
let erasedAt: Date | null;
let marked: 'marked' | 'ended';
let wrongCodes: number;
let faults: unknown[];

beforeEach(() => {
  [stored, data, erasedAt] = [RELEASED, found({ ...pending(), files: [SELFIE] }), null];
  [marked, wrongCodes, faults] = ['marked', 0, []];
});

const damaged = new EvidenceFault('FILE_DAMAGED', { verificationId: 'verification-1', fileId: 'selfie' });

/** Downloads of the stored export, in a service that erases data or not. */
const person = (erasesData = true) =>
  createExportServices(
    {
      exports: portWith<ExportRepository>({
        find: async (id) => (id === stored.id ? stored : null),
        markDownloaded: async () => ({ outcome: marked }),
        countWrongCode: async () => ++wrongCodes,
      }),
      appearances: { shown: async (clientId) => ({ ...NO_APPEARANCE, clientId, name: 'Acme' }) },
      retention: { find: async () => (erasesData ? { erasedAt } : null) },
      verifications: portWith<VerificationRepository>({}),
      findWithData: async () => data,
      rulesOf: async () => DEFAULT_RETENTION_SETTINGS,
      readPause: async () => null,
      evidence: { read: () => Promise.reject(damaged) },
      recorder: portWith<AuditRecorder>({ act: ({ run }) => run(), refused: async () => undefined }),
      mayRelease: async () => true,
      erasesData,
      links,
      clock: { now: () => NOW },
      ids: { next: () => 'id' },
      secrets,
      onFault: (fault) => faults.push(fault),
    },
    { publicBaseUrl: 'https://verify.example' },
  ).person;

const download = (code: string) => person().download({ link: LINK, code });

describe('openPage', () => {
  it.each([true, false])(
    'openPage: shows the client and the end in a service that erases data: %s',
    async (erasesData) => {
      expect(await person(erasesData).openPage(LINK)).toMatchObject({
        appearance: { name: 'Acme' },
        expiresAt: RELEASED.expiresAt,
      });
    },
  );

  it.each<[string, object, Date | null]>([
    ['a request that was not released', REQUESTED, null],
    ['a release that has ended', { ...RELEASED, expiresAt: NOW }, null],
    ['a release without a code', { ...RELEASED, codeHash: null }, null],
    ['a later release', { ...RELEASED, linkVersion: 2 }, null],
    ['an export of data that is erased', RELEASED, NOW],
    ['another export', { ...RELEASED, id: 'export-2' }, null],
  ])('openPage: a link of %s is not found', async (_what, one, at) => {
    [stored, erasedAt] = [{ ...RELEASED, ...one }, at];
    await expect(person().openPage(LINK)).rejects.toMatchObject(NOT_FOUND);
    await expect(download(CODE)).rejects.toMatchObject(NOT_FOUND);
  });
});

describe('download', () => {
  it.each([
    ['as it was given', CODE],
    ['between spaces', `${' '.repeat(60)}${CODE}${' '.repeat(60)}`],
    ['of 100 characters with spaces in it', CODE.replace('-', ' '.repeat(90))],
  ])('download: the code %s gives the data', async (_what, code) => {
    expect((await download(code)).data.clientName).toBe('Acme');
  });

  it.each([
    ['an empty code', ''],
    ['a code of spaces', '   '],
    ['a code of 101 characters', CODE.replace('-', ' '.repeat(91))],
  ])('download: %s is refused and not counted', async (_what, code) => {
    await expect(download(code)).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      data: { issues: [{ path: 'code' }] },
    });
    expect(wrongCodes).toBe(0);
  });

  it('download: a wrong code is counted', async () => {
    await expect(download('ZZZZZ-ZZZZZ')).rejects.toMatchObject({
      code: 'EXPORT_CODE_WRONG',
      data: { attemptsLeft: 4 },
    });
  });

  it('download: a release that ends before the download is counted gives nothing', async () => {
    marked = 'ended';
    await expect(download(CODE)).rejects.toMatchObject(NOT_FOUND);
  });

  it('download: data that is gone gives nothing', async () => {
    data = null;
    await expect(download(CODE)).rejects.toMatchObject(NOT_FOUND);
  });

  it('download: a file that cannot be read is null and reported, and an unknown one is not found', async () => {
    const { readFile } = await download(CODE);
    expect(await readFile('selfie')).toBeNull();
    expect(faults).toEqual([damaged]);
    await expect(readFile('other')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  });
});
