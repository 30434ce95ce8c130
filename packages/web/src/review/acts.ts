import type { ReviewCase, ReviewContext, ReviewDesk, Verification } from '@countersign/domain';
import type { Context, Handler } from 'hono';
import { readForm } from '../forms/form-body.ts';
import type { FormValues } from '../forms/form-values.ts';
import { PageError } from '../site/page-error.ts';
import type { Site } from '../site/site.ts';
import type { StaffEnv } from '../staff/staff-env.ts';
import { answerCasePage } from './case-page.tsx';
import { type Done, mayDo } from './case-view.ts';
import { viewOf } from './cases.ts';
import { answerConfirmPage } from './confirm-page.tsx';
import { type ConflictCode, conflictCodeOf, conflictOf } from './conflict.ts';
import { casePath } from './paths.ts';
import { NO_PROBLEMS, type Problems, problemsOf } from './problems.ts';
import { type Act, actionOf, FIELD, isDecision, readTyped, rejectionOf, unlessEmpty } from './typed.ts';

const DONE_BY: Readonly<Record<Act, Done>> = {
  claim: 'claimed',
  release: 'released',
  note: 'noted',
  approve: 'approved',
  reject: 'rejected',
  ask: 'asked',
};

const CONFLICT = 409;
const UNPROCESSABLE = 422;

/**
 * Does what a form asks for. A decision is shown once more first. Where somebody else was first, nothing is done, and
 * the page tells who, with everything that was typed.
 */
export function actOn(site: Site, act: Act): Handler<StaffEnv, `/:id/${Act}`> {
  return async (context) => {
    const verificationId = context.req.param('id');
    const values = await readForm(context);
    const seen = versionIn(values);
    const { t, href } = context.get('page');
    const { review } = context.get('desks');
    const reviewCase = await review.open(verificationId);
    const { flow, version } = reviewCase.verification;
    const attempt = { act, values, seen };

    const problems = problemsOf(act, flow, readTyped(values, act, flow), t);
    const confirmed = values.text(FIELD.confirmed);
    if (problems.size > 0 || confirmed === 'no') return answerAgain(context, site, reviewCase, attempt, problems);
    if (isDecision(act) && confirmed !== 'yes') {
      const view = await viewOf(context, site, reviewCase);
      if (version !== seen || !mayDo(act, view)) return answerConflict(context, site, attempt, 'VERSION_CONFLICT');
      return answerConfirmPage(context, site, view, { act, values });
    }
    try {
      const reviewerId = context.get('user').id;
      await perform(review, { verificationId, expectedVersion: seen, reviewerId }, reviewCase, attempt);
    } catch (error) {
      const code = conflictCodeOf(error);
      if (code === null) throw error;
      return answerConflict(context, site, attempt, code);
    }
    return context.redirect(href(`${casePath(verificationId)}?done=${DONE_BY[act]}`), 303);
  };
}

/** A form that was sent, and the version of the case it was written on. */
interface Attempt {
  readonly act: Act;
  readonly values: FormValues;
  readonly seen: number;
}

function versionIn(values: FormValues): number {
  const text = values.text(FIELD.version);
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new PageError(400);
  return Number(text);
}

function perform(
  review: ReviewDesk,
  upon: ReviewContext,
  { verification: { flow } }: ReviewCase,
  { act, values }: Attempt,
): Promise<Verification> {
  const typed = readTyped(values, act, flow);
  const noting = { ...upon, internalNote: unlessEmpty(typed.internalNote) };
  switch (act) {
    case 'claim':
      return review.claim(upon);
    case 'release':
      return review.release(upon);
    case 'note':
      return review.note(upon, typed.internalNote);
    case 'approve':
      return review.approve(noting);
    case 'reject':
      return review.reject(noting, rejectionOf(typed));
    case 'ask':
      return review.askForAction(noting, actionOf(flow, typed));
    default:
      return act satisfies never;
  }
}

/** The case once more, with what was typed and what is wrong with it. */
async function answerAgain(
  context: Context<StaffEnv>,
  site: Site,
  reviewCase: ReviewCase,
  { act, values, seen }: Attempt,
  problems: Problems,
): Promise<Response> {
  // The forms now carry the present version: whoever goes on from here must know what changed.
  const isStale = reviewCase.verification.version !== seen;
  const view = await viewOf(context, site, reviewCase);
  const conflict = isStale ? conflictOf('VERSION_CONFLICT', reviewCase, seen) : null;
  const status = isStale ? CONFLICT : problems.size > 0 ? UNPROCESSABLE : 200;
  return answerCasePage(context, site, { ...view, conflict, unsent: { act, values, problems } }, status);
}

/** The case as it is now, who was first, and what was typed. */
async function answerConflict(
  context: Context<StaffEnv>,
  site: Site,
  { act, values, seen }: Attempt,
  code: ConflictCode,
): Promise<Response> {
  const reviewCase = await context.get('desks').review.open(context.req.param('id') ?? '');
  const view = await viewOf(context, site, reviewCase);
  const conflict = conflictOf(code, reviewCase, seen);
  const unsent = { act, values, problems: NO_PROBLEMS };
  return answerCasePage(context, site, { ...view, conflict, unsent }, CONFLICT);
}
