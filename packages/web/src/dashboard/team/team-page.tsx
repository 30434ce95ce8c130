import { inviteToTeam, type ListedUser, listTeam } from '@countersign/domain';
import type { Handler } from 'hono';
import type { FC } from 'hono/jsx';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import { Result } from '../../staff/result.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { UserState } from '../../staff/user-state.tsx';
import { ActLink } from '../act-link.tsx';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { INVITE_PATH, userPath } from '../paths.ts';

const DONE = ['role', 'removed'] as const;

/** Everybody of the client who signs in, whoever has been there longest first. */
export function teamPage(site: Site): Handler<StaffEnv> {
  return async (context) => {
    const page = context.get('page');
    const { t, href } = page;
    const as = context.get('as');
    const members = await as.run(listTeam, {});
    const mayManage = as.may(inviteToTeam) !== 'no';
    const done = DONE.find((name) => name === context.req.query('done'));
    return answerDashboardPage(
      context,
      site,
      { title: t('dashboard:team.title') },
      <>
        {done === undefined ? null : <Result text={t(`dashboard:team.done.${done}`)} />}
        <h1>{t('dashboard:team.title')}</h1>
        <div class="list-head">
          <p>{t('dashboard:team.count', { count: members.length })}</p>
          {mayManage ? (
            <a class="action" href={href(INVITE_PATH)}>
              {t('dashboard:team.invite')}
            </a>
          ) : null}
        </div>
        <Members members={members} page={page} ownId={context.get('user').id} mayManage={mayManage} />
      </>,
    );
  };
}

interface MembersProps {
  readonly page: Page;
  readonly ownId: string;
  readonly mayManage: boolean;
}

const Members: FC<MembersProps & { members: readonly ListedUser[] }> = ({ members, ...props }) => {
  const { t } = props.page;
  return (
    <table class="as-cards">
      <thead>
        <tr>
          <th scope="col">{t('dashboard:team.name')}</th>
          <th scope="col">{t('staff:user.role')}</th>
          <th scope="col">{t('dashboard:team.state')}</th>
          <th scope="col">{t('dashboard:team.secondFactor')}</th>
          {props.mayManage ? <th scope="col">{t('dashboard:keys.acts')}</th> : null}
        </tr>
      </thead>
      <tbody>
        {members.map((user) => (
          <MemberRow user={user} {...props} />
        ))}
      </tbody>
    </table>
  );
};

const MemberRow: FC<MembersProps & { user: ListedUser }> = ({ user, page, ownId, mayManage }) => {
  const { t } = page;
  const { id, name, email, teamRole, hasSecondFactor } = user;
  return (
    <tr>
      <th scope="row">
        <span class="as-typed block">
          {name} {id === ownId ? <span class="quiet">{t('staff:user.you')}</span> : null}
        </span>
        <span class="quiet as-typed">{email}</span>
      </th>
      <td data-label={t('staff:user.role')}>{teamRole === null ? null : t(`staff:teamRole.${teamRole}`)}</td>
      <td data-label={t('dashboard:team.state')}>
        <UserState user={user} page={page} />
      </td>
      <td data-label={t('dashboard:team.secondFactor')}>{t(hasSecondFactor ? 'site:yes' : 'site:no')}</td>
      {mayManage ? (
        <td data-label={t('dashboard:keys.acts')}>
          <MemberActs user={user} page={page} isOwn={id === ownId} />
        </td>
      ) : null}
    </tr>
  );
};

const MemberActs: FC<{ user: ListedUser; page: Page; isOwn: boolean }> = ({ user, page, isOwn }) => {
  const { t } = page;
  const { id, name, hasJoined } = user;
  const about = { page, about: name };
  return (
    <div class="buttons">
      <ActLink path={userPath(id, 'role')} text={t('dashboard:team.changeRole')} {...about} />
      {hasJoined ? null : (
        <ActLink path={userPath(id, 'invitation')} text={t('dashboard:team.newLink')} {...about} />
      )}
      {isOwn ? null : <ActLink path={userPath(id, 'remove')} text={t('dashboard:team.remove')} {...about} />}
    </div>
  );
};
