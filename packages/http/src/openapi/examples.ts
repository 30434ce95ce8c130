import type {
  CreatedVerification,
  DocumentView,
  NewVerification,
  VerificationDetails,
  VerificationPage,
  VerificationView,
} from '@countersign/domain';
import type { EvidenceKind } from '@countersign/domain/evidence';
import { ALL_ASKED, currentFlow, type StepKey, stepOf, stepsOf } from '@countersign/domain/flows';
import type { DataState, RelationshipEnd } from '@countersign/domain/retention';
import { sampleFilesOf, sampleOf } from '@countersign/domain/testing';
import type { JsonSchema, Wire } from './schemas.ts';

export const VERIFICATION_ID = '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602';

const requestedAt = '2026-01-15T12:00:00.000Z';
const completedAt = '2026-01-15T12:20:00.000Z';
const resolvedAt = '2026-01-16T09:00:00.000Z';

/** The body that creates a verification. */
export const newIndividual: Omit<NewVerification, 'metadata'> = { subjectType: 'kyc', subjectReference: 'user_1' };

export const newBusiness: NewVerification = {
  subjectType: 'kyb',
  subjectReference: 'company_1',
  metadata: { tenant: 'acme', tags: ['priority'] },
};

/** A client with the return address `https://shop.example/kyc` can send it. */
export const newWithReturn: Omit<NewVerification, 'metadata'> = {
  subjectType: 'kyc',
  subjectReference: 'user_2',
  returnUrl: 'https://shop.example/kyc/done?order=7',
  locale: 'de',
};

export const created: Wire<CreatedVerification> = {
  id: VERIFICATION_ID,
  type: 'kyc',
  subjectReference: 'user_1',
  status: 'pending',
  requestedAt,
  currentStep: 0,
  verificationUrl: `https://verify.example/verify/${VERIFICATION_ID}.jqx3yLxHbHkDfwzaB9BWmmsTuxQFnDUqIF0VCzk7L3w`,
};

const flow = currentFlow('kyc');
const steps = stepsOf(flow);
const samples = { now: new Date(completedAt), minimumAge: 18, asks: ALL_ASKED };

/** One uploaded file for each that the sample answers name. */
const documents = (): readonly DocumentView[] =>
  steps
    .flatMap((step) => {
      const definition = stepOf(flow, step);
      return definition === null ? [] : sampleFilesOf(definition, samples).map((kind) => ({ step, kind }));
    })
    .map(({ step, kind }, index) => ({
      id: `01993d4c-5a80-7cc5-b4b4-3c1f0ae1a61${index}`,
      step,
      kind,
      contentType: 'image/jpeg',
      size: 182044,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      uploadedAt: '2026-01-15T12:18:00.000Z',
    }));

/** Returns the id of a file in the examples. */
export const fileId = (): string => documents()[0]?.id ?? '';

/** Sample answers to the steps of the flow, as they are stored. */
function answersTo(keys: readonly StepKey[]): JsonSchema {
  const files = documents().map((file) => ({ ...file, warnings: [] }));
  const fileIdOf = (kind: EvidenceKind): string => files.find((file) => file.kind === kind)?.id ?? '';
  return Object.fromEntries(
    keys.flatMap((key) => {
      const step = stepOf(flow, key);
      return step === null
        ? []
        : [[key, step.accept(sampleOf(step, { ...samples, fileIdOf }), { ...samples, files })]];
    }),
  );
}

export const pending = (): Wire<VerificationView> => ({
  ...created,
  resolvedAt: null,
  currentStep: 1,
  submittedData: answersTo(steps.slice(0, 1)),
  metadata: {},
});

/** The verification of `newWithReturn`. */
export const pendingWithReturn = (): Wire<VerificationView> => ({
  ...pending(),
  subjectReference: 'user_2',
  returnUrl: 'https://shop.example/kyc/done?order=7',
  locale: 'de',
});

/** After the client withdrew the verification. */
export const withdrawn = (): Wire<VerificationView> => ({ ...pending(), status: 'rejected', resolvedAt });

export const page = (): Wire<VerificationPage> => ({
  verifications: [pending()],
  pagination: { page: 1, limit: 20, totalCount: 1, totalPages: 1, hasMore: false },
});

