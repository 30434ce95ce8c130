import { expect, test, vi } from 'vitest';
import { portWith } from '../../test-support/port-with.ts';
import { NOW, pending } from '../../test-support/verifications.ts';
import type { AuditRecorder } from '../audit/audit-recorder.ts';
import type { Secrets } from '../runtime.ts';
import { BUILT_IN_FLOWS } from './flow.ts';
import { type HandOverCode, hashOfHandOver } from './hand-over-code.ts';
import type { HandOverRepository } from './hand-over-repository.ts';
import { createSubjectHandOvers } from './subject-hand-overs.ts';
import { toRecord } from './verification-record.ts';

const OWNER = toRecord(pending());
const ACCESS = { verificationId: OWNER.id, linkVersion: OWNER.linkVersion };
const CODE = 'ab'.repeat(16);
const REFERENCE = { verificationId: OWNER.id, code: CODE };

const secrets = portWith<Secrets>({
  randomHex: (bytes) => 'ab'.repeat(bytes),
  sign: (text) => `signed ${text}`,
  verify: (text, signature) => signature === `signed ${text}`,
});

const STORED: HandOverCode = {
  clientId: OWNER.clientId,
  verificationId: OWNER.id,
  linkVersion: OWNER.linkVersion,
  codeHash: hashOfHandOver(secrets, ACCESS, CODE),
  issuedAt: NOW,
  expiresAt: new Date(NOW.getTime() + 60_000),
  spentAt: null,
  countedFrom: NOW,
  issued: 1,
};

/** The service for one verification, over codes that another call changes at the same time. */
function given(handOvers: Partial<HandOverRepository>) {
  const refused = vi.fn<AuditRecorder['refused']>(async () => undefined);
  const service = createSubjectHandOvers(
    {
      clock: { now: () => NOW },
      flows: BUILT_IN_FLOWS,
      secrets,
      verifications: { findForAnyClient: async () => OWNER },
      handOvers: portWith<HandOverRepository>({
        find: async () => null,
        issue: async () => null,
        spend: async () => null,
        ...handOvers,
      }),
      recorder: { act: ({ run }) => run(), refused },
      subjectLinks: { forReading: async () => OWNER, forWriting: async () => OWNER },
    },
    { publicBaseUrl: 'https://verify.example' },
  );
  return { service, refused };
}

test('issueHandOver: a code that was not stored although it may be is a VERSION_CONFLICT', async () => {
  const { service } = given({ issue: async () => null });
  await expect(service.issueHandOver(ACCESS)).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
});

test('issueHandOver: a fault of the storage is thrown and not recorded as a refusal', async () => {
  const { service, refused } = given({ find: () => Promise.reject(new Error('disk full')) });
  await expect(service.issueHandOver(ACCESS)).rejects.toThrow('disk full');
  expect(refused).not.toHaveBeenCalled();
});

test('handOverOf: a verification without a code has none', async () => {
  expect(await given({}).service.handOverOf(ACCESS, CODE)).toBeNull();
});

test('spendHandOver: a code that works and was not used up is a VERSION_CONFLICT', async () => {
  const { service } = given({ find: async () => STORED, spend: async () => null });
  await expect(service.spendHandOver(REFERENCE)).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
});
