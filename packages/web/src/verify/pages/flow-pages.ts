import type { StepKey, SubjectType } from '@countersign/domain';
import type { FieldSpec } from '../fields/field-spec.ts';
import type { StepPage } from '../step-page.ts';
import {
  ADDRESSES_PAGES,
  BUSINESS_DOCUMENT_PAGES,
  BUSINESS_PAGES,
  REPRESENTATIVE_PAGES,
} from './business-pages.ts';
import { DOCUMENT_PAGES, SELFIE_PAGES } from './document-pages.ts';
import { OWNERSHIP_PAGES } from './ownership-pages.ts';
import { ADDRESS_PAGES, PERSON_PAGES } from './person-pages.ts';

const consent: StepPage = {
  kind: 'form',
  step: 'consent',
  slug: 'consent',
  intro: 'consent',
  fields: [{ as: 'statement', name: 'accepted', label: 'accepted' }],
};

const REPRESENTATIVE_FIELDS: readonly FieldSpec[] = [
  { as: 'text', name: 'representative.firstName', label: 'firstName', autocomplete: 'given-name' },
  { as: 'text', name: 'representative.lastName', label: 'lastName', autocomplete: 'family-name' },
  { as: 'text', name: 'representative.role', label: 'role', autocomplete: 'organization-title' },
  { as: 'email', name: 'representative.email', label: 'email', autocomplete: 'email' },
  {
    as: 'phone',
    name: 'representative.phone',
    label: 'phone',
    autocomplete: 'tel',
    optional: true,
    size: 'medium',
  },
];

const FLOWS: Readonly<Record<SubjectType, readonly StepPage[]>> = {
  kyc: [consent, ...PERSON_PAGES, ...ADDRESS_PAGES, ...DOCUMENT_PAGES, ...SELFIE_PAGES],
  kyb: [
    consent,
    { kind: 'form', step: 'consent', slug: 'your-details', fields: REPRESENTATIVE_FIELDS },
    ...BUSINESS_PAGES,
    ...ADDRESSES_PAGES,
    ...OWNERSHIP_PAGES,
    ...BUSINESS_DOCUMENT_PAGES,
    ...REPRESENTATIVE_PAGES,
  ],
};

/** Every page of a flow in its order. The last step, the attestation, is the page of all answers. */
export function pagesOfFlow(type: SubjectType): readonly StepPage[] {
  return FLOWS[type];
}

/** The pages of one step. */
export function pagesOfStep(type: SubjectType, step: StepKey): readonly StepPage[] {
  return FLOWS[type].filter((page) => page.step === step);
}
