import { defineStep, type Step } from '../../fields/step.ts';
import { attestation, consent } from './consent.ts';
import { oldEnough } from './minimum-age.ts';
import { type ScreenOf, screensOfPages } from './screen.ts';
import {
  type Address,
  addressFields,
  addressSample,
  birthDateField,
  documentFields,
  documentSample,
  type IdentityDocument,
  nameFields,
  notExpired,
  type PersonName,
} from './shared-fields.ts';

/** The person who is verified. */
export interface Person extends PersonName {
  readonly middleNames?: string | undefined;
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

const person: Step = defineStep<Person>({
  fields: {
    firstName: { ...nameFields.firstName, readAs: 'firstName' },
    middleNames: { kind: 'text', max: 100, purpose: 'additional-name', rare: true, optional: true },
    lastName: { ...nameFields.lastName, readAs: 'lastName' },
    dateOfBirth: { ...birthDateField, readAs: 'dateOfBirth' },
    placeOfBirth: {
      kind: 'group',
      fields: { city: { kind: 'text', max: 100 }, country: { kind: 'country' } },
      asked: 'placeOfBirth',
      description: 'Absent if the client did not ask for it.',
    },
    nationalities: { kind: 'list', each: { kind: 'country' }, min: 1, max: 10, readAs: 'nationality' },
    nationalIdNumber: {
      kind: 'text',
      max: 50,
      shape: 'code',
      rare: true,
      optional: true,
      indexedAs: { purpose: 'national_id', country: 'nationalities' },
    },
    email: {
      kind: 'email',
      purpose: 'email',
      rare: true,
      knownFrom: 'notify.email',
      optional: true,
      description: 'The hosted pages do not ask for it if `notify.email` was passed.',
    },
    phone: { kind: 'phone', purpose: 'tel', rare: true, optional: true },
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
  fields: {
    ...addressFields,
    proofFileId: { kind: 'file', evidence: 'proof_of_address', asked: 'proofOfAddress', optional: true },
  },
  pages: {
    address: ['line1', 'line2', 'postalCode', 'city', 'region', 'country'],
    'proof-of-address': ['proofFileId'],
  },
  sample: () => addressSample,
});

/** The pictures come before what they show. */
const document: Step = defineStep<IdentityDocument>({
  fields: documentFields,
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

/** The screens of `KYC_STEPS`. */
export const KYC_SCREENS: readonly ScreenOf<KycStepKey>[] = [
  ...screensOfPages('consent', 'consent'),
  ...screensOfPages('document', 'document', 'document-front', 'document-back'),
  {
    slug: 'details',
    parts: [
      { step: 'document', page: 'document-details' },
      { step: 'person', page: 'person' },
    ],
  },
  ...screensOfPages('selfie', 'selfie'),
  ...screensOfPages('address', 'address', 'proof-of-address'),
  ...screensOfPages('attestation', 'check'),
];
