import type { Issue } from '../errors.ts';
import type { Fields, TextField } from '../fields/field.ts';
import { isWithin } from '../fields/paths.ts';
import { fieldAt, type PlacedField } from '../fields/placed-fields.ts';
import { text, typedSchemaOf } from '../fields/schema.ts';
import { parseInput, valueAt } from '../input/parse.ts';
import { type Flow, type StepKey, stepOf, stepsOf } from './flow.ts';

/** Why a verification was rejected, or a step must be redone (DESIGN section 8). */
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
  'expired',
  'other',
] as const;
/** Why a verification was rejected or a step flagged: one of `REASON_CODES`. */
export type ReasonCode = (typeof REASON_CODES)[number];

/** Reasons of a verification that ended without a review: withdrawn by the client, or not completed in time. */
export const SYSTEM_REASONS = ['withdrawn', 'expired'] as const;
/** Why a verification ended without a review: one of `SYSTEM_REASONS`. */
export type SystemReason = (typeof SYSTEM_REASONS)[number];

/** Whether only the service gives this reason. */
export function isSystemReason(code: ReasonCode): code is SystemReason {
  return (SYSTEM_REASONS as readonly ReasonCode[]).includes(code);
}

/** Reasons for a reviewer to reject. */
export const REJECTION_REASONS: readonly ReasonCode[] = REASON_CODES.filter((code) => !isSystemReason(code));

/** Reasons to ask for action: a suspicion of fraud is never shown to the subject. */
export const ACTION_REASONS: readonly ReasonCode[] = REJECTION_REASONS.filter(
  (code) => code !== 'suspected_fraud',
);

/** Reasons that data answers, or that may be about anything. Another file answers every other reason. */
const OTHER_THAN_FILES: readonly ReasonCode[] = ['data_mismatch', 'ownership_incomplete', 'other'];

/** Whether the subject answers a request with this reason by another file. */
export function isAnsweredByFile(code: ReasonCode): boolean {
  return !OTHER_THAN_FILES.includes(code);
}

/** One step that the subject has to redo. */
export interface ActionItem {
  readonly step: StepKey;
  readonly reasonCode: ReasonCode;
  /** Shown to the subject; required with the reason `other`. */
  readonly note: string | null;
  /** The field to redo, as a path in the answers of the step; absent for the whole step. */
  readonly field?: string | undefined;
}

/** A request to redo steps. */
export interface ActionRequest {
  readonly message: string | null;
  readonly items: readonly ActionItem[];
  /** ISO 8601, UTC. */
  readonly requestedAt: string;
  /** The reviewer who gets the verification back; null in test mode. Clients never see it. */
  readonly requestedBy: string | null;
}

/** How a verification ended. */
export interface Decision {
  readonly outcome: 'approved' | 'rejected';
  readonly reasonCodes: readonly ReasonCode[];
  readonly message: string | null;
  /** ISO 8601, UTC. Equals `resolvedAt`. */
  readonly decidedAt: string;
}

/** Returns why a verification ended without a review; undefined for a reviewer's decision. */
export function systemReasonOf({ reasonCodes }: Pick<Decision, 'reasonCodes'>): SystemReason | undefined {
  return reasonCodes.find(isSystemReason);
}

/** A note for other reviewers. It never leaves the console. */
export interface InternalNote {
  readonly text: string;
  readonly reviewerId: string | null;
  /** ISO 8601, UTC. */
  readonly writtenAt: string;
}

/** What a reviewer enters to reject a verification. */
export interface Rejection {
  /** At least one. */
  readonly reasonCodes: readonly ReasonCode[];
  /** Shown to the subject; required with the reason `other`. */
  readonly message?: string | undefined;
}

/** What a reviewer enters to ask the subject for action. */
export interface ActionNeeded {
  /** The steps to redo, at least one. */
  readonly items: readonly {
    readonly step: string;
    readonly reasonCode: ReasonCode;
    /** Shown to the subject; required with the reason `other`. */
    readonly note?: string | undefined;
    /**
     * The field to redo, as a path in the answers of the step, such as `frontFileId`. If every item of a step has one, only the
     * screens with these fields are asked, and the step's other answers stay.
     */
    readonly field?: string | undefined;
  }[];
  /** Shown to the subject. */
  readonly message?: string | undefined;
}

