import {
  type CreatedVerification,
  EVIDENCE_CONTENT_TYPES,
  EVIDENCE_KINDS,
  EVIDENCE_MAX_BYTES,
  REASON_CODES,
  STATUSES,
  STEP_STATES,
  SUBJECT_TYPES,
  stepsOf,
  type VerificationDetails,
  type VerificationPage,
  type VerificationView,
} from '@countersign/domain';
import { z } from 'zod';
import type { Wire } from './wire.ts';

const moment = z.iso.datetime();
const step = z.enum([...new Set(SUBJECT_TYPES.flatMap(stepsOf))]);
const reasonCode = z.enum(REASON_CODES);
const anyObject = z.record(z.string(), z.unknown());

const createdFields = {
  id: z.string().meta({ description: 'Identifier of the verification, assigned by the service: a UUID.' }),
  type: z.enum(SUBJECT_TYPES).meta({ description: 'The `subjectType` sent at creation.' }),
  subjectReference: z.string().meta({ description: "The client's own identifier for the subject, as sent." }),
  status: z.enum(STATUSES),
  requestedAt: moment.meta({ description: 'Time of creation, UTC.' }),
  currentStep: z.int().min(0).meta({ description: 'How many leading steps are complete; 0 at creation.' }),
  verificationUrl: z.url().meta({ description: 'Where to send the subject to complete the verification.' }),
};

const viewFields = {
  ...createdFields,
  resolvedAt: moment.nullable().meta({ description: 'Time of resolution, UTC; null while unresolved.' }),
  submittedData: anyObject.meta({ description: 'The answers that stand, by step.' }),
  metadata: anyObject.meta({ description: 'What was sent at creation, unchanged; empty if nothing was.' }),
};

export const createdVerificationSchema: z.ZodType<Wire<CreatedVerification>> = z
  .strictObject({
    ...createdFields,
    status: z.literal('pending'),
    currentStep: z.literal(0).meta({ type: 'integer' }),
  })
  .meta({ description: 'A verification as its creation answers it.' });

export const verificationSchema: z.ZodType<Wire<VerificationView>> = z
  .strictObject(viewFields)
  .meta({ description: 'A verification.' });

const stepView = z.strictObject({
  key: step,
  status: z.enum(STEP_STATES).meta({ description: '`action_needed`: a reviewer asked for it again.' }),
  completedAt: moment.nullable().meta({ description: 'When the answers that stand were given.' }),
});

const actionNeeded = z.strictObject({
  message: z.string().nullable(),
  items: z.array(
    z.strictObject({
      step,
      reasonCode,
      note: z.string().nullable().meta({ description: 'What the subject is told about it.' }),
    }),
  ),
});

const decision = z.strictObject({
  outcome: z.enum(['approved', 'rejected']),
  reasonCodes: z.array(reasonCode).meta({ description: '`withdrawn`: taken back before it was decided.' }),
  message: z.string().nullable(),
  decidedAt: moment,
});

const document = z.strictObject({
  id: z.string(),
  step: z.string(),
  kind: z.enum(EVIDENCE_KINDS),
  contentType: z.enum(EVIDENCE_CONTENT_TYPES),
  size: z.int().min(1).max(EVIDENCE_MAX_BYTES).meta({ description: 'In bytes.' }),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description: 'Of the content, in hexadecimal.' }),
  uploadedAt: moment,
});

const historyEntry = z.strictObject({
  status: z.enum(STATUSES),
  at: moment,
  actor: z.enum(['client', 'subject', 'reviewer', 'operator', 'system']),
});

export const verificationDetailsSchema: z.ZodType<Wire<VerificationDetails>> = z
  .strictObject({
    ...viewFields,
    totalSteps: z.int().min(1),
    steps: z.array(stepView).meta({ description: 'All steps, in the order in which the subject takes them.' }),
    actionNeeded: actionNeeded
      .nullable()
      .meta({ description: 'What a reviewer asked for; null in other states.' }),
    decision: decision.nullable().meta({ description: 'How it ended; null while unresolved.' }),
    documents: z.array(document).meta({ description: 'The files that the subject uploaded.' }),
    history: z.array(historyEntry).meta({ description: 'The changes of status, oldest first.' }),
  })
  .meta({ description: 'Everything that a client may know of a verification.' });

export const verificationPageSchema: z.ZodType<Wire<VerificationPage>> = z
  .strictObject({
    verifications: z.array(verificationSchema),
    pagination: z.strictObject({
      page: z.int().min(1),
      limit: z.int().min(1),
      totalCount: z.int().min(0).meta({ description: 'How many verifications match; exact.' }),
      totalPages: z.int().min(0),
      hasMore: z.boolean().meta({ description: 'Whether further pages follow.' }),
    }),
  })
  .meta({ description: 'One page of a list.' });
