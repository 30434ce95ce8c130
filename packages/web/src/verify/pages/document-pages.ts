import type { JsonObject, StepKey } from '@countersign/domain';
import type { StepPage } from '../step-page.ts';
import { valueAt } from '../value-at.ts';

/** The identity document of a person. `prefix` says where it stands in the answers: empty or `document.`. */
export function documentPages(step: StepKey, prefix: string): readonly StepPage[] {
  const hasBack = (answers: JsonObject) => valueAt(answers, `${prefix}type`) !== 'passport';
  return [
    {
      kind: 'form',
      step,
      slug: 'document',
      fields: [
        { as: 'choice', name: `${prefix}type`, label: 'documentType', choices: DOCUMENT_TYPES },
        { as: 'country', name: `${prefix}issuingCountry`, label: 'issuingCountry' },
      ],
    },
    {
      kind: 'form',
      step,
      slug: 'document-details',
      fields: [
        { as: 'code', name: `${prefix}number`, label: 'documentNumber', size: 'medium' },
        { as: 'date', name: `${prefix}expiresOn`, label: 'expiresOn', optional: true },
      ],
    },
    {
      kind: 'upload',
      step,
      slug: 'document-front',
      evidence: 'document_front',
    },
    {
      kind: 'upload',
      step,
      slug: 'document-back',
      evidence: 'document_back',
      when: hasBack,
    },
  ];
}

const DOCUMENT_TYPES = ['passport', 'id_card', 'driving_licence', 'residence_permit'] as const;

export const DOCUMENT_PAGES: readonly StepPage[] = documentPages('document', '');

export const SELFIE_PAGES: readonly StepPage[] = [
  { kind: 'upload', step: 'selfie', slug: 'selfie', evidence: 'selfie' },
];