/** Longest message to the subject and longest note, in characters. */
export const MESSAGE_MAX = 2_000;
export const messageField: TextField = { kind: 'text', shape: 'paragraph', max: MESSAGE_MAX };

/** Fields of `Rejection`. */
export const rejectionFields: Fields<Rejection> = {
  reasonCodes: {
    kind: 'list',
    each: { kind: 'choice', of: REJECTION_REASONS },
    min: 1,
    max: REJECTION_REASONS.length,
  },
  message: { ...messageField, optional: true },
};

const ITEMS_MAX = 50;

/** Fields of `ActionNeeded`. */
export const actionNeededFields: Fields<ActionNeeded> = {
  items: {
    kind: 'rows',
    fields: {
      step: { kind: 'id' },
      reasonCode: { kind: 'choice', of: ACTION_REASONS },
      note: { ...messageField, optional: true },
      field: { kind: 'id', optional: true },
    },
    min: 1,
    max: ITEMS_MAX,
  },
  message: { ...messageField, optional: true },
};

const rejectionSchema = typedSchemaOf<Rejection>(rejectionFields);
const actionNeededSchema = typedSchemaOf<ActionNeeded>(actionNeededFields);

/** Parses a note for other reviewers. @throws CountersignError `INVALID_PARAMETERS` */
export function parseInternalNote(input: unknown): string {
  return parseInput(text(MESSAGE_MAX), input);
}

/**
 * Parses a rejection: at least one reason, each once, and a message with the reason `other`.
 * @throws CountersignError `INVALID_PARAMETERS`
 */
export function parseRejection(input: unknown): Rejection {
  return parseInput(rejectionSchema(), input, (raw) => {
    const reasons = valueAt(raw, ['reasonCodes']);
    const isOther = Array.isArray(reasons) && reasons.includes('other');
    return isOther && valueAt(raw, ['message']) === undefined ? [noteNeeded('message')] : [];
  });
}

function noteNeeded(path: string): Issue {
  return { path, message: 'is required with the reason other', code: 'note_needed' };
}

/**
 * Parses a request for action: at least one step of the flow, and a note with the reason `other`.
 * @returns the steps in the order of the flow
 * @throws CountersignError `INVALID_PARAMETERS`
 */
export function parseActionNeeded(flow: Flow, input: unknown): { message: string | null; items: ActionItem[] } {
  const { items, message } = parseInput(actionNeededSchema(), input, (raw) => actionIssues(flow, raw));
  const parsed = items.map(({ step, reasonCode, note = null, field }) => ({
    step: step as StepKey,
    reasonCode,
    note,
    ...(field !== undefined && { field }),
  }));
  const order = stepsOf(flow);
  return { message: message ?? null, items: parsed.sort((a, b) => order.indexOf(a.step) - order.indexOf(b.step)) };
}

/** Finds the steps that the flow does not have and the notes that are missing, also beside other errors. */
function actionIssues(flow: Flow, input: unknown): Issue[] {
  const items = valueAt(input, ['items']);
  if (!Array.isArray(items)) return [];
  return items.slice(0, ITEMS_MAX).flatMap((item, index) => {
    const [step, reasonCode, note, field] = ['step', 'reasonCode', 'note', 'field'].map((key) =>
      valueAt(item, [key]),
    );
    const issues: Issue[] = [];
    if (typeof step === 'string' && stepOf(flow, step) === null)
      issues.push({ path: `items.${index}.step`, message: `is not a step of ${flow.type}`, code: 'not_a_step' });
    if (typeof step === 'string' && typeof field === 'string' && !isOnPage(flow, step, field)) {
      const message = `is not a field of the step ${step}`;
      issues.push({ path: `items.${index}.field`, message, code: 'unknown_field' });
    }
    if (reasonCode === 'other' && note === undefined) issues.push(noteNeeded(`items.${index}.note`));
    return issues;
  });
}

/** Whether a page asks for the field, or for what it is a part of. An unknown step has an issue of its own. */
function isOnPage(flow: Flow, key: string, field: string): boolean {
  const step = stepOf(flow, key);
  if (step === null) return true;
  const asks = ({ path, field: { by } }: PlacedField) => isWithin(field, path) && by === undefined;
  return fieldAt(step.fields, field) !== null && step.pages.some(({ fields }) => fields.some(asks));
}
