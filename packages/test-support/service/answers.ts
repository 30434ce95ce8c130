import type { Countersign, SubjectAccess, SubjectType } from '@countersign/domain';
import type { EvidenceKind } from '@countersign/domain/evidence';
import type { StepKey } from '@countersign/domain/flows';

type Upload = (kind: EvidenceKind) => Promise<string>;

const consent = { accepted: true, version: '2026-01', locale: 'de-DE' };
const address = { line1: 'Unter den Linden 1', city: 'Berlin', postalCode: '10117', country: 'DE' };
const person = { firstName: 'Grace', lastName: 'Hopper', dateOfBirth: '1986-12-09', nationality: 'US' };

const document = async (upload: Upload) => ({
  type: 'passport',
  issuingCountry: 'DE',
  number: 'C01X00T47',
  expiresOn: '2099-12-31',
  frontFileId: await upload('document_front'),
});

/** Valid answers to each step, which upload their files first. */
const ANSWERS: Readonly<
  Record<SubjectType, Readonly<Partial<Record<StepKey, (upload: Upload) => object | Promise<object>>>>>
> = {
  kyc: {
    consent: () => consent,
    person: () => ({
      firstName: 'Ada',
      lastName: 'Lovelace',
      dateOfBirth: '1990-12-10',
      placeOfBirth: { city: 'London', country: 'GB' },
      nationalities: ['GB'],
    }),
    address: () => address,
    document,
    selfie: async (upload) => ({ fileId: await upload('selfie') }),
    attestation: () => ({ accepted: true }),
  },
  kyb: {
    consent: () => ({
      ...consent,
      representative: { firstName: 'Ada', lastName: 'Lovelace', role: 'Director', email: 'ada@example.org' },
    }),
    business: () => ({
      legalName: 'Example GmbH',
      tradingNames: [],
      legalForm: 'GmbH',
      countryOfIncorporation: 'DE',
      registrationNumber: 'HRB 1',
      activity: 'Machine tools',
    }),
    addresses: () => ({ registered: address }),
    ownership: () => ({ directors: [person], noBeneficialOwner: true, seniorManagers: [person] }),
    documents: async (upload) => ({ registrationExtractFileId: await upload('registration_extract') }),
    representative: async (upload) => ({ document: await document(upload), selfieFileId: await upload('selfie') }),
    attestation: () => ({ accepted: true }),
  },
};

/** Completes one step with valid answers. */
export function answerStep(
  countersign: Countersign,
  access: SubjectAccess,
  type: SubjectType,
  step: StepKey,
): Promise<void> {
  return answerSteps(countersign, access, type, [step]);
}

/** Completes steps together with valid answers. Only the first one may take files. */
export async function answerSteps(
  { subject }: Countersign,
  access: SubjectAccess,
  type: SubjectType,
  steps: readonly StepKey[],
): Promise<void> {
  const answered: { step: StepKey; input: unknown }[] = [];
  for (const step of steps) answered.push({ step, input: await ANSWERS[type][step]?.(uploadFor(step)) });
  await subject.completeSteps(access, answered);

  function uploadFor(step: StepKey): Upload {
    return async (kind) => {
      const { files } = await subject.read(access);
      // The same in two services that a test compares.
      const sha256 = Buffer.from(`${kind} ${files.length}`).toString('hex').padEnd(64, '0').slice(0, 64);
      const content = { contentType: 'image/jpeg', size: 1000, sha256 } as const;
      return (await subject.attachFile(access, { step, kind, ...content })).file.id;
    };
  }
}
