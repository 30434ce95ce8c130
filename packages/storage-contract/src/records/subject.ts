import type { Countersign, SubjectAccess, Verification } from '@countersign/domain';
import { currentFlow, stepsOf } from '@countersign/domain/flows';

/** A subject's answers to every step of KYC. Written by hand, because a storage has to keep such characters. */
const ANSWERS: Readonly<Record<string, object>> = {
  consent: { accepted: true, version: '2026-01', locale: 'de-AT' },
  person: {
    firstName: 'Zoë',
    lastName: 'O’Brien 李',
    dateOfBirth: '1990-02-28',
    placeOfBirth: { city: 'Łódź', country: 'PL' },
    nationalities: ['PL', 'IE'],
    email: 'zoe@example.com',
    phone: '+48221234567',
  },
  address: { line1: 'Straße “7”', city: 'Wien', postalCode: '1010', country: 'AT' },
  document: { type: 'passport', issuingCountry: 'PL', number: 'AB\'12"34', expiresOn: '2030-01-01' },
  selfie: {},
  attestation: { accepted: true },
};

/** Opens the subject's link. */
export function openLink(
  { subject }: Countersign,
  { verificationUrl }: { verificationUrl: string },
): ReturnType<Countersign['subject']['open']> {
  return subject.open(verificationUrl.slice('https://verify.example/verify/'.length));
}

/** Completes one step, with its file where the step takes one. */
export async function takeStep(
  { subject }: Countersign,
  access: SubjectAccess,
  step: string,
): Promise<Verification> {
  if (step === 'document') {
    const { file } = await subject.attachFile(access, picture(step, 'document_front'));
    return subject.completeStep(access, step, { ...ANSWERS[step], frontFileId: file.id });
  }
  if (step === 'selfie') {
    const { file } = await subject.attachFile(access, picture(step, 'selfie'));
    return subject.completeStep(access, step, { fileId: file.id });
  }
  return subject.completeStep(access, step, ANSWERS[step]);
}

/** Completes the steps `document` and `person` together. */
export async function takeTwoSteps({ subject }: Countersign, access: SubjectAccess): Promise<Verification> {
  const { file } = await subject.attachFile(access, picture('document', 'document_front'));
  return subject.completeSteps(access, [
    { step: 'document', input: { ...ANSWERS.document, frontFileId: file.id } },
    { step: 'person', input: ANSWERS.person },
  ]);
}

/** Completes all steps in order and submits. */
export async function completeAll(countersign: Countersign, access: SubjectAccess): Promise<Verification> {
  for (const step of stepsOf(currentFlow('kyc'))) await takeStep(countersign, access, step);
  return countersign.subject.submit(access);
}

let pictures = 0;

/** Makes the metadata of a new picture: each has a content of its own. */
function picture<K extends 'document_front' | 'selfie'>(step: string, kind: K) {
  pictures += 1;
  const sha256 = pictures.toString(16).padStart(64, '0');
  return { step, kind, contentType: 'image/webp', size: 123_456, sha256 } as const;
}
