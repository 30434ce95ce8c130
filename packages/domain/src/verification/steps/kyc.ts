import { z } from 'zod';
import { attestation, consent } from './consent.ts';
import {
  type Address,
  addressShape,
  country,
  date,
  email,
  fileId,
  name,
  oldEnough,
  phone,
  text,
} from './fields.ts';
import { documentFiles, documentRules, documentShape, type IdentityDocument } from './identity-document.ts';
import { defineStep, reference, type Step, type StepDefinition } from './step.ts';

/** The person who is verified. */
export interface Person {
  readonly firstName: string;
  readonly middleNames?: string | undefined;
  readonly lastName: string;
  readonly dateOfBirth: string;
  readonly placeOfBirth: { readonly city: string; readonly country: string };
  readonly nationalities: readonly string[];
  readonly nationalIdNumber?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
}

/** Where the person lives. */
export interface PersonAddress extends Address {
  readonly proofFileId?: string | undefined;
}

const person: StepDefinition<Person>['fields'] = {
  firstName: name,
  middleNames: name.optional(),
  lastName: name,
  dateOfBirth: date,
  placeOfBirth: z.strictObject({ city: text(100), country }),
  nationalities: z.array(country).min(1).max(10),
  nationalIdNumber: text(50).optional(),
  email: email.optional(),
  phone: phone.optional(),
};

export type KycStepKey = 'consent' | 'person' | 'address' | 'document' | 'selfie' | 'attestation';

/** The steps of KYC in their order (DESIGN section 8). */
export const KYC_STEPS: Readonly<Record<KycStepKey, Step>> = {
  consent,
  person: defineStep<Person>({
    fields: person,
    rules: (answers, context) => oldEnough('dateOfBirth', answers.dateOfBirth, context),
  }),
  address: defineStep<PersonAddress>({
    fields: { ...addressShape, proofFileId: fileId.optional() },
    fileKinds: ['proof_of_address'],
    files: ({ proofFileId }) => reference('proofFileId', proofFileId, 'proof_of_address'),
  }),
  document: defineStep<IdentityDocument>({
    fields: documentShape,
    rules: (answers, context) => documentRules(answers, context),
    fileKinds: ['document_front', 'document_back'],
    files: (answers) => documentFiles(answers),
  }),
  selfie: defineStep<{ readonly fileId: string }>({
    fields: { fileId },
    fileKinds: ['selfie'],
    files: (answers) => reference('fileId', answers.fileId, 'selfie'),
  }),
  attestation,
};
