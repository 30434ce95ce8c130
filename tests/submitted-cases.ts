import { join } from 'node:path';
import { createFileEvidenceStore } from '@countersign/evidence';
import { createTrustingIntake } from '@countersign/memory';
import { createNodeSecrets, createSystemClock, createUuidIds } from '@countersign/runtime';
import { createKeyRing, createSealing } from '@countersign/sealing';
import { openStorage } from '@countersign/test-support/installation/operator';
import { card } from '@countersign/test-support/pages/pictures';
import { atEndOfFile } from '@countersign/test-support/processes/end-of-file';
import type { ServerProcess } from '@countersign/test-support/processes/server-process';
import { answerStep } from '@countersign/test-support/service/answers';
import { givenClient, givenService } from '@countersign/test-support/service/service';

/** A client of a server, whose subjects submit in this process. */
export interface CaseMaker {
  /** An API key of the client. */
  readonly key: string;
  /** Submits a person's case with pictures of its own. @returns its id */
  submit(own?: { readonly person?: object; readonly document?: object }): Promise<string>;
}

/**
 * Creates a client whose cases are submitted in this process, on the server's data. By the pages, whose pictures are decoded and encoded
 * again, each case takes a second of processor time.
 */
export async function givenCaseMaker(server: ServerProcess, secretKey: Uint8Array): Promise<CaseMaker> {
  const storage = await openStorage(server);
  atEndOfFile(() => storage.close());
  const service = givenService({
    storage,
    sealing: createSealing({ keys: createKeyRing([secretKey]) }),
    evidence: {
      store: createFileEvidenceStore({ directory: join(server.dataDir, 'evidence') }),
      intake: createTrustingIntake(),
    },
    clock: createSystemClock(),
    ids: createUuidIds(),
    secrets: createNodeSecrets([secretKey]),
  });
  const { countersign } = service;
  const { principal, value: key } = await givenClient(service);
  const picture = await card('a case');
  let made = 0;

  return {
    key,
    async submit({ person = {}, document = {} } = {}) {
      made += 1;
      const body = { subjectType: 'kyc', subjectReference: `user-${made}` };
      const { verification } = await countersign.verifications.create(principal, body);
      const { access } = await countersign.subject.open(verification.verificationUrl.split('/').at(-1) ?? '');
      const upload = async (step: 'document' | 'selfie', kind: 'document_front' | 'selfie') => {
        // What follows a picture in its file is not drawn, and makes it another file.
        const file = Buffer.concat([picture, Buffer.from(`${kind} ${made}`)]);
        const content = (async function* () {
          yield file;
        })();
        return (await countersign.subject.uploadFile(access, { step, kind }, content)).file.id;
      };
      await answerStep(countersign, access, 'consent');
      const frontFileId = await upload('document', 'document_front');
      await countersign.subject.completeStep(access, 'document', { ...PASSPORT, ...document, frontFileId });
      await countersign.subject.completeStep(access, 'person', { ...ADA, ...person });
      await countersign.subject.completeStep(access, 'selfie', { fileId: await upload('selfie', 'selfie') });
      await answerStep(countersign, access, 'address');
      await answerStep(countersign, access, 'attestation');
      await countersign.subject.submit(access);
      return verification.id;
    },
  };
}

const PASSPORT = { type: 'passport', issuingCountry: 'GB', number: 'C01X00T47', expiresOn: '2099-12-31' };
const ADA = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-10', nationalities: ['GB'] };
