import type { TextCheck } from '../../fields/field.ts';
import { defineStep, type Step } from '../../fields/step.ts';
import { attestation, businessConsent } from './consent.ts';
import { ownership } from './ownership.ts';
import { type ScreenOf, screenOf, screensOfPages } from './screen.ts';
import {
  type Address,
  addressFields,
  addressSample,
  documentFields,
  documentSample,
  type IdentityDocument,
  inThePast,
  notExpired,
} from './shared-fields.ts';

/** The business that is verified. */
export interface Business {
  readonly legalName: string;
  readonly legalForm: string;
  readonly tradingNames: readonly string[];
  readonly countryOfIncorporation: string;
  readonly registrationNumber: string;
  readonly incorporatedOn?: string | undefined;
  readonly taxId?: string | undefined;
  readonly vatNumber?: string | undefined;
  readonly lei?: string | undefined;
  readonly activity: string;
  readonly website?: string | undefined;
}

/** The answers of the step `address` of a business. Without `operating`, it operates at its registered address. */
export interface BusinessAddresses {
  readonly registered: Address;
  readonly operating?: Address | undefined;
}

/** The answers of the step `documents` of a business: ids of uploaded files. */
export interface BusinessDocuments {
  readonly registrationExtractFileId: string;
  readonly articlesFileId?: string | undefined;
  readonly ownershipChartFileId?: string | undefined;
  readonly proofOfAddressFileId?: string | undefined;
}

/** The representative of the business. */
export interface Representative {
  readonly document: IdentityDocument;
  readonly selfieFileId: string;
  readonly authorityFileId?: string | undefined;
}

/** Length of a Legal Entity Identifier, in characters (ISO 17442). */
export const LEI_LENGTH = 20;

/** The first day of a registration. The oldest companies in registers of today were founded in the 17th century. */
const FIRST_INCORPORATION = '1600-01-01';

const LEI: TextCheck = {
  test: isLei,
  code: 'not_a_lei',
  message: 'must be a Legal Entity Identifier (ISO 17442)',
};

const business: Step = defineStep<Business>({
  fields: {
    legalName: { kind: 'text', max: 200, purpose: 'organization' },
    legalForm: { kind: 'text', max: 100 },
    tradingNames: { kind: 'list', each: { kind: 'text', max: 200 }, max: 20 },
    countryOfIncorporation: { kind: 'country', proposed: true },
    registrationNumber: { kind: 'text', max: 50, shape: 'code' },
    incorporatedOn: { kind: 'date', notBefore: FIRST_INCORPORATION, optional: true },
    taxId: { kind: 'text', max: 50, shape: 'code', optional: true },
    vatNumber: { kind: 'text', max: 50, shape: 'code', optional: true },
    lei: { kind: 'text', max: 20, shape: 'code', check: LEI, optional: true },
    activity: { kind: 'text', max: 500, shape: 'paragraph' },
    website: { kind: 'website', purpose: 'url', optional: true },
  },
  pages: {
    business: ['legalName', 'legalForm', 'tradingNames'],
    registration: ['countryOfIncorporation', 'registrationNumber', 'incorporatedOn'],
    activity: ['activity', 'website'],
    numbers: ['taxId', 'vatNumber', 'lei'],
  },
  rules: ({ incorporatedOn }, context) => inThePast('incorporatedOn', incorporatedOn, context),
});

const addresses: Step = defineStep<BusinessAddresses>({
  fields: {
    registered: { kind: 'group', fields: addressFields, about: 'other' },
    operating: { kind: 'group', fields: addressFields, about: 'other', sameAs: 'registered', optional: true },
  },
  pages: { 'registered-address': ['registered'], 'operating-address': ['operating'] },
  sample: () => ({ registered: addressSample }),
});

const documents: Step = defineStep<BusinessDocuments>({
  fields: {
    registrationExtractFileId: { kind: 'file', evidence: 'registration_extract' },
    articlesFileId: { kind: 'file', evidence: 'articles', optional: true },
    ownershipChartFileId: { kind: 'file', evidence: 'ownership_chart', optional: true },
    proofOfAddressFileId: {
      kind: 'file',
      evidence: 'proof_of_address',
      asked: 'proofOfAddress',
      optional: true,
    },
  },
  pages: {
    'registration-extract': ['registrationExtractFileId'],
    articles: ['articlesFileId'],
    'ownership-chart': ['ownershipChartFileId'],
    'business-proof-of-address': ['proofOfAddressFileId'],
  },
});

const representative: Step = defineStep<Representative>({
  fields: {
    document: { kind: 'group', fields: documentFields },
    selfieFileId: { kind: 'file', evidence: 'selfie' },
    authorityFileId: { kind: 'file', evidence: 'authority', optional: true },
  },
  pages: {
    document: ['document.type', 'document.issuingCountry'],
    'document-front': ['document.frontFileId'],
    'document-back': ['document.backFileId'],
    'document-details': ['document.number', 'document.expiresOn'],
    selfie: ['selfieFileId'],
    authority: ['authorityFileId'],
  },
  rules: ({ document = {} }, context) => notExpired('document.expiresOn', document, context),
  sample: (context) => ({ document: documentSample(context) }),
});

export type KybStepKey =
  | 'consent'
  | 'business'
  | 'addresses'
  | 'ownership'
  | 'documents'
  | 'representative'
  | 'attestation';

/** The steps of KYB in their order (DESIGN section 8). */
export const KYB_STEPS: Readonly<Record<KybStepKey, Step>> = {
  consent: businessConsent,
  business,
  addresses,
  ownership,
  documents,
  representative,
  attestation,
};

/** The screens of `KYB_STEPS`. */
export const KYB_SCREENS: readonly ScreenOf<KybStepKey>[] = [
  screenOf('consent', 'consent', 'consent', 'your-details'),
  screenOf('business', 'business', 'business', 'registration'),
  screenOf('activity', 'business', 'activity', 'numbers'),
  screenOf('addresses', 'addresses', 'registered-address', 'operating-address'),
  ...screensOfPages('ownership', 'directors', 'owners', 'managers'),
  ...screensOfPages(
    'documents',
    'registration-extract',
    'articles',
    'ownership-chart',
    'business-proof-of-address',
  ),
  ...screensOfPages('representative', 'document', 'document-front', 'document-back'),
  screenOf('details', 'representative', 'document-details'),
  ...screensOfPages('representative', 'selfie', 'authority'),
  ...screensOfPages('attestation', 'check'),
];

const FORMAT = /^[A-Z0-9]{18}\d{2}$/;
const MODULUS = 97;

/** Whether the text is a Legal Entity Identifier with correct check digits (ISO 17442; ISO 7064 MOD 97-10). */
export function isLei(text: string): boolean {
  if (!FORMAT.test(text)) return false;
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % MODULUS;
  }
  return remainder === 1;
}
