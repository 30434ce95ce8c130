import type { EarlierStep } from '../../fields/earlier-step.ts';
import type { Step } from '../../fields/step.ts';
import { KYB_STEPS, type KybStepKey } from './kyb.ts';
import { KYC_STEPS, type KycStepKey } from './kyc.ts';

/*
 * What flow version 1 had otherwise, for verifications that began with it: a first name was required, of each document the expiry date
 * was optional, an address was the same in every country, no country was proposed, no client had settings, and each page was a screen.
 */

type Changes = NonNullable<EarlierStep['fields']>;

const required = { absence: undefined, description: undefined };
const notRare = { rare: undefined };
const notProposed = { proposed: undefined };
const alwaysAsked = { asked: undefined, description: undefined };

const documentChanges: Changes = { issuingCountry: notProposed, expiresOn: { ...required, optional: true } };
const addressChanges: Changes = { country: { ...notProposed, decides: undefined } };

/** Returns the changes of fields that stand within a group or rows. */
function within(path: string, changes: Changes): Changes {
  return Object.fromEntries(Object.entries(changes).map(([key, change]) => [`${path}.${key}`, change]));
}

/** The steps of KYC in flow version 1. */
export const KYC_STEPS_1: Readonly<Record<KycStepKey, Step>> = {
  ...KYC_STEPS,
  document: KYC_STEPS.document.earlier({
    fields: documentChanges,
    pages: {
      document: ['type', 'issuingCountry'],
      'document-details': ['number', 'expiresOn'],
      'document-front': ['frontFileId'],
      'document-back': ['backFileId'],
    },
  }),
  person: KYC_STEPS.person.earlier({
    fields: {
      firstName: required,
      middleNames: notRare,
      placeOfBirth: alwaysAsked,
      nationalIdNumber: notRare,
      email: { ...notRare, knownFrom: undefined, description: undefined },
      phone: notRare,
    },
    pages: {
      name: ['firstName', 'middleNames', 'lastName'],
      birth: ['dateOfBirth', 'placeOfBirth.city', 'placeOfBirth.country'],
      nationality: ['nationalities', 'nationalIdNumber'],
      contact: ['email', 'phone'],
    },
  }),
  address: KYC_STEPS.address.earlier({ fields: { ...addressChanges, proofFileId: alwaysAsked } }),
};

/** The steps of KYB in flow version 1. */
export const KYB_STEPS_1: Readonly<Record<KybStepKey, Step>> = {
  ...KYB_STEPS,
  consent: KYB_STEPS.consent.earlier({ fields: { 'representative.firstName': required } }),
  business: KYB_STEPS.business.earlier({
    fields: { countryOfIncorporation: notProposed },
    pages: {
      business: ['legalName', 'legalForm', 'tradingNames'],
      registration: ['countryOfIncorporation', 'registrationNumber', 'incorporatedOn'],
      numbers: ['taxId', 'vatNumber', 'lei'],
      activity: ['activity', 'website'],
    },
  }),
  addresses: KYB_STEPS.addresses.earlier({
    fields: { ...within('registered', addressChanges), ...within('operating', addressChanges) },
  }),
  ownership: KYB_STEPS.ownership.earlier({
    fields: {
      'directors.firstName': required,
      'beneficialOwners.firstName': required,
      'seniorManagers.firstName': required,
    },
  }),
  documents: KYB_STEPS.documents.earlier({ fields: { proofOfAddressFileId: alwaysAsked } }),
  representative: KYB_STEPS.representative.earlier({
    fields: within('document', documentChanges),
    pages: {
      document: ['document.type', 'document.issuingCountry'],
      'document-details': ['document.number', 'document.expiresOn'],
      'document-front': ['document.frontFileId'],
      'document-back': ['document.backFileId'],
      selfie: ['selfieFileId'],
      authority: ['authorityFileId'],
    },
  }),
};
