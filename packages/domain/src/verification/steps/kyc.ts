import { defineStep, type Step } from '../../fields/step.ts';
import { attestation, consent } from './consent.ts';
import { oldEnough } from './minimum-age.ts';
import {
  type Address,
  addressFields,
  birthDateField,
  documentFields,
  type IdentityDocument,
  notExpired,
} from './shared-fields.ts';

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

const person: Step = defineStep<Person>({
  fields: {
    firstName: { kind: 'text', max: 100, purpose: 'given-name' },
    middleNames: { kind: 'text', max: 100, purpose: 'additional-name', optional: true },
    lastName: { kind: 'text', max: 100, purpose: 'family-name' },
    dateOfBirth: birthDateField,
    placeOfBirth: { kind: 'group', fields: { city: { kind: 'text', max: 100 }, country: { kind: 'country' } } },
    nationalities: { kind: 'list', each: { kind: 'country' }, min: 1, max: 10 },
    nationalIdNumber: { kind: 'text', max: 50, shape: 'code', optional: true },
    email: { kind: 'email', purpose: 'email', optional: true },
    phone: { kind: 'phone', purpose: 'tel', optional: true },
  },
  pages: {
    name: ['firstName', 'middleNames', 'lastName'],
    birth: ['dateOfBirth', 'placeOfBirth.city', 'placeOfBirth.country'],
    nationality: ['nationalities', 'nationalIdNumber'],
    contact: ['email', 'phone'],
  },
  rules: ({ dateOfBirth }, context) => oldEnough('dateOfBirth', dateOfBirth, context),
});

const address: Step = defineStep<PersonAddress>({
  fields: { ...addressFields, proofFileId: { kind: 'file', evidence: 'proof_of_address', optional: true } },
  pages: {
    address: ['line1', 'line2', 'postalCode', 'city', 'region', 'country'],
    'proof-of-address': ['proofFileId'],
  },
});

const document: Step = defineStep<IdentityDocument>({
  fields: documentFields,
  pages: {
    document: ['type', 'issuingCountry'],
    'document-details': ['number', 'expiresOn'],
    'document-front': ['frontFileId'],
    'document-back': ['backFileId'],
  },
  rules: (answers, context) => notExpired('expiresOn', answers, context),
});

const selfie: Step = defineStep<{ readonly fileId: string }>({
  fields: { fileId: { kind: 'file', evidence: 'selfie' } },
  pages: { selfie: ['fileId'] },
});

export type KycStepKey = 'consent' | 'document' | 'person' | 'selfie' | 'address' | 'attestation';

/** The steps of KYC in order: the document first, so that its data can prefill later steps. */
export const KYC_STEPS: Readonly<Record<KycStepKey, Step>> = {
  consent,
  document,
  person,
  selfie,
  address,
  attestation,
};
