import type { EvidenceKind } from '../src/evidence/evidence-file.ts';
import type { StepKey, SubjectType } from '../src/verification/flow.ts';

/** Test data: valid answers to every step. File ids are named after the file's kind. */
const document = {
  type: 'id_card',
  issuingCountry: 'DE',
  number: 'L01X00T47',
  expiresOn: '2031-05-31',
  frontFileId: 'document_front',
  backFileId: 'document_back',
};

const director = { firstName: 'Grace', lastName: 'Hopper', dateOfBirth: '1986-12-09', nationality: 'US' };
const consent = { accepted: true, version: '2026-01', locale: 'de-DE' };
const address = { line1: 'Unter den Linden 1', city: 'Berlin', postalCode: '10117', country: 'DE' };

export const GOOD_ANSWERS: Readonly<Record<SubjectType, Readonly<Partial<Record<StepKey, object>>>>> = {
  kyc: {
    consent,
    person: {
      firstName: '小町',
      lastName: "O'Brien-Łukasz",
      dateOfBirth: '1990-02-28',
      placeOfBirth: { city: 'Kraków', country: 'PL' },
      nationalities: ['PL', 'JP'],
      email: 'komachi@example.org',
      phone: '+4915112345678',
    },
    address: { ...address, proofFileId: 'proof_of_address' },
    document,
    selfie: { fileId: 'selfie' },
    attestation: { accepted: true },
  },
  kyb: {
    consent: {
      ...consent,
      representative: { firstName: 'Ada', lastName: 'Lovelace', role: 'Director', email: 'ada@example.org' },
    },
    business: {
      legalName: 'Müller & Söhne GmbH',
      tradingNames: [],
      legalForm: 'GmbH',
      countryOfIncorporation: 'DE',
      registrationNumber: 'HRB 12345',
      incorporatedOn: '2001-04-01',
      lei: '529900T8BM49AURSDO55',
      website: 'https://example.org',
      activity: 'Machine tools',
    },
    addresses: { registered: address },
    ownership: {
      directors: [director],
      beneficialOwners: [{ ...director, ownershipPercent: 33.3, controlType: 'direct_shares', country: 'DE' }],
    },
    documents: { registrationExtractFileId: 'registration_extract' },
    representative: { document, selfieFileId: 'selfie' },
    attestation: { accepted: true },
  },
};

/** The files that the valid answers to each step name. */
export const FILES_NEEDED: Readonly<Partial<Record<StepKey, readonly EvidenceKind[]>>> = {
  address: ['proof_of_address'],
  document: ['document_front', 'document_back'],
  selfie: ['selfie'],
  documents: ['registration_extract'],
  representative: ['document_front', 'document_back', 'selfie'],
};
