import {
  changeTeamRole,
  inviteToTeam,
  listTeam,
  removeFromTeam,
  renewTeamInvitation,
} from '@countersign/domain/actions';
import type { Invited, IssuedLink, ListedUser, TeamRole } from '@countersign/domain/staff';
import { type Context, Hono } from 'hono';
import { type ActionPage, actionPages } from '../../actions/action-page.tsx';
import type { Link } from '../../parts/page-parts.tsx';
import { PageError } from '../../site/errors.ts';
import { wantedTemplate } from '../../site/paths.ts';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/area.tsx';
import { type ListPage, listPage } from '../../staff/list-page.tsx';
import { actionColumn, type RowAction } from '../../staff/row-actions.tsx';
import { answerOneTimeLink } from '../../staff/shown-once.tsx';
import { isOwn, nameAndEmail, secondFactorColumn, teamRoleInWords, userColumns } from '../../staff/users.tsx';
import { INVITE_PATH, TEAM_PATH, userPath } from '../paths.ts';

/** The pages of a client's team. */
export function teamRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  const mount = actionPages(routes, site);
  routes.get('/', listPage(teamList));
  mount(invite);
  mount(changeRole);
  mount(remove);
  mount(renewInvitation);
  return routes;
}

/** The users of a client, longest in the team first. */
const teamList: ListPage<ListedUser> = {
  path: TEAM_PATH,
  title: 'dashboard:team.title',
  results: 'dashboard:team.done',
  links: [{ path: INVITE_PATH, label: 'dashboard:team.invite', action: inviteToTeam }],
  empty: { title: 'dashboard:team.title' },
  async load(context) {
    const users = await context.get('as').run(listTeam, {});
    return { rows: users, count: context.get('page').t('dashboard:team.count', { count: users.length }) };
  },
  columns(context) {
    const page = context.get('page');
    const actions: readonly RowAction<ListedUser>[] = [
      { action: changeTeamRole, label: 'dashboard:team.changeRole', path: ({ id }) => userPath(id, 'role') },
      {
        action: renewTeamInvitation,
        label: 'dashboard:team.newLink',
        path: ({ id }) => userPath(id, 'invitation'),
        when: ({ hasJoined }) => !hasJoined,
      },
      {
        action: removeFromTeam,
        label: 'dashboard:team.remove',
        path: ({ id }) => userPath(id, 'remove'),
        isDangerous: true,
        when: (user) => !isOwn(context, user),
      },
    ];
    return [
      ...userColumns(context, (user) => teamRoleInWords(user, page.t)),
      secondFactorColumn(page),
      ...actionColumn(context, actions, ({ name }) => name),
    ];
  },
};

const toTeam: Link = { path: TEAM_PATH, label: 'dashboard:nav.team' };
const toPassOn = { back: toTeam, mailed: `${TEAM_PATH}?done=mailed` };

/** New users get the role with the fewest rights, unless the inviting user chooses another. */
const SUGGESTED_ROLE: TeamRole = 'viewer';

type InviteInput = { readonly email: string; readonly name?: string | undefined; readonly teamRole: TeamRole };

const invite: ActionPage<InviteInput, Invited> = {
  action: inviteToTeam,
  path: '/invite',
  back: toTeam,
  mailed: (_, { t }) => t('staff:link.mailedNew'),
  initial: () => ({ teamRole: SUGGESTED_ROLE }),
  fieldOf: { USER_EXISTS: 'email' },
  done: (link, context) => answerOneTimeLink(context, link, toPassOn),
};

const changeRole: ActionPage<{ readonly userId: string; readonly teamRole: TeamRole }, void, ListedUser> = {
  action: changeTeamRole,
  path: '/:userId/role',
  back: toTeam,
  load: findTeamMember,
  about: nameAndEmail,
  initial: ({ teamRole }) => ({ teamRole }),
  done: () => `${TEAM_PATH}?done=role`,
};

const remove: ActionPage<{ readonly userId: string }, void, ListedUser> = {
  action: removeFromTeam,
  path: '/:userId/remove',
  back: toTeam,
  load: findTeamMember,
  about: nameAndEmail,
  closed: (user, context) =>
    isOwn(context, user) ? context.get('page').t('actions:team.remove.outcomes.OWN_ACCOUNT') : null,
  isDangerous: true,
  done: () => `${TEAM_PATH}?done=removed`,
};

const renewInvitation: ActionPage<{ readonly userId: string }, IssuedLink, ListedUser> = {
  action: renewTeamInvitation,
  path: '/:userId/invitation',
  back: toTeam,
  load: findTeamMember,
  about: nameAndEmail,
  closed: ({ hasJoined }, context) =>
    hasJoined ? context.get('page').t('actions:team.renew_invitation.outcomes.ALREADY_JOINED') : null,
  mailed: (_, { t }) => t('staff:link.mailedAgain'),
  done: (link, context) => answerOneTimeLink(context, link, toPassOn),
};

/**
 * Finds a user of the caller's team. An unknown id and a user of another client get the same 404 and audit entry.
 * @throws PageError 404
 */
export async function findTeamMember(
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
