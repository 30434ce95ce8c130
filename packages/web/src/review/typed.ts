import {
  type ActionItem,
  REASON_CODES,
  type ReasonCode,
  type Rejection,
  type ReviewerMove,
  type Verification,
} from '@countersign/domain';
import {
  type Action,
  approveVerification,
  askForAction,
  claimVerification,
  noteOnVerification,
  rejectVerification,
  releaseVerification,
} from '@countersign/domain/actions';
import { type Flow, stepsOf } from '@countersign/domain/flows';
import type { FormValues } from '../forms/form-values.ts';

/** Actions that the reviewer confirms. */
export type DecisionAction = 'approve' | 'reject' | 'ask';
/** An action of the console on one verification. */
export type ReviewAction = 'claim' | 'release' | 'note' | DecisionAction;

/** What was done, as results name it. */
export type Done = 'claimed' | 'released' | 'noted' | 'approved' | 'rejected' | 'asked';

/** The domain's action and move of each form, and the name of its result in `?done=`. */
export const REVIEW_ACTIONS: Readonly<
  Record<
    ReviewAction,
    { readonly entry: Action<never, Verification>; readonly move: ReviewerMove; readonly done: Done }
  >
> = {
  claim: { entry: claimVerification, move: 'claim', done: 'claimed' },
  release: { entry: releaseVerification, move: 'release', done: 'released' },
  note: { entry: noteOnVerification, move: 'note', done: 'noted' },
  approve: { entry: approveVerification, move: 'approve', done: 'approved' },
  reject: { entry: rejectVerification, move: 'reject', done: 'rejected' },
  ask: { entry: askForAction, move: 'askForAction', done: 'asked' },
};

export const DECISIONS: readonly DecisionAction[] = ['approve', 'ask', 'reject'];

export function isDecision(action: ReviewAction): action is DecisionAction {
  return (DECISIONS as readonly ReviewAction[]).includes(action);
}

/** Names of form fields. All forms are on one page, so each name begins with its action. */
export const FIELD = {
  version: 'expectedVersion',
  confirmed: 'confirmed',
  internalNote: (action: ReviewAction): string => `${action}.internalNote`,
  message: (action: ReviewAction): string => `${action}.message`,
  template: (action: ReviewAction): string => `${action}.template`,
  /** The button that inserts a template. */
  insert: 'insertTemplate',
  reasons: 'reject.reasonCodes',
  checked: 'approve.checkedWarnings',
  steps: 'ask.steps',
  reasonOf: (step: string): string => `ask.${step}.reasonCode`,
  noteOf: (step: string): string => `ask.${step}.note`,
  fieldsOf: (step: string): string => `ask.${step}.fields`,
} as const;

/** One step, or one field of a step, in the form that asks for action. */
export interface TypedItem {
  /** The name that the form sent: a step of the verification's flow, unless the form was forged. */
  readonly step: string;
  /** The path of a field that is to be redone alone; undefined for the whole step. */
  readonly field?: string;
  readonly chosen: boolean;
  /** Null if none is chosen. */
  readonly reasonCode: ReasonCode | null;
  readonly note: string;
}

/** The values of a form, as typed. */
export interface Typed {
  readonly reasonCodes: readonly ReasonCode[];
  readonly message: string;
  readonly internalNote: string;
  readonly items: readonly TypedItem[];
  /** Keys of warnings. */
  readonly checkedWarnings: readonly string[];
}

export function readTyped(values: FormValues, action: ReviewAction): Typed {
  const chosen = values.all(FIELD.steps);
  const ofFields = values.names.flatMap((name) => STEP_FIELD.exec(name)?.slice(1, 2) ?? []);
  const items = [...new Set([...chosen, ...ofFields])].flatMap((step): TypedItem[] => {
    const fields = values.all(FIELD.fieldsOf(step));
    const whole = {
      step,
      chosen: chosen.includes(step) || fields.length > 0,
      reasonCode: values.all(FIELD.reasonOf(step)).find(isReason) ?? null,
      note: values.text(FIELD.noteOf(step)),
    };
    return fields.length === 0 ? [whole] : fields.map((field) => ({ ...whole, field }));
  });
  return {
    reasonCodes: values.all(FIELD.reasons).filter(isReason),
    message: values.text(FIELD.message(action)),
    internalNote: values.text(FIELD.internalNote(action)),
    checkedWarnings: values.all(FIELD.checked),
    items: items.filter(({ chosen, reasonCode, note }) => chosen || reasonCode !== null || note !== ''),
  };
}

/** The name of a field of one step. */
const STEP_FIELD = /^ask\.(.+)\.(?:reasonCode|note|fields)$/;

function isReason(text: string): text is ReasonCode {
  return (REASON_CODES as readonly string[]).includes(text);
}

/** Returns the chosen steps of the flow that have a reason, or fields of them, in its order. */
export function itemsOf({ items }: Typed, flow: Flow): ActionItem[] {
  return stepsOf(flow).flatMap((key) =>
    items.flatMap(({ step, field, chosen, reasonCode, note }) =>
      step === key && chosen && reasonCode !== null
        ? [{ step: key, reasonCode, note: note === '' ? null : note, ...(field !== undefined && { field }) }]
        : [],
    ),
  );
}

/** Returns the input of a rejection. The domain refuses one without a reason. */
export function rejectionOf({ reasonCodes, message }: Typed): Rejection {
  return { reasonCodes, message: unlessEmpty(message) };
}

/**
 * Returns the input of a request for action, with every step that the form names: the domain refuses unknown steps and
 * missing reasons. The row of a step that is not chosen lacks `step`, so that its reason and note are not lost.
 */
export function requestOf({ items, message }: Typed): {
  readonly items: readonly object[];
  readonly message?: string;
} {
  const rows = items.map(({ step, field, chosen, reasonCode, note }) => ({
    step: chosen ? step : undefined,
    field,
    reasonCode: reasonCode ?? undefined,
    note: unlessEmpty(note),
  }));
  return { items: rows, ...(message !== '' && { message }) };
}

/** Returns the unchecked input of the domain's action. */
export function inputOf(action: ReviewAction, typed: Typed): object {
  const internalNote = unlessEmpty(typed.internalNote);
  switch (action) {
    case 'claim':
    case 'release':
      return {};
    case 'note':
      return { text: typed.internalNote };
    case 'approve':
      return { internalNote, checkedWarnings: typed.checkedWarnings };
    case 'reject':
      return { internalNote, ...rejectionOf(typed) };
    case 'ask':
      return { internalNote, ...requestOf(typed) };
    default:
      return action satisfies never;
  }
}

/** Whether the form has text that would be lost. Choices are quickly made again. */
export function hasText({ message, internalNote, items }: Typed): boolean {
  return message !== '' || internalNote !== '' || items.some(({ note }) => note !== '');
}

/** Returns typed text; undefined if it is empty. */
function unlessEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}
