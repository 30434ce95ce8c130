import { z } from 'zod';
import { attestation, businessConsent } from './consent.ts';
import { type Address, addressShape, country, date, fileId, inThePast, text } from './fields.ts';
import { documentFiles, documentRules, type IdentityDocument, identityDocument } from './identity-document.ts';
import { isLei } from './lei.ts';
import { ownership } from './ownership.ts';
import { defineStep, reference, type Step, type StepDefinition } from './step.ts';

/** The business that is verified. */
export interface Business {
  readonly legalName: string;
  readonly tradingNames: readonly string[];
  readonly legalForm: string;
  readonly countryOfIncorporation: string;
  readonly registrationNumber: string;
  readonly incorporatedOn?: string | undefined;
  readonly taxId?: string | undefined;
  readonly vatNumber?: string | undefined;
  readonly lei?: string | undefined;
  readonly website?: string | undefined;
  readonly activity: string;
}

export interface BusinessAddresses {
  readonly registered: Address;
  readonly operating?: Address | undefined;
}

export interface BusinessDocuments {
  readonly registrationExtractFileId: string;
  readonly articlesFileId?: string | undefined;
  readonly ownershipChartFileId?: string | undefined;
  readonly proofOfAddressFileId?: string | undefined;
}

/** The person who acts for the business. */
export interface Representative {
  readonly document: IdentityDocument;
  readonly selfieFileId: string;
  readonly authorityFileId?: string | undefined;
}

const business: StepDefinition<Business>['fields'] = {
  legalName: text(200),
  tradingNames: z.array(text(200)).max(20),
  legalForm: text(100),
  countryOfIncorporation: country,
  registrationNumber: text(50),
  incorporatedOn: date.optional(),
  taxId: text(50).optional(),
  vatNumber: text(50).optional(),
  lei: z
    .string()
    .refine(isLei, { error: 'must be a Legal Entity Identifier (ISO 17442)', params: { code: 'not_a_lei' } })
    .optional(),
  website: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .optional(),
  activity: text(500),
};

const address = z.strictObject(addressShape);

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
  business: defineStep<Business>({
    fields: business,
    rules: ({ incorporatedOn }, context) => inThePast('incorporatedOn', incorporatedOn, context),
  }),
  addresses: defineStep<BusinessAddresses>({
    fields: { registered: address, operating: address.optional() },
  }),
  ownership,
  documents: defineStep<BusinessDocuments>({
    fields: {
      registrationExtractFileId: fileId,
      articlesFileId: fileId.optional(),
      ownershipChartFileId: fileId.optional(),
      proofOfAddressFileId: fileId.optional(),
    },
    fileKinds: ['registration_extract', 'articles', 'ownership_chart', 'proof_of_address'],
    files: (answers) => [
      ...reference('registrationExtractFileId', answers.registrationExtractFileId, 'registration_extract'),
      ...reference('articlesFileId', answers.articlesFileId, 'articles'),
      ...reference('ownershipChartFileId', answers.ownershipChartFileId, 'ownership_chart'),
      ...reference('proofOfAddressFileId', answers.proofOfAddressFileId, 'proof_of_address'),
    ],
  }),
  representative: defineStep<Representative>({
    fields: {
      document: identityDocument,
      selfieFileId: fileId,
      authorityFileId: fileId.optional(),
    },
    rules: ({ document = {} }, context) => documentRules(document, context, 'document.'),
    fileKinds: ['document_front', 'document_back', 'selfie', 'authority'],
    files: ({ document = {}, selfieFileId, authorityFileId }) => [
      ...documentFiles(document, 'document.'),
      ...reference('selfieFileId', selfieFileId, 'selfie'),
      ...reference('authorityFileId', authorityFileId, 'authority'),
    ],
  }),
  attestation,
};
