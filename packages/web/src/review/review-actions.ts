import { type Issue, isCountersignError, isMovePossible } from '@countersign/domain';
import { openForReview, previewDecision } from '@countersign/domain/actions';
import type { Context, Handler } from 'hono';
import { type FormValues, readForm } from '../forms/form-values.ts';
import { type KeptFor, keepForm, statusOfKept, takeKeptForm } from '../forms/kept-form.ts';
import { PageError } from '../site/errors.ts';
import { redirectTo, type StaffEnv } from '../staff/area.tsx';
import { toNextCase, workQuery } from './next-case.tsx';
import { reviewPath } from './paths.ts';
import { isValid, type Problems, problemsOf } from './problems.ts';
import { answerReviewPage, reviewPage, viewOf } from './review-page.tsx';
import { type ConflictCode, conflictCodeOf, conflictOf } from './review-view.ts';
import { insertTemplate } from './templates.tsx';
import {
  type DecisionAction,
  FIELD,
  hasText,
  inputOf,
  isDecision,
  REVIEW_ACTIONS,
  type ReviewAction,
  readTyped,
} from './typed.ts';

const CONFLICT = 409;
const UNPROCESSABLE = 422;

/**
 * Handles the form of a review action. A valid decision that is not confirmed yet is shown again with what follows from it. Everything
 * else goes to the domain, which runs or refuses it and records either. A decision leads to the next case. After a refusal the page shows
 * the typed values with their problems, or what another reviewer changed meanwhile.
 */
export function reviewActionHandler(action: ReviewAction): Handler<StaffEnv, `/:id/${ReviewAction}`> {
  return async (context) => {
    const verificationId = context.req.param('id');
    const values = await readForm(context);
    const attempt = { action, values, seen: versionIn(values) };

    const confirmed = values.text(FIELD.confirmed);
    if (confirmed === 'no' || values.has(FIELD.insert)) return sendBack(context, attempt, NO_REFUSAL);
    if (isDecision(action) && confirmed !== 'yes' && (await isConfirmable(context, { ...attempt, action })))
      return sendBack(context, attempt, TO_CONFIRM);

    const { entry, done } = REVIEW_ACTIONS[action];
    const input = { verificationId, version: attempt.seen, ...inputOf(action, readTyped(values, action)) };
    try {
      await context.get('as').runUnchecked(entry, input);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null) throw error;
      if (await isLate(context, attempt, refusal))
        return toNextCase(context, { id: verificationId, result: 'late', ownFirst: true });
      return sendBack(context, attempt, refusal);
    }
    return isDecision(action)
      ? toNextCase(context, { id: verificationId, result: done })
      : redirectTo(context, reviewPath(verificationId) + workQuery(context, { done }));
  };
}

/** Shows a verification for review: with a form that comes back, if there is one. */
export const showReview: Handler<StaffEnv, '/:id'> = (context) => {
  const kept = takeKeptForm<Comeback>(context, context.get('site'), keptFor(context));
  if (kept?.more === undefined) return reviewPage(context);
  const { values, more } = kept;
  return answerAgain(context, { action: more.action, values, seen: versionIn(values) }, more.refusal);
};

/** A form has no page of its own: its address leads to the page of the verification. */
export const toReview: Handler<StaffEnv, '/:id/:action'> = (context) =>
  redirectTo(context, reviewPath(context.req.param('id')) + workQuery(context));

/** Whether the domain would accept the decision, so that the reviewer is asked to confirm it. Does not check warnings. */
async function isConfirmable(
  context: Context<StaffEnv>,
  { action, values, seen }: Attempt & { readonly action: DecisionAction },
): Promise<boolean> {
  const summary = await context.get('as').run(previewDecision, { verificationId: context.req.param('id') ?? '' });
  return (
    summary.version === seen &&
    isMovePossible(REVIEW_ACTIONS[action].move, summary, context.get('user').id) &&
    isValid(action, readTyped(values, action), summary.flow)
  );
}

