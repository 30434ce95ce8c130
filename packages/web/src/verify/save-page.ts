import type { JsonObject } from '@countersign/domain';
import { isStepCompleted } from '@countersign/domain/flows';
import type { Context } from 'hono';
import type { Site } from '../site/site.ts';
import { addressOf, cameFromCheck } from './flow-frame.tsx';
import { CHECK, type FlowPage, pagesNeeded, resumeSlug, slugAfter, stepsLeft } from './navigation.ts';
import type { VerifyEnv } from './session.ts';

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

  const goTo = (next: string): Response => context.redirect(addressOf(context, next), 303);
  if (pageToCorrect !== null) return goTo(pageToCorrect);
  if (!isStepCompleted(verification, step)) {
    const pages = pagesNeeded(verification, step);
    const next = pages[pages.findIndex((page) => page.slug === slug) + 1];
    return goTo(next?.slug ?? resumeSlug(verification));
  }
  if (cameFromCheck(context) && stepsLeft(verification).length === 0) return goTo(CHECK);
  return goTo(wasCompleted ? slugAfter(verification, slug) : resumeSlug(verification));
}
