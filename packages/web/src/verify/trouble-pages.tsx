import { isCountersignError } from '@countersign/domain';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { answerPage } from '../site/layout.tsx';
import { verifyPath } from './navigation.ts';
import { SessionNeeded } from './session.ts';
import type { VerifyEnv } from './verify-env.ts';

/** What can come between a subject and a page, by the name of its text `verify:trouble.{name}`. */
type Trouble = 'invalid' | 'expired' | 'noSession' | 'outOfTurn' | 'closed' | 'conflict';

const STATUSES: Readonly<Record<Trouble, ContentfulStatusCode>> = {
  invalid: 404,
  expired: 410,
  noSession: 403,
  outOfTurn: 409,
  closed: 409,
  conflict: 409,
};

/** Answers errors of the flow with a page that says what happened and what to do. All others are thrown on. */
export function answerTrouble(error: Error, context: Context<VerifyEnv>): Response | Promise<Response> {
  const trouble = troubleOf(error);
  if (trouble === null) throw error;
  const { t, href } = context.get('page');
  const title = t(`verify:trouble.${trouble}.title`);
  const goesOn = trouble === 'outOfTurn' || trouble === 'closed' || trouble === 'conflict';
  return answerPage(
    context,
    { title, status: STATUSES[trouble] },
    <>
      <h1>{title}</h1>
      <p class="lead">{t(`verify:trouble.${trouble}.text`)}</p>
      <p>{t(`verify:trouble.${trouble}.next`)}</p>
      {goesOn ? (
        <p>
          <a href={href(verifyPath(context.get('verification')))} class="main-action">
            {t('verify:goOn')}
          </a>
        </p>
      ) : null}
    </>,
  );
}

function troubleOf(error: Error): Trouble | null {
  if (error instanceof SessionNeeded) return 'noSession';
  if (!isCountersignError(error)) return null;
  switch (error.code) {
    case 'LINK_INVALID':
      return 'invalid';
    case 'LINK_EXPIRED':
      return 'expired';
    case 'STEP_OUT_OF_TURN':
    case 'STEPS_INCOMPLETE':
      return 'outOfTurn';
    case 'ILLEGAL_TRANSITION':
      return 'closed';
    case 'VERSION_CONFLICT':
      return 'conflict';
    default:
      return null;
  }
}
