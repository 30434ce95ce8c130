import type { Issue } from '../../errors.ts';
import type { EvidenceKind } from '../../evidence/evidence-file.ts';
import type { DateField, Fields, Partly } from '../../fields/field.ts';
import { type SampleContext, sampleDay } from '../../fields/sample.ts';
import type { StepContext } from '../../fields/step.ts';

const DOCUMENT_TYPES = ['passport', 'id_card', 'driving_licence', 'residence_permit'] as const;
type DocumentType = (typeof DOCUMENT_TYPES)[number];

const TYPES_WITH_BACK: readonly DocumentType[] = DOCUMENT_TYPES.filter((type) => type !== 'passport');

/** The picture that shows the machine-readable zone. All passports have one, and many identity cards. */
export const ZONE_PICTURES: Readonly<Record<string, EvidenceKind>> = {
  passport: 'document_front',
  id_card: 'document_back',
} satisfies Partial<Record<DocumentType, EvidenceKind>>;

/** An identity document of a person, with its pictures. */
export interface IdentityDocument {
  readonly type: DocumentType;
  readonly issuingCountry: string;
  readonly number: string;
  /** A passport has one. */
  readonly expiresOn?: string | undefined;
  readonly frontFileId: string;
  /** Required unless the document is a passport. */
  readonly backFileId?: string | undefined;
}

export const documentFields: Fields<IdentityDocument> = {
  type: { kind: 'choice', of: DOCUMENT_TYPES, readAs: 'type' },
  issuingCountry: { kind: 'country', proposed: true, readAs: 'issuingCountry' },
  number: {
    kind: 'text',
    max: 50,
    shape: 'code',
    readAs: 'documentNumber',
    indexedAs: { purpose: 'document_number', country: 'issuingCountry' },
  },
  expiresOn: {
    kind: 'date',
    readAs: 'expiresOn',
    absence: { type: TYPES_WITH_BACK },
    description: 'Absent for a document without an expiry date. A passport has one.',
  },
  frontFileId: { kind: 'file', evidence: 'document_front', isRead: true },
  backFileId: { kind: 'file', evidence: 'document_back', isRead: true, when: { type: TYPES_WITH_BACK } },
};

const SAMPLE_YEARS_LEFT = 5;

/** A sample document that has not expired. */
export const documentSample = ({ now }: SampleContext): Pick<IdentityDocument, 'expiresOn'> => ({
  expiresOn: sampleDay(now, SAMPLE_YEARS_LEFT),
});

/** Refuses a document that expired before today. */
export function notExpired(path: string, { expiresOn }: Partly<IdentityDocument>, { now }: StepContext): Issue[] {
  if (expiresOn === undefined || expiresOn >= dayOf(now)) return [];
  return [{ path, message: 'is in the past: the document has expired', code: 'document_expired' }];
}

/** The name of a person. */
export interface PersonName {
  /** Absent for a person with one name, which `lastName` holds. Always present in flow version 1. */
  readonly firstName?: string | undefined;
  readonly lastName: string;
}

export const nameFields: Fields<PersonName> = {
  firstName: {
    kind: 'text',
    max: 100,
    purpose: 'given-name',
    absence: {},
    description: 'Absent for a person with one name, which `lastName` holds.',
  },
  lastName: { kind: 'text', max: 100, purpose: 'family-name' },
};

/** When a person was born. No living person was born earlier. */
export const birthDateField: DateField = { kind: 'date', purpose: 'birth-date', notBefore: '1900-01-01' };

/** A postal address. `country` is an ISO 3166-1 alpha-2 code. */
export interface Address {
  readonly line1: string;
  readonly line2?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly city: string;
  readonly region?: string | undefined;
  readonly country: string;
}

export const addressFields: Fields<Address> = {
  line1: { kind: 'text', max: 200, purpose: 'address-line1' },
  line2: { kind: 'text', max: 200, purpose: 'address-line2', optional: true },
  postalCode: { kind: 'text', max: 20, purpose: 'postal-code', optional: true },
  city: { kind: 'text', max: 100, purpose: 'address-level2' },
  region: { kind: 'text', max: 100, purpose: 'address-level1', optional: true },
  country: { kind: 'country', purpose: 'country', decides: 'address', proposed: true },
};

/** What a sample address of Germany needs beside the required fields. */
export const addressSample: Pick<Address, 'postalCode'> = { postalCode: '10115' };

/** Returns the calendar day in UTC. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** Requires a date before today, such as a birth or an incorporation. */
export function inThePast(path: string, value: string | undefined, { now }: StepContext): Issue[] {
  if (value === undefined || value < dayOf(now)) return [];
  return [{ path, message: 'must be in the past', code: 'not_in_the_past' }];
}
