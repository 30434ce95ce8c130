import { type Issue, isCountersignError, isMovePossible } from '@countersign/domain';
import { openForReview, previewDecision } from '@countersign/domain/actions';
import type { Context, Handler } from 'hono';
import { type FormValues, readForm } from '../forms/form-values.ts';
import { PageError } from '../site/errors.tsx';
import { redirectTo, type StaffEnv } from '../staff/area.tsx';
import { answerConfirmPage } from './confirm-page.tsx';
import { reviewPath } from './paths.ts';
import { isValid, problemsOf } from './problems.ts';
import { answerReviewPage, viewOf } from './review-page.tsx';
import { type ConflictCode, conflictCodeOf, conflictOf } from './review-view.ts';
import {
  type DecisionAction,
  FIELD,
  inputOf,
  isDecision,
  REVIEW_ACTIONS,
  type ReviewAction,
  readTyped,
} from './typed.ts';

const CONFLICT = 409;
const UNPROCESSABLE = 422;

/**
 * Handles the form of a review action. A valid decision asks the reviewer to confirm first. Everything else goes to the
 * domain, which runs or refuses it and records either. After a refusal the page shows the typed values with their
 * problems, or what another reviewer changed meanwhile. Runs `openForReview`, which is audited, only for a page that
 * shows the verification.
 */
export function reviewActionHandler(action: ReviewAction): Handler<StaffEnv, `/:id/${ReviewAction}`> {
  return async (context) => {
    const verificationId = context.req.param('id');
    const values = await readForm(context);
    const attempt = { action, values, seen: versionIn(values) };
    const { entry, done } = REVIEW_ACTIONS[action];

    const confirmed = values.text(FIELD.confirmed);
    if (confirmed === 'no') return answerAgain(context, attempt);
    if (isDecision(action) && confirmed !== 'yes') {
      const confirmPage = await confirmPageOf(context, { ...attempt, action });
      if (confirmPage !== null) return confirmPage;
    }
    const input = { verificationId, version: attempt.seen, ...inputOf(action, readTyped(values, action)) };
    try {
      await context.get('as').runUnchecked(entry, input);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null) throw error;
      return answerAgain(context, attempt, refusal);
    }
    const path = isDecision(action) ? `${reviewPath(verificationId)}/decided` : reviewPath(verificationId);
    return redirectTo(context, `${path}?done=${done}`);
  };
}

/** Asks the reviewer to confirm a decision. Null if the domain refuses it. */
async function confirmPageOf(
  context: Context<StaffEnv>,
  { action, values, seen }: Attempt & { readonly action: DecisionAction },
): Promise<Response | null> {
  const summary = await context.get('as').run(previewDecision, { verificationId: context.req.param('id') ?? '' });
  if (summary.version !== seen || !isMovePossible(REVIEW_ACTIONS[action].move, summary, context.get('user').id))
    return null;
  if (!isValid(action, readTyped(values, action), summary.flow)) return null;
  return answerConfirmPage(context, summary, { action, values });
}

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

/** Shows the current verification and the typed values, with their problems or another reviewer's change. */
async function answerAgain(
  context: Context<StaffEnv>,
  { action, values, seen }: Attempt,
  { code, issues }: Refusal = { code: null, issues: [] },
): Promise<Response> {
  if (Number.isNaN(seen)) throw new PageError(400);

  const verificationId = context.req.param('id') ?? '';
  const reviewed = await context.get('as').run(openForReview, { verificationId });
  const { flow, version } = reviewed.verification;
  const { t } = context.get('page');
  const problems = problemsOf(issues, { action, typed: readTyped(values, action), flow }, t);
  // The forms on this page carry the current version, so the page must show what changed.
  const conflictCode = code ?? (version === seen ? null : 'VERSION_CONFLICT');
  const conflict = conflictCode === null ? null : conflictOf(conflictCode, reviewed, seen);
  const status = conflict === null ? (problems.size > 0 ? UNPROCESSABLE : 200) : CONFLICT;
  const view = await viewOf(context, reviewed);
  return answerReviewPage(context, { ...view, conflict, unsent: { action, values, problems } }, status);
}

/** Why the domain refused an action: a conflict, or issues of the form. */
interface Refusal {
  readonly code: ConflictCode | null;
  readonly issues: readonly Issue[];
}

/** Returns the refusal that the page explains; null for other errors. */
function refusalOf(error: unknown): Refusal | null {
  if (isCountersignError(error, 'INVALID_PARAMETERS')) return { code: null, issues: error.data?.issues ?? [] };
  const code = conflictCodeOf(error);
  return code === null ? null : { code, issues: [] };
}
