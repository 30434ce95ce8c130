import { isCountersignError, isStepCompleted, type JsonObject } from '@countersign/domain';
import type { Context } from 'hono';
import type { Site } from '../site/site.ts';
import { answersSoFar, withoutPointless } from './answers.ts';
import { namesOf, pageOfPath } from './page-names.ts';
import type { StepPage } from './step-page.ts';
import type { VerifyEnv } from './verify-env.ts';
import { CHECK, nextInStep, resumeSlug, slugAfter, stepsLeft, verifyPath } from './way.ts';

/**
 * Keeps what a page was answered with, completes its step where this was the last page of it, and redirects to the
 * page that comes next.
 *
 * @param input the values of the page's names, placed as in the whole answers of the step; what is left out is cleared
 * @throws CountersignError `INVALID_PARAMETERS` for issues of this page, and everything `saveDraft` and `completeStep` throw
 */
export async function keepAnswers(
  context: Context<VerifyEnv>,
  { options }: Site,
  page: StepPage,
  input: JsonObject,
): Promise<Response> {
  const { subject } = options.countersign;
  const access = context.get('access');
  const before = context.get('verification');
  const { step } = page;
  const again = isStepCompleted(before, step);
  const go = (slug: string) => goTo(context, slug);

  const kept = await subject.saveDraft(access, { step, fields: namesOf(before.type, page), input });
  const next = nextInStep(kept, page);
  if (next !== null && !again) return go(next.slug);

  const answers = withoutPointless(answersSoFar(kept, step, { page, input }));
  try {
    const completed = await subject.completeStep(access, step, answers);
    if (context.req.query('from') === CHECK && stepsLeft(completed).length === 0) return go(CHECK);
    return go(again ? slugAfter(completed, page) : resumeSlug(completed));
  } catch (error) {
    // Another page of the step is missing or wrong: the subject came here by its address, or changed what it hangs on.
    const path = isCountersignError(error, 'INVALID_PARAMETERS') ? error.data?.issues?.[0]?.path : undefined;
    const wrong = path === undefined ? null : pageOfPath(before.type, step, path);
    if (wrong === null || wrong === page) throw error;
    return go(wrong.slug);
  }
}

/** Redirects to a page of the same verification. Somebody who came from the page of all answers is led back there. */
function goTo(context: Context<VerifyEnv>, slug: string): Response {
  const from = context.req.query('from') === CHECK && slug !== CHECK ? `?from=${CHECK}` : '';
  return context.redirect(pathTo(context, slug) + from, 303);
}

function pathTo(context: Context<VerifyEnv>, slug: string): string {
  return context.get('page').href(verifyPath(context.get('verification'), slug));
}
