import type { RowsSpec } from '../fields/field-spec.ts';
import type { StepPage } from '../step-page.ts';

const PERSON: RowsSpec['fields'] = [
  { as: 'text', name: 'firstName', label: 'firstName' },
  { as: 'text', name: 'lastName', label: 'lastName' },
  { as: 'date', name: 'dateOfBirth', label: 'dateOfBirth' },
  { as: 'country', name: 'nationality', label: 'nationality' },
];

const OWNER: RowsSpec['fields'] = [
  ...PERSON,
  { as: 'country', name: 'country', label: 'residence' },
  { as: 'percent', name: 'ownershipPercent', label: 'ownershipPercent', size: 'small' },
  {
    as: 'choice',
    name: 'controlType',
    label: 'controlType',
    choices: ['direct_shares', 'indirect_shares', 'voting_rights', 'other'],
  },
];

/** Who directs the business, and who owns it. */
export const OWNERSHIP_PAGES: readonly StepPage[] = [
  {
    kind: 'form',
    step: 'ownership',
    slug: 'directors',
    fields: [{ as: 'rows', name: 'directors', label: 'directors', fields: PERSON }],
  },
  {
    kind: 'form',
    step: 'ownership',
    slug: 'owners',
    fields: [
      { as: 'statement', name: 'noBeneficialOwner', label: 'noBeneficialOwner', optional: true },
      { as: 'rows', name: 'beneficialOwners', label: 'beneficialOwners', fields: OWNER, optional: true },
    ],
  },
  {
    kind: 'form',
    step: 'ownership',
    slug: 'managers',
    fields: [{ as: 'rows', name: 'seniorManagers', label: 'seniorManagers', fields: PERSON }],
    when: ({ noBeneficialOwner }) => noBeneficialOwner === true,
  },
];
