import { isCountersignError, type ListedUser, renewTeamInvitation } from '@countersign/domain';
import type { Context, Handler } from 'hono';
import { readForm } from '../../forms/form-body.ts';
import type { Site } from '../../site/site.ts';
import { hasConfirmed, toConfirm } from '../../staff/confirmed.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { userPath } from '../paths.ts';
import { answerOneTimeLink } from './link-page.tsx';
import { userOf } from './members.ts';
import { answerMemberPage } from './user-page.tsx';

type Renew = Handler<StaffEnv, '/:id/invitation'>;

/** Offers a new link to whoever has not joined. Another's password is not for colleagues to set. */
export function invitationPage(site: Site): Renew {
  return async (context) => {
    const user = await userOf(context, context.req.param('id'));
    if (!user.hasJoined && !hasConfirmed(context, site)) return toConfirm(context, site);
    return answer(context, site, user);
  };
}

export function renewInvitation(site: Site): Renew {
  return async (context) => {
    await readForm(context);
    const user = await userOf(context, context.req.param('id'));
    try {
      return await answerOneTimeLink(
        context,
        site,
        await context.get('as').run(renewTeamInvitation, { userId: user.id }),
      );
    } catch (error) {
      if (!isCountersignError(error, 'ALREADY_JOINED')) throw error;
      return answer(context, site, { ...user, hasJoined: true });
    }
  };
}

function answer(context: Context<StaffEnv>, site: Site, user: ListedUser): Response | Promise<Response> {
  const { t, href } = context.get('page');
  const title = t('dashboard:team.newLinkTitle');
  const hasJoined = user.hasJoined
    ? { notice: t('dashboard:team.hasJoined'), status: context.req.method === 'POST' ? (409 as const) : undefined }
    : {};
  return answerMemberPage(
    context,
    site,
    { user, title, ...hasJoined },
    user.hasJoined ? null : (
      <form method="post" action={href(userPath(user.id, 'invitation'))}>
        <p>{t('dashboard:team.newLinkText')}</p>
        <button type="submit">{t('dashboard:team.newLinkSubmit')}</button>
      </form>
    ),
  );
}
