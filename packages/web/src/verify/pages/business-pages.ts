import type { EvidenceKind } from '@countersign/domain';
import type { FieldSpec } from '../fields/field-spec.ts';
import type { StepPage, UploadPage } from '../step-page.ts';
import { documentPages } from './document-pages.ts';
import { addressFields } from './person-pages.ts';

/** What the business is. */
export const BUSINESS_PAGES: readonly StepPage[] = [
  business('business', [
    { as: 'text', name: 'legalName', label: 'legalName', autocomplete: 'organization' },
    { as: 'text', name: 'legalForm', label: 'legalForm', size: 'medium' },
    { as: 'lines', name: 'tradingNames', label: 'tradingNames', optional: true },
  ]),
  business('registration', [
    { as: 'country', name: 'countryOfIncorporation', label: 'countryOfIncorporation' },
    { as: 'code', name: 'registrationNumber', label: 'registrationNumber', size: 'medium' },
    { as: 'date', name: 'incorporatedOn', label: 'incorporatedOn', optional: true },
  ]),
  business('numbers', [
    { as: 'code', name: 'taxId', label: 'taxId', optional: true, size: 'medium' },
    { as: 'code', name: 'vatNumber', label: 'vatNumber', optional: true, size: 'medium' },
    { as: 'code', name: 'lei', label: 'lei', optional: true, size: 'medium' },
  ]),
  business('activity', [
    { as: 'long', name: 'activity', label: 'activity' },
    { as: 'website', name: 'website', label: 'website', autocomplete: 'url', optional: true },
  ]),
];

function business(slug: StepPage['slug'], fields: readonly FieldSpec[]): StepPage {
  return { kind: 'form', step: 'business', slug, fields };
}

/** Where the business is. */
export const ADDRESSES_PAGES: readonly StepPage[] = [
  { kind: 'form', step: 'addresses', slug: 'registered-address', fields: addressFields('registered.', false) },
  {
    kind: 'form',
    step: 'addresses',
    slug: 'operating-address',
    fields: [
      {
        as: 'other_address',
        name: 'operating',
        label: 'operating',
        fields: addressFields('operating.', false),
      },
    ],
  },
];

/** The documents of the business. */
export const BUSINESS_DOCUMENT_PAGES: readonly StepPage[] = [
  upload('registration-extract', 'registration_extract'),
  upload('articles', 'articles'),
  upload('ownership-chart', 'ownership_chart'),
  upload('business-proof-of-address', 'proof_of_address'),
];

function upload(slug: StepPage['slug'], evidence: EvidenceKind): UploadPage {
  return { kind: 'upload', step: 'documents', slug, evidence };
}

/** The person who acts for it. */
export const REPRESENTATIVE_PAGES: readonly StepPage[] = [
  ...documentPages('representative', 'document.'),
  {
    kind: 'upload',
    step: 'representative',
    slug: 'selfie',
    evidence: 'selfie',
  },
  {
    kind: 'upload',
    step: 'representative',
    slug: 'authority',
    evidence: 'authority',
  },
];
