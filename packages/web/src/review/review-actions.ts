import {
  type Issue,
  isCountersignError,
  isMovePossible,
  type ReviewSummary,
  type Verification,
} from '@countersign/domain';
import { nameClients, openForReview, previewDecision } from '@countersign/domain/actions';
import type { Context, Handler } from 'hono';
import { createFormValues, type FormValues, readForm } from '../forms/form-values.ts';
import { type KeptFor, keepForm, statusOfKept, takeKeptForm } from '../forms/kept-form.ts';
import { PageError } from '../site/errors.ts';
import { redirectTo, type StaffEnv } from '../staff/area.tsx';
import { answerConfirmPage } from './confirm-page.tsx';
import { reviewPath } from './paths.ts';
import { isValid, type Problems, problemsOf } from './problems.ts';
import { answerDecided, answerReviewPage, reviewPage, viewOf } from './review-page.tsx';
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
 * problems, or what another reviewer changed meanwhile.
 */
export function reviewActionHandler(action: ReviewAction): Handler<StaffEnv, `/:id/${ReviewAction}`> {
  return async (context) => {
    const verificationId = context.req.param('id');
    const values = await readForm(context);
    const attempt = { action, values, seen: versionIn(values) };
    const { entry, done } = REVIEW_ACTIONS[action];

    const confirmed = values.text(FIELD.confirmed);
    if (confirmed === 'no') return sendBack(context, attempt, NO_REFUSAL);
    if (isDecision(action) && confirmed !== 'yes') {
      const decision = { ...attempt, action };
      const summary = await confirmable(context, decision);
      if (summary !== null) {
        const kept = keepForm(context, context.get('site'), { values, errors: NO_PROBLEMS }, keptFor(context));
        return kept ?? answerConfirmPage(context, summary, decision);
      }
    }
    const input = { verificationId, version: attempt.seen, ...inputOf(action, readTyped(values, action)) };
    let changed: Verification;
    try {
      changed = await context.get('as').runUnchecked(entry, input);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null) throw error;
      return sendBack(context, attempt, refusal);
    }
    const query = `?done=${done}`;
    if (!isDecision(action)) return redirectTo(context, reviewPath(verificationId) + query);
    const path = `${reviewPath(verificationId)}/decided`;
    const { id, clientId, type, status, subjectReference } = changed;
    const more: Decided = { id, clientId, type, status, subjectReference };
    const kept = { values: createFormValues([]), errors: NO_PROBLEMS, more };
    return (
      keepForm(context, context.get('site'), kept, { ...keptFor(context), path, query }) ??
      redirectTo(context, path + query)
    );
  };
}

/** Shows a verification for review: with a form that comes back, if there is one. */
export const showReview: Handler<StaffEnv, '/:id'> = (context) => {
  const kept = takeKeptForm<Comeback>(context, context.get('site'), keptFor(context));
  if (kept?.more === undefined) return reviewPage(context);
  const { values, more } = kept;
  return answerAgain(context, { action: more.action, values, seen: versionIn(values) }, more.refusal);
};

/** A decided verification, as its decision returned it: the page of the result reads it only if it is opened again. */
type Decided = Pick<Verification, 'id' | 'clientId' | 'type' | 'status' | 'subjectReference'>;

/** Shows the result of a decision. The page has no submitted data, so it is not audited as opening the verification. */
export const showDecided: Handler<StaffEnv, '/:id/decided'> = async (context) => {
  const { run } = context.get('as');
  const kept = takeKeptForm<Decided>(context, context.get('site'), keptFor(context))?.more;
  if (kept === undefined) {
    return answerDecided(context, await run(previewDecision, { verificationId: context.req.param('id') }));
  }
  const { clientId } = kept;
  const names = await run(nameClients, { clientIds: [clientId] });
  // A reviewer decided it just now.
  return answerDecided(context, { ...kept, endedBy: null, clientName: names.get(clientId) ?? clientId });
};

/** Asks the reviewer to confirm the decision that was just sent. Otherwise redirects to the verification. */
export function showConfirm(action: ReviewAction): Handler<StaffEnv, `/:id/${ReviewAction}`> {
  return async (context) => {
    const kept = takeKeptForm(context, context.get('site'), keptFor(context));
    if (kept === null || !isDecision(action)) return redirectTo(context, reviewPath(context.req.param('id')));
    const { values } = kept;
    const decision = { action, values, seen: versionIn(values) };
    const summary = await confirmable(context, decision);
    return summary === null
      ? answerAgain(context, decision, NO_REFUSAL)
      : answerConfirmPage(context, summary, decision);
  };
}

/** Returns what the confirmation of a decision shows; null if the domain would refuse it. */
async function confirmable(
  context: Context<StaffEnv>,
  { action, values, seen }: Attempt & { readonly action: DecisionAction },
): Promise<ReviewSummary | null> {
  const summary = await context.get('as').run(previewDecision, { verificationId: context.req.param('id') ?? '' });
  if (summary.version !== seen || !isMovePossible(REVIEW_ACTIONS[action].move, summary, context.get('user').id))
    return null;
  return isValid(action, readTyped(values, action), summary.flow) ? summary : null;
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
  const kept = keepForm(context, context.get('site'), form, { ...keptFor(context), path });
  return kept ?? answerAgain(context, attempt, refusal);
}

/**
 * Shows the current verification and the typed values, with their problems or another reviewer's change. Runs
 * `openForReview`, which is audited.
 */
async function answerAgain(
  context: Context<StaffEnv>,
  { action, values, seen }: Attempt,
  { code, issues }: Refusal,
): Promise<Response> {
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
  return answerReviewPage(
    context,
    { ...view, conflict, unsent: { action, values, problems } },
    statusOfKept(context, status),
  );
}

/** Why the domain refused an action: a conflict, or issues of the form. */
interface Refusal {
  readonly code: ConflictCode | null;
  readonly issues: readonly Issue[];
}

/** The reviewer went back from the confirmation. */
const NO_REFUSAL: Refusal = { code: null, issues: [] };

/** Returns the refusal that the page explains; null for other errors. */
function refusalOf(error: unknown): Refusal | null {
  if (isCountersignError(error, 'INVALID_PARAMETERS')) return { code: null, issues: error.data?.issues ?? [] };
  const code = conflictCodeOf(error);
  return code === null ? null : { code, issues: [] };
}
