import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { JsonObject } from '@countersign/domain';
import type { EvidenceKind } from '@countersign/domain/evidence';
import { type StepKey, stepsOf } from '@countersign/domain/flows';
import { createFileEvidenceStore } from '@countersign/evidence';
import { createTrustingIntake } from '@countersign/memory';
import { createNodeSecrets, createSystemClock, createUuidIds } from '@countersign/runtime';
import { createKeyRing, createSealing } from '@countersign/sealing';
import { openStorage } from '@countersign/test-support/installation/operator';
import { card } from '@countersign/test-support/pages/pictures';
import { atEndOfFile } from '@countersign/test-support/processes/end-of-file';
import type { ServerProcess } from '@countersign/test-support/processes/server-process';
import { sampleAnswers } from '@countersign/test-support/service/answers';
import { givenClient, givenService } from '@countersign/test-support/service/service';

/** A client of a server, whose subjects submit in this process. */
export interface CaseMaker {
  /** An API key of the client. */
  readonly key: string;
  /** Submits a person's case with pictures of its own. @returns its id */
  submit(own?: { readonly person?: JsonObject; readonly document?: JsonObject }): Promise<string>;
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
      const created = await countersign.verifications.create(principal, body);
      const reference = created.verification.verificationUrl.split('/').at(-1) ?? '';
      const { access, verification } = await countersign.subject.open(reference);
      // Issued by the person's country, so that no warning names another one.
      const passport = { issuingCountry: 'GB', ...document };
      const own: Readonly<Partial<Record<StepKey, JsonObject>>> = { person, document: passport };
      for (const step of stepsOf(verification.flow)) {
        const upload = async (kind: EvidenceKind) => {
          // What follows a picture in its file is not drawn, and makes it another file.
          const file = Buffer.concat([picture, Buffer.from(`${kind} ${made}`)]);
          return (await countersign.subject.uploadFile(access, { step, kind }, Readable.from([file]))).file.id;
        };
        const answers = await sampleAnswers(verification, step, upload, () => own[step] ?? {});
        await countersign.subject.completeStep(access, step, answers);
      }
      await countersign.subject.submit(access);
      return verification.id;
    },
  };
}
