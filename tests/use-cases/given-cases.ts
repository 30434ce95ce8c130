import type { DocumentReader, DocumentReading, Principal, SubjectAccess } from '@countersign/domain';
import type { EvidenceKind } from '@countersign/domain/evidence';
import type { StepKey } from '@countersign/domain/flows';
import type { Storage } from '@countersign/domain/storage';
import { createKeyRing, createSealedStorage } from '@countersign/sealing';
import { answerStep } from '@countersign/test-support/service/answers';
import { givenClient, givenService, type Service } from '@countersign/test-support/service/service';
import { SECRET_KEY, sealing } from './given-labels.ts';

/** What a person submits. What is left out belongs to this case alone. */
export interface PlantedCase {
  readonly reference?: string;
  readonly person?: object;
  readonly document?: object;
  /** What is on the picture of the document. */
  readonly picture?: string;
  readonly selfie?: string;
}

/** A sealed service whose submitted cases and kept warnings tests read. */
export interface World {
  readonly service: Service;
  readonly storage: Storage;
  /** What is read from the pictures that are taken next. */
  reading: DocumentReading;
  client(): Promise<Principal>;
  /** Submits a KYC case. Its `id` and the access of its subject. */
  submit(principal: Principal, planted?: PlantedCase): Promise<{ id: string; access: SubjectAccess }>;
  upload(access: SubjectAccess, target: { step: StepKey; kind: EvidenceKind }, picture: string): Promise<string>;
  /** The codes of warnings that are kept of a case, once all is computed; null without any. */
  kept(principal: Principal, id: string): Promise<readonly string[] | null>;
}

const NOTHING: DocumentReading = { outcome: 'off', readerVersion: '1', fields: {} };

export function givenWorld(stored: Storage): World {
  const reader: DocumentReader = { read: async () => world.reading };
  const service = givenService({ storage: stored, sealing, reader });
  const storage = createSealedStorage(stored, { keys: createKeyRing([SECRET_KEY]) });
  const { countersign } = service;
  let made = 0;

  const world: World = {
    service,
    storage,
    reading: NOTHING,
    client: async () => (await givenClient(service)).principal,

    async upload(access, target, picture) {
      const content = (async function* () {
        yield Buffer.concat([Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(picture)]);
      })();
      return (await countersign.subject.uploadFile(access, target, content)).file.id;
    },

    async submit(principal, planted = {}) {
      made += 1;
      const { reference = `user_${made}`, person, document, picture, selfie } = planted;
      const body = { subjectType: 'kyc', subjectReference: reference };
      const { verification } = await countersign.verifications.create(principal, body);
      const { access } = await countersign.subject.open(verification.verificationUrl.split('/').at(-1) ?? '');
      await answerStep(countersign, access, 'consent');
      const front = { step: 'document', kind: 'document_front' } as const;
      const frontFileId = await world.upload(access, front, picture ?? `document ${made}`);
      const number = `X${String(made).padStart(8, '0')}`;
      await countersign.subject.completeStep(access, 'document', {
        ...PASSPORT,
        number,
        ...document,
        frontFileId,
      });
      await countersign.subject.completeStep(access, 'person', { ...stranger(made), ...person });
      const fileId = await world.upload(access, { step: 'selfie', kind: 'selfie' }, selfie ?? `selfie ${made}`);
      await countersign.subject.completeStep(access, 'selfie', { fileId });
      await answerStep(countersign, access, 'address');
      await answerStep(countersign, access, 'attestation');
      await countersign.subject.submit(access);
      return { id: verification.id, access };
    },

    async kept({ clientId }, id) {
      await countersign.warnings.settled();
      const record = await storage.verifications.find(clientId, id);
      const warnings = record?.warnings as { readonly list: readonly { readonly code: string }[] } | null;
      return warnings?.list.map(({ code }) => code) ?? null;
    },
  };
  return world;
}

const PASSPORT = { type: 'passport', issuingCountry: 'DE', expiresOn: '2099-12-31' };

/** A person whom no other case has. */
function stranger(number: number): object {
  const letters = [...String(number)].map((digit) => String.fromCharCode(97 + Number(digit))).join('');
  return {
    firstName: 'Erika',
    lastName: `Muster${letters}`,
    dateOfBirth: '1980-01-01',
    nationalities: ['DE'],
  };
}
