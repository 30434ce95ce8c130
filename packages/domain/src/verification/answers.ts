import type { JsonObject } from '../json.ts';
import type { StepKey } from './flow.ts';
import type { BusinessConsent, Consent } from './steps/consent.ts';
import type { Business, BusinessAddresses, BusinessDocuments, Representative } from './steps/kyb.ts';
import type { Person, PersonAddress } from './steps/kyc.ts';
import type { Ownership } from './steps/ownership.ts';
import type { IdentityDocument } from './steps/shared-fields.ts';
import type { Verification } from './verification.ts';

/** The accepted answers of each step. */
export interface StepAnswers {
  readonly consent: Consent | BusinessConsent;
  readonly person: Person;
  readonly address: PersonAddress;
  readonly document: IdentityDocument;
  readonly selfie: { readonly fileId: string };
  readonly business: Business;
  readonly addresses: BusinessAddresses;
  readonly ownership: Ownership;
  readonly documents: BusinessDocuments;
  readonly representative: Representative;
  readonly attestation: { readonly accepted: true };
}

/** Returns the current answers to a step; undefined if it was never completed. */
export function answersOf<K extends StepKey>({ steps }: Verification, step: K): StepAnswers[K] | undefined {
  const completed = steps[step];
  return completed === undefined ? undefined : acceptedAs(step, completed.answers);
}

/** Returns accepted answers with the type of their step. They were checked when they were submitted. */
export function acceptedAs<K extends StepKey>(_step: K, answers: JsonObject): StepAnswers[K] {
  return answers as unknown as StepAnswers[K];
}
