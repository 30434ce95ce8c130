import { isCountersignError, type ListedUser, removeFromTeam } from '@countersign/domain';
import type { Context, Handler } from 'hono';
import { readForm } from '../../forms/form-body.ts';
import type { MessageKey } from '../../site/messages.ts';
import type { Site } from '../../site/site.ts';
import { hasConfirmed, toConfirm } from '../../staff/confirmed.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { TEAM_PATH, userPath } from '../paths.ts';
import { userOf } from './members.ts';
import { answerMemberPage } from './user-page.tsx';

type Remove = Handler<StaffEnv, '/:id/remove'>;

/** Asks once more. Nobody can remove themselves, and the page says so. */
export function removePage(site: Site): Remove {
  return async (context) => {
    const user = await userOf(context, context.req.param('id'));
    if (user.id === context.get('user').id) {
      return answer(context, site, user, { notice: 'dashboard:team.ownAccount', status: 200 });
    }
    if (!hasConfirmed(context, site)) return toConfirm(context, site);
    return answer(context, site, user, null);
  };
}

export function removeMember(site: Site): Remove {
  return async (context) => {
    await readForm(context);
    const user = await userOf(context, context.req.param('id'));
    try {
      await context.get('as').run(removeFromTeam, { userId: user.id });
    } catch (error) {
      if (isCountersignError(error, 'OWN_ACCOUNT')) {
        return answer(context, site, user, { notice: 'dashboard:team.ownAccount', status: 409 });
      }
      if (isCountersignError(error, 'LAST_OWNER')) {
        return answer(context, site, user, { notice: 'dashboard:team.lastOwner', status: 409 });
      }
      throw error;
    }
    return context.redirect(context.get('page').href(`${TEAM_PATH}?done=removed`), 303);
  };
}

function answer(
  context: Context<StaffEnv>,
  site: Site,
  user: ListedUser,
  refusal: { readonly notice: MessageKey; readonly status: 200 | 409 } | null,
): Response | Promise<Response> {
  const { t, href } = context.get('page');
  const title = t('dashboard:team.removeTitle');
  const parts = refusal === null ? {} : { notice: t(refusal.notice), status: refusal.status };
  return answerMemberPage(
    context,
    site,
    { user, title, ...parts },
    refusal === null ? (
      <form method="post" action={href(userPath(user.id, 'remove'))}>
        <p>{t('dashboard:team.removeText')}</p>
        <button type="submit" class="danger">
          {t('dashboard:team.removeSubmit')}
        </button>
      </form>
    ) : null,
  );
}
