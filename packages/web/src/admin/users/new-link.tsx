import { inviteUser, type OneTimeLink } from '@countersign/domain';
import type { Context } from 'hono';
import type { Site } from '../../site/site.ts';
import { OneTimeLinkShown, oneTimeLinkParts } from '../../staff/one-time-link.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerAdminPage } from '../admin-page.tsx';
import { USERS_PATH, userPath } from '../paths.ts';
import type { UserAct } from './user-act.tsx';

/** A new one-time link, for whoever lost theirs or forgot the password. */
export const newLink: UserAct = {
  name: 'invitation',
  title: 'admin:newLink.title',

  fields: (_, { hasJoined }, { t }) => (
    <>
      <p>{t(hasJoined ? 'admin:newLink.joined' : 'admin:newLink.invited')}</p>
      <button type="submit">{t('admin:newLink.submit')}</button>
    </>
  ),

  async carryOut({ context, site, user }) {
    return answerNewLink(context, site, await context.get('as').run(inviteUser, { userId: user.id }));
  },
};

/** Shows a one-time link, the one time that it can be shown. */
export function answerNewLink(
  context: Context<StaffEnv>,
  site: Site,
  link: OneTimeLink,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const title = t('staff:link.title', { name: link.user.name });
  return answerAdminPage(
    context,
    site,
    oneTimeLinkParts(title),
    <>
      <OneTimeLinkShown link={link} title={title} page={page} site={site} />
      <p class="buttons">
        <a href={href(userPath(link.user.id))}>{t('admin:user.back')}</a>
        <a href={href(USERS_PATH)}>{t('admin:users.back')}</a>
      </p>
    </>,
  );
}
