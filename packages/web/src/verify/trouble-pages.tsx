import { type ErrorCode, isCountersignError } from '@countersign/domain';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { withAppearance } from '../site/appearance.ts';
import { answerPage } from '../site/layout.tsx';
import { isSafe } from '../site/paths.ts';
import type { Site } from '../site/site.ts';
import { addressOf, Reference } from './flow-frame.tsx';
import { SessionNeeded, type VerifyEnv } from './session.ts';

interface Trouble {
  /** Name of its texts: `verify:trouble.{name}`. */
  readonly name: 'invalid' | 'expired' | 'noSession' | 'outOfTurn' | 'closed' | 'over' | 'conflict' | 'eventLimit';
  readonly status: ContentfulStatusCode;
}

const OUT_OF_TURN: Trouble = { name: 'outOfTurn', status: 409 };

/** The verification was decided or withdrawn. */
const OVER: Trouble = { name: 'over', status: 409 };

/** The errors of the flow that have a page of their own. */
const TROUBLES: Readonly<Partial<Record<ErrorCode, Trouble>>> = {
  LINK_INVALID: { name: 'invalid', status: 404 },
  LINK_EXPIRED: { name: 'expired', status: 410 },
  STEP_OUT_OF_TURN: OUT_OF_TURN,
  STEPS_INCOMPLETE: OUT_OF_TURN,
  ILLEGAL_TRANSITION: { name: 'closed', status: 409 },
  VERSION_CONFLICT: { name: 'conflict', status: 409 },
  EVENT_LIMIT_REACHED: { name: 'eventLimit', status: 409 },
};

function troubleOf(error: Error): Trouble | undefined {
  if (error instanceof SessionNeeded) return { name: 'noSession', status: 403 };
  if (!isCountersignError(error)) return undefined;
  const status = error.data?.status;
  const isOver = error.code === 'ILLEGAL_TRANSITION' && (status === 'approved' || status === 'rejected');
  return isOver ? OVER : TROUBLES[error.code];
}

/**
 * Answers errors of the flow with a page that says what happened and what to do. Rethrows all others. Back leads to pages of a
 * flow that has ended: they redirect to the status, which says that everything is saved.
 */
export function answerTrouble(
  error: Error,
  context: Context<VerifyEnv>,
  { options: { countersign } }: Site,
): Response | Promise<Response> {
  const isEnded = isCountersignError(error, 'ILLEGAL_TRANSITION');
  if (isEnded && isSafe(context.req.method)) return context.redirect(addressOf(context), 303);
  const trouble = troubleOf(error);
  if (trouble === undefined) throw error;
  const { name, status } = trouble;
  const { verificationId: expired, clientId } =
    (isCountersignError(error, 'LINK_EXPIRED') ? error.data : undefined) ?? {};
  if (clientId !== undefined) {
    context.set(
      'page',
      withAppearance(context.get('page'), () => countersign.appearances.shown(clientId)),
    );
  }
  const page = context.get('page');
  const { t } = page;
  const title = t(`verify:trouble.${name}.title`);
  return answerPage(
    context,
    { title, status },
    <>
      <h1>{title}</h1>
      <p class="lead">{t(`verify:trouble.${name}.text`)}</p>
      <p>{t(`verify:trouble.${name}.next`)}</p>
      {expired === undefined ? null : <Reference page={page} id={expired} />}
      {status === 409 ? (
        <p class="next">
          <a href={addressOf(context)} class="button main-action">
            {t('verify:goOn')}
          </a>
        </p>
      ) : null}
    </>,
  );
}
