import type { CountrySpec, TextSpec } from '../fields/field-spec.ts';
import type { FormPage, StepPage, UploadPage } from '../step-page.ts';

const form = (slug: FormPage['slug'], fields: FormPage['fields']): FormPage => ({
  kind: 'form',
  step: 'person',
  slug,
  fields,
});

/** Who the person is. */
export const PERSON_PAGES: readonly StepPage[] = [
  form('name', [
    { as: 'text', name: 'firstName', label: 'firstName', autocomplete: 'given-name' },
    { as: 'text', name: 'middleNames', label: 'middleNames', autocomplete: 'additional-name', optional: true },
    { as: 'text', name: 'lastName', label: 'lastName', autocomplete: 'family-name' },
  ]),
  form('birth', [
    { as: 'date', name: 'dateOfBirth', label: 'dateOfBirth', birthday: true },
    { as: 'text', name: 'placeOfBirth.city', label: 'birthCity' },
    { as: 'country', name: 'placeOfBirth.country', label: 'birthCountry' },
  ]),
  form('nationality', [
    { as: 'countries', name: 'nationalities', label: 'nationalities' },
    { as: 'code', name: 'nationalIdNumber', label: 'nationalIdNumber', optional: true, size: 'medium' },
  ]),
  form('contact', [
    { as: 'email', name: 'email', label: 'email', autocomplete: 'email', optional: true },
    { as: 'phone', name: 'phone', label: 'phone', autocomplete: 'tel', optional: true, size: 'medium' },
  ]),
];

const proof: UploadPage = {
  kind: 'upload',
  step: 'address',
  slug: 'proof-of-address',
  evidence: 'proof_of_address',
};

/** The lines of an address. `own` lets the browser fill in the reader's. */
export function addressFields(prefix: string, own: boolean): readonly (TextSpec | CountrySpec)[] {
  const filled = (autocomplete: string) => (own ? { autocomplete } : {});
  return [
    { as: 'text', name: `${prefix}line1`, label: 'line1', ...filled('address-line1') },
    { as: 'text', name: `${prefix}line2`, label: 'line2', ...filled('address-line2'), optional: true },
    {
      as: 'text',
      name: `${prefix}postalCode`,
      label: 'postalCode',
      ...filled('postal-code'),
      optional: true,
      size: 'small',
    },
    { as: 'text', name: `${prefix}city`, label: 'city', ...filled('address-level2') },
    { as: 'text', name: `${prefix}region`, label: 'region', ...filled('address-level1'), optional: true },
    { as: 'country', name: `${prefix}country`, label: 'country', ...filled('country') },
  ];
}

/** Where the person lives. */
export const ADDRESS_PAGES: readonly StepPage[] = [
  { kind: 'form', step: 'address', slug: 'address', fields: addressFields('', true) },
  proof,
];
