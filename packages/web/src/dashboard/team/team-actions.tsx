import {
  changeTeamRole,
  inviteToTeam,
  type ListedUser,
  listTeam,
  type OneTimeLink,
  removeFromTeam,
  renewTeamInvitation,
  type TeamRole,
} from '@countersign/domain';
import { type Context, Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { type ActionPage, mountActionPage } from '../../actions/action-page.tsx';
import { PageError } from '../../site/errors.tsx';
import { wantedTemplate } from '../../site/paths.ts';
import type { Site } from '../../site/site.ts';
import { OneTimeLinkShown, oneTimeLinkParts } from '../../staff/one-time-link.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { TEAM_PATH } from '../paths.ts';
import { teamPage } from './team-page.tsx';

/** The pages of a client's team. */
export function teamRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  routes.get('/', teamPage(site));
  mountActionPage(routes, site, answerDashboardPage, invite);
  mountActionPage(routes, site, answerDashboardPage, changeRole);
  mountActionPage(routes, site, answerDashboardPage, remove);
  mountActionPage(routes, site, answerDashboardPage, renewInvitation);
  return routes;
}

const toTeam = { path: () => TEAM_PATH, label: 'dashboard:team.back' } as const;

/** New users get the role with the fewest rights, unless the inviting user chooses another. */
const SUGGESTED_ROLE: TeamRole = 'viewer';

type InviteInput = { readonly email: string; readonly name?: string | undefined; readonly teamRole: TeamRole };

const invite: ActionPage<InviteInput, OneTimeLink> = {
  action: inviteToTeam,
  path: '/invite',
  back: toTeam,
  initial: () => ({ teamRole: SUGGESTED_ROLE }),
  fieldOf: { USER_EXISTS: 'email' },
  done: answerOneTimeLink,
};

const changeRole: ActionPage<{ readonly userId: string; readonly teamRole: TeamRole }, void, ListedUser> = {
  action: changeTeamRole,
  path: '/:userId/role',
  back: toTeam,
  load: colleague,
  about: nameAndEmail,
  initial: ({ teamRole }) => ({ teamRole }),
  done: (context) => context.redirect(context.get('page').href(`${TEAM_PATH}?done=role`), 303),
};

const remove: ActionPage<{ readonly userId: string }, void, ListedUser> = {
  action: removeFromTeam,
  path: '/:userId/remove',
  back: toTeam,
  load: colleague,
  about: nameAndEmail,
  closed: ({ id }, context) =>
    id === context.get('user').id ? context.get('page').t('actions:team.remove.outcomes.OWN_ACCOUNT') : null,
  isDangerous: true,
  done: (context) => context.redirect(context.get('page').href(`${TEAM_PATH}?done=removed`), 303),
};

const renewInvitation: ActionPage<{ readonly userId: string }, OneTimeLink, ListedUser> = {
  action: renewTeamInvitation,
  path: '/:userId/invitation',
  back: toTeam,
  load: colleague,
  about: nameAndEmail,
  closed: ({ hasJoined }, context) =>
    hasJoined ? context.get('page').t('actions:team.renew_invitation.outcomes.ALREADY_JOINED') : null,
  done: answerOneTimeLink,
};

/**
 * Finds a user of the caller's team. An unknown id and a user of another client get the same 404 and audit line.
 * @throws PageError 404
 */
async function colleague(
  context: Context<StaffEnv>,
  { userId }: Readonly<Record<string, string>>,
): Promise<ListedUser> {
  const as = context.get('as');
  const user = (await as.run(listTeam, {})).find(({ id }) => id === userId);
  if (user !== undefined) return user;
  const detail = { path: wantedTemplate(context), code: 'USER_NOT_FOUND' };
  await as.recordRefusal({ action: 'page.request', targetId: userId, detail });
  throw new PageError(404);
}

function nameAndEmail({ name, email }: ListedUser): Child {
  return (
    <>
      <strong class="as-typed">{name}</strong> <span class="as-typed">{email}</span>
    </>
  );
}

/** Shows a one-time link, once. */
function answerOneTimeLink(
  context: Context<StaffEnv>,
  site: Site,
  link: OneTimeLink,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const title = t('staff:link.title', { name: link.user.name });
  return answerDashboardPage(
    context,
    site,
    oneTimeLinkParts(title),
    <>
      <OneTimeLinkShown link={link} title={title} page={page} site={site} />
      <p>
        <a href={href(TEAM_PATH)}>{t('dashboard:team.back')}</a>
      </p>
    </>,
  );
}
