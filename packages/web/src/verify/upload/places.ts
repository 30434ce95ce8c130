import type { EvidenceKind, StepKey, SubjectType } from '@countersign/domain';

/** One picture or document that the subject is asked for. Each has a page of its own. */
export interface UploadPlace {
  readonly step: StepKey;
  readonly kind: EvidenceKind;
  /** Where the answers of the step name the file: `document.frontFileId`. */
  readonly field: string;
  /** Whether the step can be completed without it. The back of a document cannot, unless it is a passport. */
  readonly isOptional: boolean;
}

/** The uploads of a flow in the order in which they are asked for (DESIGN section 8). */
const PLACES: Readonly<Record<SubjectType, readonly UploadPlace[]>> = {
  kyc: [
    { step: 'address', kind: 'proof_of_address', field: 'proofFileId', isOptional: true },
    { step: 'document', kind: 'document_front', field: 'frontFileId', isOptional: false },
    { step: 'document', kind: 'document_back', field: 'backFileId', isOptional: false },
    { step: 'selfie', kind: 'selfie', field: 'fileId', isOptional: false },
  ],
  kyb: [
    { step: 'documents', kind: 'registration_extract', field: 'registrationExtractFileId', isOptional: false },
    { step: 'documents', kind: 'articles', field: 'articlesFileId', isOptional: true },
    { step: 'documents', kind: 'ownership_chart', field: 'ownershipChartFileId', isOptional: true },
    { step: 'documents', kind: 'proof_of_address', field: 'proofOfAddressFileId', isOptional: true },
    { step: 'representative', kind: 'document_front', field: 'document.frontFileId', isOptional: false },
    { step: 'representative', kind: 'document_back', field: 'document.backFileId', isOptional: false },
    { step: 'representative', kind: 'selfie', field: 'selfieFileId', isOptional: false },
    { step: 'representative', kind: 'authority', field: 'authorityFileId', isOptional: true },
  ],
};

/** The place of a file of this kind in this step, or null where the flow has none. */
export function uploadPlace(type: SubjectType, step: string, kind: string): UploadPlace | null {
  return PLACES[type].find((place) => place.step === step && place.kind === kind) ?? null;
}
