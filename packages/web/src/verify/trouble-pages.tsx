import { type ErrorCode, type HandOverEnd, isCountersignError } from '@countersign/domain';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { withAppearance } from '../site/appearance.ts';
import { answerPage } from '../site/layout.tsx';
import { isSafe } from '../site/paths.ts';
import type { Site } from '../site/site.ts';
import { addressOf, Reference } from './flow-frame.tsx';
import { verifyPath } from './navigation.ts';
import { SessionNeeded, type VerifyEnv } from './session.ts';

interface Trouble {
  /** Name of its texts: `verify:trouble.{name}`. */
  readonly name:
    | 'invalid'
    | 'expired'
    | 'noSession'
    | 'outOfTurn'
    | 'closed'
    | 'over'
    | 'conflict'
    | 'eventLimit'
    | 'codeUsed'
    | 'codeExpired'
    | 'codeRenewed'
    | 'codeClosed';
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

/** A hand-over code ended. The pages name neither the client nor the verification: the code was all that the visitor had. */
const ENDED_CODES: Readonly<Record<HandOverEnd, Trouble>> = {
  used: { name: 'codeUsed', status: 410 },
  expired: { name: 'codeExpired', status: 410 },
  renewed: { name: 'codeRenewed', status: 410 },
  closed: { name: 'codeClosed', status: 410 },
};

function troubleOf(error: Error): Trouble | undefined {
  if (error instanceof SessionNeeded) return { name: 'noSession', status: 403 };
  if (!isCountersignError(error)) return undefined;
  if (error.code === 'HAND_OVER_ENDED') return ENDED_CODES[error.data?.end ?? 'expired'];
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
  const goesOn = status === 409 ? addressOf(context) : name === 'codeUsed' ? usedAddress(context) : null;
  return answerPage(
    context,
    { title, status },
    <>
      <h1>{title}</h1>
      <p class="lead">{t(`verify:trouble.${name}.text`)}</p>
      <p>{t(`verify:trouble.${name}.next`)}</p>
      {expired === undefined ? null : <Reference page={page} id={expired} />}
      {goesOn === null ? null : (
        <p class="next">
          <a href={goesOn} class="button main-action">
            {t('verify:goOn')}
          </a>
        </p>
      )}
    </>,
  );
}

/** The address of the verification whose code was used, perhaps by this browser: only one with a session opens it. */
function usedAddress(context: Context<VerifyEnv>): string {
  return context.get('page').href(verifyPath({ id: context.req.param('id') ?? '' }));
}
