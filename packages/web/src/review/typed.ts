import {
  type ActionItem,
  currentFlow,
  type Flow,
  type Move,
  parseActionNeeded,
  REASON_CODES,
  type ReasonCode,
  type Rejection,
  type StepKey,
  SUBJECT_TYPES,
  stepsOf,
} from '@countersign/domain';
import type { FormValues } from '../forms/form-values.ts';

/** Actions that the reviewer confirms. */
export type DecisionAction = 'approve' | 'reject' | 'ask';
/** An action of the console on one verification. */
export type ReviewAction = 'claim' | 'release' | 'note' | DecisionAction;

/** The domain's move of each action, and the name of its result in `?done=`. */
export const REVIEW_ACTIONS: Readonly<Record<ReviewAction, { readonly move: Move; readonly done: string }>> = {
  claim: { move: 'claim', done: 'claimed' },
  release: { move: 'release', done: 'released' },
  note: { move: 'note', done: 'noted' },
  approve: { move: 'approve', done: 'approved' },
  reject: { move: 'reject', done: 'rejected' },
  ask: { move: 'askForAction', done: 'asked' },
};

export const DECISIONS: readonly DecisionAction[] = ['approve', 'reject', 'ask'];

export function isDecision(action: ReviewAction): action is DecisionAction {
  return (DECISIONS as readonly ReviewAction[]).includes(action);
}

/** Names of form fields. All forms are on one page, so each name begins with its action. */
export const FIELD = {
  version: 'expectedVersion',
  confirmed: 'confirmed',
  internalNote: (action: ReviewAction): string => `${action}.internalNote`,
  message: (action: ReviewAction): string => `${action}.message`,
  reasons: 'reject.reasonCodes',
  steps: 'ask.steps',
  reasonOf: (step: StepKey): string => `ask.${step}.reasonCode`,
  noteOf: (step: StepKey): string => `ask.${step}.note`,
} as const;

/** One step in the form that asks for action. */
export interface TypedItem {
  readonly step: StepKey;
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
}

export function readTyped(values: FormValues, action: ReviewAction, flow: Flow): Typed {
  const chosen = values.all(FIELD.steps);
  const items = stepsOf(flow).map((step) => ({
    step,
    chosen: chosen.includes(step),
    reasonCode: values.all(FIELD.reasonOf(step)).find(isReason) ?? null,
    note: values.text(FIELD.noteOf(step)),
  }));
  return {
    reasonCodes: values.all(FIELD.reasons).filter(isReason),
    message: values.text(FIELD.message(action)),
    internalNote: values.text(FIELD.internalNote(action)),
    items: items.filter(({ chosen, reasonCode, note }) => chosen || reasonCode !== null || note !== ''),
  };
}

function isReason(text: string): text is ReasonCode {
  return (REASON_CODES as readonly string[]).includes(text);
}

/** Returns the chosen steps that have a reason. */
export function itemsOf({ items }: Typed): ActionItem[] {
  return items.flatMap(({ step, chosen, reasonCode, note }) =>
    chosen && reasonCode !== null ? [{ step, reasonCode, note: note === '' ? null : note }] : [],
  );
}

/** Returns the chosen steps in the order of the flow. */
export function chosenItems({ items }: Typed): readonly TypedItem[] {
  return items.filter(({ chosen }) => chosen);
}

/** Returns the input of a rejection. */
export function rejectionOf({ reasonCodes, message }: Typed): Rejection {
  return { reasonCodes, message: unlessEmpty(message) };
}

/** Parses a request for action. @throws CountersignError `INVALID_PARAMETERS`, also if a reason is missing */
export function parseRequest(flow: Flow, typed: Typed): ReturnType<typeof parseActionNeeded> {
  const items = chosenItems(typed).map(({ step, reasonCode, note }) => ({
    step,
    reasonCode,
    note: unlessEmpty(note),
  }));
  return parseActionNeeded(flow, { items, message: unlessEmpty(typed.message) });
}

/** Returns the input of a request for action, without empty notes and messages. */
export function requestOf(
  flow: Flow,
  typed: Typed,
): {
  readonly items: readonly { readonly step: string; readonly reasonCode: ReasonCode; readonly note?: string }[];
  readonly message?: string | undefined;
} {
  const { items, message } = parseRequest(flow, typed);
  return {
    items: items.map(({ note, ...item }) => ({ ...item, ...(note !== null && { note }) })),
    message: message ?? undefined,
  };
}

/** Finds the flow whose steps a form names. A form without steps belongs to the first flow. */
export function flowNamedIn(values: FormValues): Flow {
  const ofFields = values.names.flatMap((name) => /^ask\.([^.]+)\./.exec(name)?.slice(1, 2) ?? []);
  const named = [...values.all(FIELD.steps), ...ofFields];
  const flows = SUBJECT_TYPES.map((type) => currentFlow(type));
  const fits = (flow: Flow): boolean => {
    const steps: readonly string[] = stepsOf(flow);
    return named.every((step) => steps.includes(step));
  };
  return flows.find(fits) ?? currentFlow('kyc');
}

/** Returns typed text; undefined if it is empty. */
export function unlessEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}
