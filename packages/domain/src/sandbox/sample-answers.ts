import type { EvidenceKind } from '../evidence/evidence-file.ts';
import type { StepAnswers } from '../verification/answers.ts';
import type { StepKey, SubjectType } from '../verification/flow.ts';
import type { BusinessConsent } from '../verification/steps/consent.ts';

/** What the made-up answers depend on. */
export interface SampleContext {
  readonly now: Date;
  readonly minimumAge: number;
  /** Ids of the files handed in with the step. */
  readonly fileIds: Readonly<Partial<Record<EvidenceKind, string>>>;
}

/** Files that the made-up answers to a step name. */
export const SAMPLE_FILES: Readonly<Partial<Record<StepKey, readonly EvidenceKind[]>>> = {
  document: ['document_front'],
  selfie: ['selfie'],
  documents: ['registration_extract'],
  representative: ['document_front', 'selfie'],
};

/** Made-up answers to one step, as a subject would give them: nobody takes them for those of somebody real. */
export function sampleAnswers(type: SubjectType, step: StepKey, context: SampleContext): object {
  if (step === 'consent') return type === 'kyc' ? consent : businessConsent;
  return SAMPLES[step](context);
}

const consent = { accepted: true, version: 'sandbox', locale: 'en' } as const;
const person = { firstName: 'Sandbox', lastName: 'Sample' };

const businessConsent: Omit<BusinessConsent, 'acceptedAt'> = {
  ...consent,
  // Reserved for examples (RFC 2606).
  representative: { ...person, role: 'Director', email: 'sandbox@example.org' },
};

const address = { line1: '1 Sandbox Street', city: 'Sampletown', postalCode: '00000', country: 'DE' };

/** Old enough wherever the minimum age stands, and not older than people get. */
const bornAt = ({ now, minimumAge }: SampleContext): string => dayInYears(now, -minimumAge - 10);

const passport = ({ now, fileIds }: SampleContext): StepAnswers['document'] => ({
  type: 'passport',
  issuingCountry: 'DE',
  number: 'SANDBOX000',
  expiresOn: dayInYears(now, 5),
  frontFileId: fileIds.document_front ?? '',
});

const SAMPLES: { readonly [K in Exclude<StepKey, 'consent'>]: (context: SampleContext) => StepAnswers[K] } = {
  person: (context) => ({
    ...person,
    dateOfBirth: bornAt(context),
    placeOfBirth: { city: address.city, country: address.country },
    nationalities: ['DE'],
    email: 'sandbox@example.org',
  }),
  address: () => address,
  document: passport,
  selfie: ({ fileIds }) => ({ fileId: fileIds.selfie ?? '' }),
  business: ({ now }) => ({
    legalName: 'Sandbox Sample GmbH',
    tradingNames: [],
    legalForm: 'GmbH',
    countryOfIncorporation: 'DE',
    registrationNumber: 'HRB 000000',
    incorporatedOn: dayInYears(now, -5),
    website: 'https://example.org',
    activity: 'Made up by the sandbox',
  }),
  addresses: () => ({ registered: address }),
  ownership: (context) => {
    const owner = { ...person, dateOfBirth: bornAt(context), nationality: 'DE' };
    return {
      directors: [owner],
      beneficialOwners: [{ ...owner, ownershipPercent: 100, controlType: 'direct_shares', country: 'DE' }],
    };
  },
  documents: ({ fileIds }) => ({ registrationExtractFileId: fileIds.registration_extract ?? '' }),
  representative: (context) => ({ document: passport(context), selfieFileId: context.fileIds.selfie ?? '' }),
  attestation: () => ({ accepted: true }),
};

/** The first of January so many years from now. */
function dayInYears(now: Date, years: number): string {
  return `${String(now.getUTCFullYear() + years).padStart(4, '0')}-01-01`;
}
