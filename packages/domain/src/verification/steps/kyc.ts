import type { Fields } from '../../fields/field.ts';
import { defineStep, type Step } from '../../fields/step.ts';
import { attestation, consent } from './consent.ts';
import { oldEnough } from './minimum-age.ts';
import type { ScreenOf } from './screen.ts';
import {
  type Address,
  addressFields,
  addressFields2,
  addressSample,
  birthDateField,
  documentFields,
  documentFields2,
  documentSample,
  type IdentityDocument,
  notExpired,
  oneNameDescription,
} from './shared-fields.ts';

/** The person who is verified. */
export interface Person {
  /** Absent for a person with one name, which `lastName` holds. Always present in flow version 1. */
  readonly firstName?: string | undefined;
  readonly middleNames?: string | undefined;
  readonly lastName: string;
  readonly dateOfBirth: string;
  /** Present if the client asks for it. Always present in flow version 1. */
  readonly placeOfBirth?: { readonly city: string; readonly country: string } | undefined;
  readonly nationalities: readonly string[];
  readonly nationalIdNumber?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
}

/** Where the person lives. */
export interface PersonAddress extends Address {
  readonly proofFileId?: string | undefined;
}

interface PersonBefore2 extends Omit<Person, 'firstName' | 'placeOfBirth'> {
  readonly firstName: string;
  readonly placeOfBirth: { readonly city: string; readonly country: string };
}

const personFields: Fields<PersonBefore2> = {
  firstName: { kind: 'text', max: 100, purpose: 'given-name' },
  middleNames: { kind: 'text', max: 100, purpose: 'additional-name', optional: true },
  lastName: { kind: 'text', max: 100, purpose: 'family-name' },
  dateOfBirth: birthDateField,
  placeOfBirth: { kind: 'group', fields: { city: { kind: 'text', max: 100 }, country: { kind: 'country' } } },
  nationalities: { kind: 'list', each: { kind: 'country' }, min: 1, max: 10 },
  nationalIdNumber: { kind: 'text', max: 50, shape: 'code', optional: true },
  email: { kind: 'email', purpose: 'email', optional: true },
  phone: { kind: 'phone', purpose: 'tel', optional: true },
};

const person: Step = defineStep<PersonBefore2>({
  fields: personFields,
  pages: {
    name: ['firstName', 'middleNames', 'lastName'],
    birth: ['dateOfBirth', 'placeOfBirth.city', 'placeOfBirth.country'],
    nationality: ['nationalities', 'nationalIdNumber'],
    contact: ['email', 'phone'],
  },
  rules: ({ dateOfBirth }, context) => oldEnough('dateOfBirth', dateOfBirth, context),
});

const person2: Step = defineStep<Person>({
  fields: {
    ...personFields,
    firstName: { ...personFields.firstName, absence: {}, description: oneNameDescription },
    middleNames: { ...personFields.middleNames, rare: true },
    placeOfBirth: {
      ...personFields.placeOfBirth,
      asked: 'placeOfBirth',
      description: 'Absent if the client did not ask for it.',
    },
    nationalIdNumber: { ...personFields.nationalIdNumber, rare: true },
    email: {
      ...personFields.email,
      rare: true,
      knownFrom: 'notify.email',
      description: 'The hosted pages do not ask for it if `notify.email` was passed.',
    },
    phone: { ...personFields.phone, rare: true },
  },
  pages: {
    person: [
      'firstName',
      'middleNames',
      'lastName',
      'dateOfBirth',
      'placeOfBirth.city',
      'placeOfBirth.country',
      'nationalities',
      'nationalIdNumber',
      'email',
      'phone',
    ],
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

const address2: Step = defineStep<PersonAddress>({
  fields: {
    ...addressFields2,
    proofFileId: { kind: 'file', evidence: 'proof_of_address', asked: 'proofOfAddress', optional: true },
  },
  pages: {
    address: ['line1', 'line2', 'postalCode', 'city', 'region', 'country'],
    'proof-of-address': ['proofFileId'],
  },
  sample: () => addressSample,
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

/** The pictures come before what they show. */
const document2: Step = defineStep<IdentityDocument>({
  fields: documentFields2,
  pages: {
    document: ['type', 'issuingCountry'],
    'document-front': ['frontFileId'],
    'document-back': ['backFileId'],
    'document-details': ['number', 'expiresOn'],
  },
  rules: (answers, context) => notExpired('expiresOn', answers, context),
  sample: documentSample,
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

/** The steps of KYC from flow version 2 on. */
export const KYC_STEPS_2: Readonly<Record<KycStepKey, Step>> = {
  ...KYC_STEPS,
  document: document2,
  person: person2,
  address: address2,
};

/** The screens of `KYC_STEPS_2`. */
export const KYC_SCREENS: readonly ScreenOf<KycStepKey>[] = [
  { slug: 'consent', parts: [{ step: 'consent', page: 'consent' }] },
  { slug: 'document', parts: [{ step: 'document', page: 'document' }] },
  { slug: 'document-front', parts: [{ step: 'document', page: 'document-front' }] },
  { slug: 'document-back', parts: [{ step: 'document', page: 'document-back' }] },
  {
    slug: 'details',
    parts: [
      { step: 'document', page: 'document-details' },
      { step: 'person', page: 'person' },
    ],
  },
  { slug: 'selfie', parts: [{ step: 'selfie', page: 'selfie' }] },
  { slug: 'address', parts: [{ step: 'address', page: 'address' }] },
  { slug: 'proof-of-address', parts: [{ step: 'address', page: 'proof-of-address' }] },
  { slug: 'check', parts: [{ step: 'attestation', page: 'check' }] },
];
