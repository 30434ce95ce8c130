import {
  changeTeamRole,
  inviteToTeam,
  type ListedUser,
  listTeam,
  removeFromTeam,
  renewTeamInvitation,
} from '@countersign/domain';
import type { Context, Handler } from 'hono';
import type { Site } from '../../site/site.ts';
import { Result } from '../../staff/result.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { type Column, RowLink, Table } from '../../staff/table.tsx';
import { UserState } from '../../staff/user-state.tsx';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { INVITE_PATH, userPath } from '../paths.ts';

const DONE = ['role', 'removed'] as const;

/** Lists the users of a client, longest in the team first. */
export function teamPage(site: Site): Handler<StaffEnv> {
  return async (context) => {
    const { t, href } = context.get('page');
    const as = context.get('as');
    const users = await as.run(listTeam, {});
    const done = DONE.find((name) => name === context.req.query('done'));
    return answerDashboardPage(
      context,
      site,
      { title: t('dashboard:team.title') },
      <>
        {done === undefined ? null : <Result text={t(`dashboard:team.done.${done}`)} />}
        <h1>{t('dashboard:team.title')}</h1>
        <div class="list-head">
          <p>{t('dashboard:team.count', { count: users.length })}</p>
          {as.may(inviteToTeam) === 'no' ? null : (
            <a class="action" href={href(INVITE_PATH)}>
              {t('dashboard:team.invite')}
            </a>
          )}
        </div>
        <Table rows={users} columns={columnsFor(context)} />
      </>,
    );
  };
}

function columnsFor(context: Context<StaffEnv>): readonly Column<ListedUser>[] {
  const page = context.get('page');
  const { t } = page;
  const ownId = context.get('user').id;
  const { may } = context.get('as');
  const mayChange = may(changeTeamRole) !== 'no';
  const mayRemove = may(removeFromTeam) !== 'no';
  const mayRenew = may(renewTeamInvitation) !== 'no';
  const columns: readonly Column<ListedUser>[] = [
    {
      title: t('dashboard:team.name'),
      isRowHeader: true,
      cell: ({ id, name, email }) => (
        <>
          <span class="as-typed block">
            {name} {id === ownId ? <span class="quiet">{t('staff:user.you')}</span> : null}
          </span>
          <span class="quiet as-typed">{email}</span>
        </>
      ),
    },
    {
      title: t('actions:fields.teamRole'),
      cell: ({ teamRole }) => (teamRole === null ? null : t(`actions:choices.teamRole.${teamRole}`)),
    },
    { title: t('dashboard:team.state'), cell: (user) => <UserState user={user} page={page} /> },
    {
      title: t('dashboard:team.secondFactor'),
      cell: ({ hasSecondFactor }) => t(hasSecondFactor ? 'site:yes' : 'site:no'),
    },
  ];
  if (!mayChange && !mayRemove && !mayRenew) return columns;
  return [
    ...columns,
    {
      title: t('dashboard:keys.acts'),
      cell: ({ id, name, hasJoined }) => {
        const about = { page, about: name };
        return (
          <div class="buttons">
            {mayChange ? (
              <RowLink path={userPath(id, 'role')} text={t('dashboard:team.changeRole')} {...about} />
            ) : null}
            {mayRenew && !hasJoined ? (
              <RowLink path={userPath(id, 'invitation')} text={t('dashboard:team.newLink')} {...about} />
            ) : null}
            {mayRemove && id !== ownId ? (
              <RowLink path={userPath(id, 'remove')} text={t('dashboard:team.remove')} {...about} />
            ) : null}
          </div>
        );
      },
    },
  ];
}
