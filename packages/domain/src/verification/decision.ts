import { z } from 'zod';
import { type Issue, invalidParameters } from '../errors.ts';
import { text } from '../fields/schema.ts';
import { parseInput } from '../parse.ts';
import { type Flow, type StepKey, stepOf, stepsOf } from './flow.ts';

/** Why something is asked for again, or refused (DESIGN section 8). */
export const REASON_CODES = [
  'document_unreadable',
  'document_glare',
  'document_cropped',
  'document_expired',
  'document_unsupported',
  'back_missing',
  'data_mismatch',
  'selfie_unclear',
  'selfie_mismatch',
  'address_unproven',
  'ownership_incomplete',
  'suspected_fraud',
  'withdrawn',
  'other',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

/** Reasons a reviewer may reject for: all but `withdrawn`, which the service alone gives. */
export const REJECTION_REASONS: readonly ReasonCode[] = REASON_CODES.filter((code) => code !== 'withdrawn');

/** Reasons a reviewer may ask for action for: a suspicion of fraud is never told to the subject. */
export const ACTION_REASONS: readonly ReasonCode[] = REJECTION_REASONS.filter(
  (code) => code !== 'suspected_fraud',
);

/** One step that the subject has to redo. */
export interface ActionItem {
  readonly step: StepKey;
  readonly reasonCode: ReasonCode;
  /** Shown to the subject; needed with the reason `other`. */
  readonly note: string | null;
}

/** What a reviewer asks the subject for. */
export interface ActionRequest {
  readonly message: string | null;
  readonly items: readonly ActionItem[];
  /** ISO 8601, UTC. */
  readonly requestedAt: string;
}

/** How a verification ended. */
export interface Decision {
  readonly outcome: 'approved' | 'rejected';
  readonly reasonCodes: readonly ReasonCode[];
  readonly message: string | null;
  /** ISO 8601, UTC. Equals `resolvedAt`. */
  readonly decidedAt: string;
}

/** What reviewers write for one another. It never leaves the console. */
export interface InternalNote {
  readonly text: string;
  readonly reviewerId: string | null;
  /** ISO 8601, UTC. */
  readonly writtenAt: string;
}

export interface Rejection {
  readonly reasonCodes: readonly ReasonCode[];
  /** Needed with the reason `other`. */
  readonly message?: string | undefined;
}

export interface ActionNeeded {
  readonly items: readonly {
    readonly step: string;
    readonly reasonCode: ReasonCode;
    readonly note?: string | null | undefined;
  }[];
  readonly message?: string | null | undefined;
}

/** Characters of a message to the subject, and of a note. */
export const MESSAGE_MAX = 2_000;
const message = text(MESSAGE_MAX).optional();

const rejectionSchema: z.ZodType<Rejection> = z.strictObject({
  reasonCodes: z.array(z.enum(REJECTION_REASONS)).min(1),
  message,
});

const actionSchema: z.ZodType<ActionNeeded> = z.strictObject({
  items: z
    .array(z.strictObject({ step: z.string(), reasonCode: z.enum(ACTION_REASONS), note: message.nullable() }))
    .min(1),
  message: message.nullable(),
});

/** A note as a reviewer may write it. @throws `INVALID_PARAMETERS` */
export function parseInternalNote(input: unknown): string {
  return parseInput(text(MESSAGE_MAX), input);
}

/** @throws `INVALID_PARAMETERS` */
export function parseRejection(input: unknown): Rejection {
  const rejection = parseInput(rejectionSchema, input);
  if (rejection.reasonCodes.includes('other') && rejection.message === undefined) {
    throw invalidParameters([
      { path: 'message', message: 'is required with the reason other', code: 'note_needed' },
    ]);
  }
  return { ...rejection, reasonCodes: [...new Set(rejection.reasonCodes)] };
}

/** The steps to redo, in the order of the flow: again a request, and the same one. @throws `INVALID_PARAMETERS` */
export function parseActionNeeded(flow: Flow, input: unknown): { message: string | null; items: ActionItem[] } {
  const { items, message } = parseInput(actionSchema, input);
  const issues: Issue[] = [];
  for (const [index, { step, reasonCode, note = null }] of items.entries()) {
    if (stepOf(flow, step) === null)
      issues.push({ path: `items.${index}.step`, message: `is not a step of ${flow.type}`, code: 'not_a_step' });
    if (reasonCode === 'other' && note === null) {
      issues.push({
        path: `items.${index}.note`,
        message: 'is required with the reason other',
        code: 'note_needed',
      });
    }
  }
  if (issues.length > 0) throw invalidParameters(issues);
  const parsed = items.map((item) => ({ ...item, step: item.step as StepKey, note: item.note ?? null }));
  const order = stepsOf(flow);
  return { message: message ?? null, items: parsed.sort((a, b) => order.indexOf(a.step) - order.indexOf(b.step)) };
}
