import {
  isCountersignError,
  type OpenedVerification,
  readVerification,
  renewVerificationLink,
  withdrawVerification,
} from '@countersign/domain';
import type { Context, Handler } from 'hono';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { answerDetailPage, type Done } from './detail-page.tsx';
import { movePath, verificationPath } from './paths.ts';

/** What can be done to a verification, each after a page that says what comes of it. */
export const MOVES = ['withdraw', 'renew-link'] as const;
export type Move = (typeof MOVES)[number];

type MoveRoute = `/:id/${Move}`;

const CONFLICT = 409;

/** Says what the move does, and asks. */
export function movePage(site: Site, move: Move): Handler<StaffEnv, MoveRoute> {
  return async (context) => {
    const opened = await context.get('as').run(readVerification, { verificationId: context.req.param('id') });
    if (!isLegal(move, opened)) return answerRefused(context, site, opened);
    return answerMovePage(context, site, opened, move);
  };
}

/** Does it. Where it is not possible any more, says how the verification stands now. */
export function makeMove(site: Site, move: Move): Handler<StaffEnv, MoveRoute> {
  return async (context) => {
    const as = context.get('as');
    const verificationId = context.req.param('id');
    try {
      await as.run(move === 'withdraw' ? withdrawVerification : renewVerificationLink, { verificationId });
    } catch (error) {
      if (!isCountersignError(error, 'ILLEGAL_TRANSITION')) throw error;
      return answerRefused(context, site, await as.run(readVerification, { verificationId }));
    }
    const done: Done = move === 'withdraw' ? 'withdrawn' : 'renewed';
    return context.redirect(context.get('page').href(`${verificationPath(verificationId)}?done=${done}`), 303);
  };
}

function isLegal(move: Move, { mayWithdraw, mayRenewLink }: OpenedVerification): boolean {
  return move === 'withdraw' ? mayWithdraw : mayRenewLink;
}

function answerRefused(
  context: Context<StaffEnv>,
  site: Site,
  opened: OpenedVerification,
): Response | Promise<Response> {
  return answerDetailPage(context, site, opened, { refused: true, status: CONFLICT });
}

function answerMovePage(
  context: Context<StaffEnv>,
  site: Site,
  { id, subjectReference, type }: OpenedVerification,
  move: Move,
): Response | Promise<Response> {
  const { t, href } = context.get('page');
  const name = move === 'withdraw' ? 'withdraw' : 'renew';
  const title = t(`dashboard:verifications.${name}.question`);
  return answerDashboardPage(
    context,
    site,
    { title },
    <>
      <h1>{title}</h1>
      <p>
        <strong class="as-typed">{subjectReference}</strong>, {t(`wording:type.${type}`)}
      </p>
      <p class="narrow-form">{t(`dashboard:verifications.${name}.consequence`)}</p>
      <form method="post" action={href(movePath(id, move))} class="buttons">
        <button type="submit" class={move === 'withdraw' ? 'danger' : undefined}>
          {t(`dashboard:verifications.${name}.yes`)}
        </button>
        <a href={href(verificationPath(id))}>{t('dashboard:verifications.keepAsIs')}</a>
      </form>
    </>,
  );
}
