import type { z } from 'zod';
import type { Partly } from '../fields/field.ts';
import { withoutPaths } from '../fields/paths.ts';
import type { JsonObject } from '../input/json.ts';
import type { StepKey } from './flow.ts';
import type { BusinessConsent, Consent } from './steps/consent.ts';
import {
  type Business,
  type BusinessAddresses,
  type BusinessDocuments,
  KYB_STEPS,
  type Representative,
} from './steps/kyb.ts';
import { KYC_STEPS, type Person, type PersonAddress } from './steps/kyc.ts';
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

/**
 * Returns the current answers to a step; undefined if it was never completed. Any part may be missing: the step of the
 * verification's flow may lack it, or stored it under another kind.
 */
export function answersOf<K extends StepKey>(
  { steps }: Pick<Verification, 'steps'>,
  step: K,
): Partly<StepAnswers[K]> | undefined {
  const completed = steps[step];
  return completed === undefined ? undefined : knownParts(step, completed.answers);
}

/** The kinds of the built-in steps' fields. The consent of a business has those of a person's too. */
const BUILT_IN_STEPS: Readonly<Record<StepKey, { readonly storedSchema: z.ZodType<JsonObject> }>> = {
  ...KYC_STEPS,
  ...KYB_STEPS,
};

/** Returns the parts of stored answers that have the kind of the built-in step's field, and unknown ones. */
export function knownParts<K extends StepKey>(step: K, answers: JsonObject): Partly<StepAnswers[K]> {
  const issues = BUILT_IN_STEPS[step].storedSchema.safeParse(answers).error?.issues ?? [];
  const wrong = new Set(issues.map(({ path }) => path.map(String).join('.')));
  return withoutPaths(answers, wrong) as Partly<StepAnswers[K]>;
}
