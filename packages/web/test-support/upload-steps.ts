import type { StepKey } from '@countersign/domain/flows';
import { answerStep } from '@countersign/test-support/service/answers';
import type { SubjectSiteOptions } from './subject-site.ts';
import { type GivenSubject, givenSubject } from './upload-subject.ts';

/** Creates a subject who is at the pictures of an identity card. */
export async function givenSubjectAtDocument(options: SubjectSiteOptions = {}): Promise<GivenSubject> {
  const given = await givenSubject(options);
  await answer(given, ['consent']);
  await given.countersign.subject.saveDraft(given.access, {
    step: 'document',
    fields: ['type', 'issuingCountry', 'number'],
    input: { type: 'id_card', issuingCountry: 'DE', number: 'L01X00T47' },
  });
  return given;
}

/** Creates a subject who is at the proof of address. */
export async function givenSubjectAtAddress(options: SubjectSiteOptions = {}): Promise<GivenSubject> {
  const given = await givenSubject(options);
  await answer(given, ['consent', 'document', 'person', 'selfie']);
  return given;
}

/** Answers all steps from the document on and submits. */
export async function submitWithoutPages(given: GivenSubject): Promise<void> {
  await answer(given, ['document', 'person', 'selfie', 'address', 'attestation']);
  await given.countersign.subject.submit(given.access);
}

async function answer({ countersign, access }: GivenSubject, steps: readonly StepKey[]): Promise<void> {
  for (const step of steps) await answerStep(countersign, access, step);
}