/** One verification is damaged in the database. */
export const pageWithUnreadable = (): Wire<VerificationPage> => ({
  ...page(),
  verifications: [{ ...pending(), submittedData: {}, dataError: 'UNREADABLE' }],
});

export const emptyPage: Wire<VerificationPage> = {
  verifications: [],
  pagination: { page: 1, limit: 20, totalCount: 0, totalPages: 0, hasMore: false },
};

export const pendingDetails = (): Wire<VerificationDetails> => ({
  ...pending(),
  totalSteps: steps.length,
  steps: steps.map((key, index) =>
    index === 0 ? { key, status: 'completed', completedAt } : { key, status: 'pending', completedAt: null },
  ),
  actionNeeded: null,
  decision: null,
  documents: [],
  history: [{ status: 'pending', at: requestedAt, actor: 'client' }],
  data: { state: 'kept', until: null },
});

/** After a reviewer asked for the selfie again. */
export const actionNeededDetails = (): Wire<VerificationDetails> => ({
  ...pendingDetails(),
  status: 'action_needed',
  currentStep: steps.indexOf('selfie'),
  submittedData: answersTo(steps),
  steps: steps.map((key) => ({ key, status: key === 'selfie' ? 'action_needed' : 'completed', completedAt })),
  actionNeeded: {
    message: 'Please take one picture again.',
    items: [{ step: 'selfie', reasonCode: 'selfie_unclear', note: 'Please take it in better light.' }],
  },
  documents: documents(),
  history: [
    ...pendingDetails().history,
    { status: 'submitted', at: '2026-01-15T12:20:30.000Z', actor: 'subject' },
    { status: 'action_needed', at: '2026-01-15T14:00:00.000Z', actor: 'reviewer' },
  ],
});

const expiredAt = '2026-03-16T12:00:00.000Z';

/** After the subject did not complete the verification in time. */
export const expiredDetails = (): Wire<VerificationDetails> => ({
  ...pendingDetails(),
  status: 'rejected',
  resolvedAt: expiredAt,
  decision: { outcome: 'rejected', reasonCodes: ['expired'], message: null, decidedAt: expiredAt },
  history: [...pendingDetails().history, { status: 'rejected', at: expiredAt, actor: 'system' }],
  data: { state: 'kept', until: '2026-06-15T00:00:00.000Z' },
});

/** After a reviewer rejected the verification. */
export const rejectedDetails = (): Wire<VerificationDetails> => ({
  ...actionNeededDetails(),
  status: 'rejected',
  resolvedAt,
  currentStep: steps.length,
  steps: steps.map((key) => ({ key, status: 'completed', completedAt })),
  actionNeeded: null,
  decision: {
    outcome: 'rejected',
    reasonCodes: ['document_expired'],
    message: 'The passport has expired.',
    decidedAt: resolvedAt,
  },
  history: [
    ...actionNeededDetails().history.slice(0, 2),
    { status: 'rejected', at: resolvedAt, actor: 'reviewer' },
  ],
  data: { state: 'kept', until: '2031-01-17T00:00:00.000Z' },
});

/** After the data of a verification was erased. */
export const erasedDetails = (): Wire<VerificationDetails> => ({
  ...expiredDetails(),
  subjectReference: `erased:${VERIFICATION_ID}`,
  submittedData: {},
  steps: expiredDetails().steps.map((step) => ({ ...step, completedAt: null })),
  decision: { outcome: 'rejected', reasonCodes: [], message: null, decidedAt: expiredAt },
  data: { state: 'erased', until: null },
});

/** The end of the relationship with a subject. */
export const relationshipEnd: RelationshipEnd = { endedAt: '2026-09-30T16:00:00.000Z' };
export const relationshipGoesOn: RelationshipEnd = { endedAt: null };

/** The state of the data of an approved verification after its relationship ended. */
export const keptAfterEnd: Wire<DataState> = { state: 'kept', until: '2031-10-01T00:00:00.000Z' };

/** The state of data whose erasure was requested. */
export const erased: Wire<DataState> = { state: 'erased', until: null };
export const restricted: Wire<DataState> = { state: 'restricted', until: '2031-10-01T00:00:00.000Z' };
export const held: Wire<DataState> = { state: 'held', until: null };
