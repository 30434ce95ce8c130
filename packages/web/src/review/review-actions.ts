import {
  type As,
  approveVerification,
  askForAction,
  claimVerification,
  type Flow,
  noteOnVerification,
  openForReview,
  previewDecision,
  rejectVerification,
  releaseVerification,
  type Verification,
} from '@countersign/domain';
import type { Context, Handler } from 'hono';
import { type FormValues, readForm } from '../forms/form-values.ts';
import { PageError } from '../site/errors.tsx';
import { redirectTo, type StaffEnv } from '../staff/area.tsx';
import { answerConfirmPage } from './confirm-page.tsx';
import { reviewPath } from './paths.ts';
import { NO_PROBLEMS, problemsOf } from './problems.ts';
import { answerReviewPage, viewOf } from './review-page.tsx';
import { type ConflictCode, conflictCodeOf, conflictOf, isAllowed } from './review-view.ts';
import {
  type DecisionAction,
  FIELD,
  flowNamedIn,
  isDecision,
  REVIEW_ACTIONS,
  type ReviewAction,
  readTyped,
  rejectionOf,
  requestOf,
  unlessEmpty,
} from './typed.ts';

const CONFLICT = 409;
const UNPROCESSABLE = 422;

/**
 * Handles the form of a review action. A decision asks the reviewer to confirm first. If another reviewer changed the
 * verification meanwhile, nothing is done, and the page shows their change and keeps the typed values. Runs
 * `openForReview`, which is audited, only for a page that shows the verification.
 */
export function reviewActionHandler(action: ReviewAction): Handler<StaffEnv, `/:id/${ReviewAction}`> {
  return async (context) => {
    const verificationId = context.req.param('id');
    const values = await readForm(context);
    const seen = versionIn(values);
    const { t } = context.get('page');
    const attempt = { action, values, seen };

    const flow = flowNamedIn(values);
    const confirmed = values.text(FIELD.confirmed);
    const hasProblems = problemsOf(action, flow, readTyped(values, action, flow), t).size > 0;
    if (hasProblems || confirmed === 'no') return answerAgain(context, attempt);
    if (isDecision(action) && confirmed !== 'yes') return answerPreview(context, { ...attempt, action });
    try {
      await perform(context.get('as'), { verificationId, version: seen }, flow, attempt);
    } catch (error) {
      const code = conflictCodeOf(error);
      if (code === null) throw error;
      return answerAgain(context, attempt, code);
    }
    const path = isDecision(action) ? `${reviewPath(verificationId)}/decided` : reviewPath(verificationId);
    return redirectTo(context, `${path}?done=${REVIEW_ACTIONS[action].done}`);
  };
}

/** Asks the reviewer to confirm a decision. Shows the verification instead if the decision has problems or the
 * verification has changed. */
async function answerPreview(
  context: Context<StaffEnv>,
  attempt: Attempt & { readonly action: DecisionAction },
): Promise<Response> {
  const { action, values, seen } = attempt;
  const summary = await context.get('as').run(previewDecision, { verificationId: context.req.param('id') ?? '' });
  const { flow, version } = summary;
  const problems = problemsOf(action, flow, readTyped(values, action, flow), context.get('page').t);
  if (problems.size > 0) return answerAgain(context, attempt);
  if (version !== seen || !isAllowed(action, summary, context.get('user')))
    return answerAgain(context, attempt, 'VERSION_CONFLICT');
  return answerConfirmPage(context, summary, { action, values });
}

/** A submitted form, with the version of the verification that its page showed. */
interface Attempt {
  readonly action: ReviewAction;
  readonly values: FormValues;
  readonly seen: number;
}

function versionIn(values: FormValues): number {
  const text = values.text(FIELD.version);
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new PageError(400);
  return Number(text);
}

function perform(
  { run }: As,
  upon: { readonly verificationId: string; readonly version: number },
  flow: Flow,
  { action, values }: Attempt,
): Promise<Verification> {
  const typed = readTyped(values, action, flow);
  const noting = { ...upon, internalNote: unlessEmpty(typed.internalNote) };
  switch (action) {
    case 'claim':
      return run(claimVerification, upon);
    case 'release':
      return run(releaseVerification, upon);
    case 'note':
      return run(noteOnVerification, { ...upon, text: typed.internalNote });
    case 'approve':
      return run(approveVerification, noting);
    case 'reject':
      return run(rejectVerification, { ...noting, ...rejectionOf(typed) });
    case 'ask':
      return run(askForAction, { ...noting, ...requestOf(flow, typed) });
    default:
      return action satisfies never;
  }
}

/** Shows the current verification and the typed values, with their problems or another reviewer's change. */
async function answerAgain(
  context: Context<StaffEnv>,
  { action, values, seen }: Attempt,
  code?: ConflictCode,
): Promise<Response> {
  const verificationId = context.req.param('id') ?? '';
  const reviewed = await context.get('as').run(openForReview, { verificationId });
  const { flow, version } = reviewed.verification;
  const problems =
    code === undefined
      ? problemsOf(action, flow, readTyped(values, action, flow), context.get('page').t)
      : NO_PROBLEMS;
  // The forms on this page carry the current version, so the page must show what changed.
  const conflictCode = code ?? (version === seen ? null : 'VERSION_CONFLICT');
  const conflict = conflictCode === null ? null : conflictOf(conflictCode, reviewed, seen);
  const status = conflict === null ? (problems.size > 0 ? UNPROCESSABLE : 200) : CONFLICT;
  const view = await viewOf(context, reviewed);
  return answerReviewPage(context, { ...view, conflict, unsent: { action, values, problems } }, status);
}