/** Whether the case was decided meanwhile and the form holds no text that would be lost, so that the next case may come. */
async function isLate(
  context: Context<StaffEnv>,
  { action, values }: Attempt,
  { code }: Refusal,
): Promise<boolean> {
  if (!isDecision(action) || hasText(readTyped(values, action))) return false;
  if (code !== 'VERSION_CONFLICT' && code !== 'ILLEGAL_TRANSITION') return false;
  const verificationId = context.req.param('id') ?? '';
  return (await context.get('as').run(previewDecision, { verificationId })).status !== 'submitted';
}

const NO_PROBLEMS: Problems = new Map();

const keptFor = (context: Context<StaffEnv>): KeptFor => ({ owner: context.get('user').id });

/** A submitted form, with the version of the verification that its page showed. */
interface Attempt {
  readonly action: ReviewAction;
  readonly values: FormValues;
  /** NaN if the form has no valid version; the domain refuses it. */
  readonly seen: number;
}

function versionIn(values: FormValues): number {
  const text = values.text(FIELD.version);
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : Number.NaN;
}

/** What is kept of a form for the page of its verification, beside its values. */
interface Comeback {
  readonly action: ReviewAction;
  readonly refusal: Refusal;
}

/** Sends a form back to the page of its verification. @throws PageError 400 for a form that no page made */
async function sendBack(context: Context<StaffEnv>, attempt: Attempt, refusal: Refusal): Promise<Response> {
  const { action, values, seen } = attempt;
  if (Number.isNaN(seen)) throw new PageError(400);
  const more: Comeback = { action, refusal };
  const path = reviewPath(context.req.param('id') ?? '');
  const form = { values, errors: NO_PROBLEMS, more };
  const query = workQuery(context);
  const kept = keepForm(context, context.get('site'), form, { ...keptFor(context), path, query });
  return kept ?? answerAgain(context, attempt, refusal);
}

/**
 * Shows the current verification and the typed values, with their problems, what follows from them, or another reviewer's change. Runs
 * `openForReview`, which is audited.
 */
async function answerAgain(
  context: Context<StaffEnv>,
  { action, values: sent, seen }: Attempt,
  { code, issues, toConfirm = false }: Refusal,
): Promise<Response> {
  const verificationId = context.req.param('id') ?? '';
  const reviewed = await context.get('as').run(openForReview, { verificationId });
  const { flow, version } = reviewed.verification;
  const inserted = insertTemplate(action, sent, reviewed);
  const values = inserted?.values ?? sent;
  const { t } = context.get('page');
  const problems =
    inserted?.isChosen === false
      ? new Map([[FIELD.template(action), t('review:template.missing')]])
      : problemsOf(issues, { action, typed: readTyped(values, action), flow }, t);
  // The forms on this page carry the current version, so the page must show what changed.
  const conflictCode = code ?? (version === seen ? null : 'VERSION_CONFLICT');
  const conflict = conflictCode === null ? null : conflictOf(conflictCode, reviewed, seen);
  const status = conflict === null ? (problems.size > 0 ? UNPROCESSABLE : 200) : CONFLICT;
  const view = await viewOf(context, reviewed);
  const unsent = { action, values, problems, toConfirm: toConfirm && conflict === null };
  return answerReviewPage(context, { ...view, conflict, unsent }, statusOfKept(context, status));
}

/** Why a form comes back: a conflict, issues of the form, or to be confirmed. */
interface Refusal {
  readonly code: ConflictCode | null;
  readonly issues: readonly Issue[];
  readonly toConfirm?: boolean;
}

/** The reviewer went back from the confirmation. */
const NO_REFUSAL: Refusal = { code: null, issues: [] };

const TO_CONFIRM: Refusal = { ...NO_REFUSAL, toConfirm: true };

/** Returns the refusal that the page explains; null for other errors. */
function refusalOf(error: unknown): Refusal | null {
  if (isCountersignError(error, 'INVALID_PARAMETERS')) return { code: null, issues: error.data?.issues ?? [] };
  const code = conflictCodeOf(error);
  return code === null ? null : { code, issues: [] };
}
