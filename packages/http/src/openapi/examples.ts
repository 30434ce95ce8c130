import type {
  CreatedVerification,
  NewVerification,
  VerificationDetails,
  VerificationPage,
  VerificationView,
} from '@countersign/domain';
import type { Wire } from './schemas.ts';

export const VERIFICATION_ID = '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602';

const verificationUrl = `https://verify.example/verify/${VERIFICATION_ID}.jqx3yLxHbHkDfwzaB9BWmmsTuxQFnDUqIF0VCzk7L3w`;

/** The body that creates a verification. */
export const newIndividual: Omit<NewVerification, 'metadata'> = { subjectType: 'kyc', subjectReference: 'user_1' };

export const newBusiness: NewVerification = {
  subjectType: 'kyb',
  subjectReference: 'company_1',
  metadata: { tenant: 'acme', tags: ['priority'] },
};

export const created: Wire<CreatedVerification> = {
  id: VERIFICATION_ID,
  type: 'kyc',
  subjectReference: 'user_1',
  status: 'pending',
  requestedAt: '2026-01-15T12:00:00.000Z',
  currentStep: 0,
  verificationUrl,
};

export const pending: Wire<VerificationView> = {
  id: VERIFICATION_ID,
  type: 'kyc',
  subjectReference: 'user_1',
  status: 'pending',
  requestedAt: '2026-01-15T12:00:00.000Z',
  resolvedAt: null,
  currentStep: 1,
  verificationUrl,
  submittedData: {
    consent: { accepted: true, version: '2026-01', locale: 'en', acceptedAt: '2026-01-15T12:05:00.000Z' },
  },
  metadata: {},
};

export const page: Wire<VerificationPage> = {
  verifications: [pending],
  pagination: { page: 1, limit: 20, totalCount: 1, totalPages: 1, hasMore: false },
};

/** One verification is damaged in the database. */
export const pageWithUnreadable: Wire<VerificationPage> = {
  verifications: [{ ...pending, submittedData: {}, metadata: {}, dataError: 'UNREADABLE' }],
  pagination: page.pagination,
};

export const emptyPage: Wire<VerificationPage> = {
  verifications: [],
  pagination: { page: 1, limit: 20, totalCount: 0, totalPages: 0, hasMore: false },
};

export const pendingDetails: Wire<VerificationDetails> = {
  ...pending,
  totalSteps: 6,
  steps: [
    { key: 'consent', status: 'completed', completedAt: '2026-01-15T12:05:00.000Z' },
    { key: 'document', status: 'pending', completedAt: null },
    { key: 'person', status: 'pending', completedAt: null },
    { key: 'selfie', status: 'pending', completedAt: null },
    { key: 'address', status: 'pending', completedAt: null },
    { key: 'attestation', status: 'pending', completedAt: null },
  ],
  actionNeeded: null,
  decision: null,
  documents: [],
  history: [{ status: 'pending', at: '2026-01-15T12:00:00.000Z', actor: 'client' }],
};

const completedAt = '2026-01-15T12:20:00.000Z';

/** After a reviewer asked for the selfie again. */
export const actionNeededDetails: Wire<VerificationDetails> = {
  ...pendingDetails,
  status: 'action_needed',
  currentStep: 3,
  submittedData: {
    consent: pending.submittedData.consent,
    selfie: { fileId: '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a603' },
  },
  steps: [
    { key: 'consent', status: 'completed', completedAt },
    { key: 'document', status: 'completed', completedAt },
    { key: 'person', status: 'completed', completedAt },
    { key: 'selfie', status: 'action_needed', completedAt },
    { key: 'address', status: 'completed', completedAt },
    { key: 'attestation', status: 'completed', completedAt },
  ],
  actionNeeded: {
    message: 'Please take one picture again.',
    items: [{ step: 'selfie', reasonCode: 'selfie_unclear', note: 'Please take it in better light.' }],
  },
  documents: [
    {
      id: '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a603',
      step: 'selfie',
      kind: 'selfie',
      contentType: 'image/jpeg',
      size: 182044,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      uploadedAt: '2026-01-15T12:18:00.000Z',
    },
  ],
  history: [
    { status: 'pending', at: '2026-01-15T12:00:00.000Z', actor: 'client' },
    { status: 'submitted', at: '2026-01-15T12:20:30.000Z', actor: 'subject' },
    { status: 'action_needed', at: '2026-01-15T14:00:00.000Z', actor: 'reviewer' },
  ],
};

/** After a reviewer rejected the verification. */
export const rejectedDetails: Wire<VerificationDetails> = {
  ...actionNeededDetails,
  status: 'rejected',
  resolvedAt: '2026-01-16T09:00:00.000Z',
  currentStep: 6,
  steps: actionNeededDetails.steps.map(({ key }) => ({ key, status: 'completed', completedAt })),
  actionNeeded: null,
  decision: {
    outcome: 'rejected',
    reasonCodes: ['document_expired'],
    message: 'The passport has expired.',
    decidedAt: '2026-01-16T09:00:00.000Z',
  },
  history: [
    { status: 'pending', at: '2026-01-15T12:00:00.000Z', actor: 'client' },
    { status: 'submitted', at: '2026-01-15T12:20:30.000Z', actor: 'subject' },
    { status: 'rejected', at: '2026-01-16T09:00:00.000Z', actor: 'reviewer' },
  ],
};
