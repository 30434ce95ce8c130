import { isStepCompleted, type JsonObject } from '@countersign/domain';
import type { Context } from 'hono';
import type { Site } from '../site/site.ts';
import { CHECK, type FlowPage, pagesNeeded, resumeSlug, slugAfter, stepsLeft, verifyPath } from './navigation.ts';
import type { VerifyEnv } from './verify-env.ts';

/**
 * Saves the answers of a page and redirects to the next one. The last page of a step completes it.
 * @param input values of the page's fields, placed as in the answers of the whole step; missing values are cleared
 * @throws CountersignError `INVALID_PARAMETERS` for issues of this page, and everything else `answerPage` throws
 */
export async function savePage(
  context: Context<VerifyEnv>,
  { options }: Site,
  { step, slug }: FlowPage,
  input: JsonObject,
): Promise<Response> {
  const { subject } = options.countersign;
  const wasCompleted = isStepCompleted(context.get('verification'), step);
  const answers = { step, page: slug, input };
  const { verification, pageToCorrect } = await subject.answerPage(context.get('access'), answers);

  if (pageToCorrect !== null) return goTo(context, pageToCorrect);
  if (!isStepCompleted(verification, step)) {
    const pages = pagesNeeded(verification, step);
    const next = pages[pages.findIndex((page) => page.slug === slug) + 1];
    return goTo(context, next?.slug ?? resumeSlug(verification));
  }
  if (context.req.query('from') === CHECK && stepsLeft(verification).length === 0) return goTo(context, CHECK);
  return goTo(context, wasCompleted ? slugAfter(verification, slug) : resumeSlug(verification));
}

/** Redirects to another page, which returns to the page of all answers if the subject came from there. */
function goTo(context: Context<VerifyEnv>, slug: string): Response {
  const from = context.req.query('from') === CHECK && slug !== CHECK ? `?from=${CHECK}` : '';
  return context.redirect(context.get('page').href(verifyPath(context.get('verification'), slug)) + from, 303);
}
