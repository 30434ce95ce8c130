import type { JsonObject } from '@countersign/domain';
import { isStepCompleted, type PlannedScreen } from '@countersign/domain/flows';
import type { Context } from 'hono';
import type { Site } from '../site/site.ts';
import { addressOf, cameFromCheck } from './flow-frame.tsx';
import { askedParts, CHECK, resumeSlug, slugAfter, stepsLeft } from './navigation.ts';
import { shownIn, type VerifyEnv } from './session.ts';

/**
 * Saves the answers of a screen and redirects to the next one. The last screen of a step completes it.
 * @param input values of the fields of all parts, placed as in the answers of their steps; missing values are cleared
 * @throws CountersignError `INVALID_PARAMETERS` for issues of this screen, and everything else `answerScreen` throws
 */
export async function saveScreen(
  context: Context<VerifyEnv>,
  { options }: Site,
  screen: PlannedScreen,
  input: JsonObject,
): Promise<Response> {
  const { subject } = options.countersign;
  const before = shownIn(context);
  const steps = askedParts(screen).map(({ step }) => step);
  const wasCompleted = steps.every((step) => isStepCompleted(before.verification, step));
  const answers = { screen: screen.slug, input };
  const { verification, screenToCorrect } = await subject.answerScreen(context.get('access'), answers);
  const shown = { ...before, verification };

  const goTo = (next: string): Response => context.redirect(addressOf(context, next), 303);
  if (screenToCorrect !== null) return goTo(screenToCorrect);
  const isCompleted = steps.every((step) => isStepCompleted(verification, step));
  if (!isCompleted) {
    const next = slugAfter(shown, screen.slug);
    return goTo(next === CHECK ? resumeSlug(shown) : next);
  }
  if (cameFromCheck(context) && stepsLeft(verification).length === 0) return goTo(CHECK);
  return goTo(wasCompleted ? slugAfter(shown, screen.slug) : resumeSlug(shown));
}
