import type { SubjectSiteOptions } from './subject-site.ts';
import { type GivenSubject, givenSubject } from './upload-subject.ts';

/** Good answers to the steps without files. */
const CONSENT = { accepted: true, version: '2026-01', locale: 'en' };
const ANSWERS = {
  person: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    dateOfBirth: '1990-12-10',
    placeOfBirth: { city: 'London', country: 'GB' },
    nationalities: ['GB'],
  },
  address: { line1: '12 St James Square', city: 'London', country: 'GB' },
};

/** A subject who has come as far as the pictures of an identity card. */
export async function givenSubjectAtDocument(options: SubjectSiteOptions = {}): Promise<GivenSubject> {
  const given = await givenSubject(options);
  const { subject } = given.countersign;
  await subject.completeStep(given.access, 'consent', CONSENT);
  await subject.saveDraft(given.access, {
    step: 'document',
    fields: ['type', 'issuingCountry', 'number'],
    input: { type: 'id_card', issuingCountry: 'DE', number: 'L01X00T47' },
  });
  return given;
}

/** A subject who has come as far as the proof of address. */
export async function givenSubjectAtAddress(options: SubjectSiteOptions = {}): Promise<GivenSubject> {
  const given = await givenSubject(options);
  await given.countersign.subject.completeStep(given.access, 'consent', CONSENT);
  await answerToSelfie(given);
  return given;
}

/** Answers what is left from the document on, and submits. */
export async function submitWithoutPages(given: GivenSubject): Promise<void> {
  const { countersign, access } = given;
  const { subject } = countersign;
  await answerToSelfie(given);
  await subject.completeStep(access, 'address', ANSWERS.address);
  await subject.completeStep(access, 'attestation', { accepted: true });
  await subject.submit(access);
}

async function answerToSelfie({ countersign: { subject }, access }: GivenSubject): Promise<void> {
  const file = { contentType: 'image/jpeg', size: 1000, sha256: 'ab'.repeat(32) } as const;
  const upload = async (step: string, kind: 'document_front' | 'document_back' | 'selfie') =>
    (await subject.attachFile(access, { step, kind, ...file })).file.id;
  await subject.completeStep(access, 'document', {
    type: 'id_card',
    issuingCountry: 'DE',
    number: 'L01X00T47',
    frontFileId: await upload('document', 'document_front'),
    backFileId: await upload('document', 'document_back'),
  });
  await subject.completeStep(access, 'person', ANSWERS.person);
  await subject.completeStep(access, 'selfie', { fileId: await upload('selfie', 'selfie') });
}
