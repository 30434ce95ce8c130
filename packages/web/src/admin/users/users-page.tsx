import { type ListedUser, listClients, listUsers } from '@countersign/domain';
import type { Handler } from 'hono';
import type { FC } from 'hono/jsx';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import { Result } from '../../staff/result.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { UserState } from '../../staff/user-state.tsx';
import { figure } from '../../wording/figure.ts';
import { answerAdminPage } from '../admin-page.tsx';
import { SheetLinks, sheetOf } from '../list-pages.tsx';
import { clientPath, NEW_USER_PATH, USERS_PATH, userPath } from '../paths.ts';
import { roleInWords } from './role-in-words.ts';

const PAGE_SIZE = 50;

/** Everybody who signs in, whoever has been there longest first. */
export function usersPage(site: Site): Handler<StaffEnv> {
  return async (context) => {
    const page = context.get('page');
    const { t, href, language } = page;
    const as = context.get('as');
    const [members, all] = await Promise.all([as.run(listUsers, {}), as.run(listClients, {})]);
    const sheet = sheetOf(members, context.req.query('page'), PAGE_SIZE);
    const names = new Map(all.map(({ client }) => [client.id, client.name]));
    return answerAdminPage(
      context,
      site,
      { title: t('admin:users.title') },
      <>
        {context.req.query('done') === 'removed' ? <Result text={t('admin:users.done.removed')} /> : null}
        <div class="list-head">
          <h1>{t('admin:users.title')}</h1>
          <a class="action" href={href(NEW_USER_PATH)}>
            {t('admin:users.create')}
          </a>
        </div>
        <p class="count">
          {t('admin:users.count', { count: members.length, number: figure(members.length, language) })}
        </p>
        <table class="as-cards">
          <thead>
            <tr>
              <th scope="col">{t('admin:users.person')}</th>
              <th scope="col">{t('admin:users.role')}</th>
              <th scope="col">{t('admin:users.client')}</th>
              <th scope="col">{t('admin:users.state')}</th>
              <th scope="col">{t('admin:users.secondFactor')}</th>
            </tr>
          </thead>
          <tbody>
            {sheet.items.map((user) => (
              <UserRow user={user} names={names} ownId={context.get('user').id} page={page} />
            ))}
          </tbody>
        </table>
        <SheetLinks sheet={sheet} page={page} addressOf={(number) => href(`${USERS_PATH}?page=${number}`)} />
      </>,
    );
  };
}

const UserRow: FC<{
  user: ListedUser;
  names: ReadonlyMap<string, string>;
  ownId: string;
  page: Page;
}> = ({ user, names, ownId, page }) => {
  const { t, href } = page;
  const { id, name, email, clientId, hasSecondFactor } = user;
  return (
    <tr>
      <th scope="row">
        <a href={href(userPath(id))} class="as-typed">
          {name}
        </a>{' '}
        {id === ownId ? <span class="quiet">{t('staff:user.you')}</span> : null}{' '}
        <span class="quiet as-typed block">{email}</span>
      </th>
      <td data-label={t('admin:users.role')}>{roleInWords(user, t)}</td>
      <td data-label={t('admin:users.client')}>
        {clientId === null ? (
          <span class="quiet">{t('admin:users.noClient')}</span>
        ) : (
          <a href={href(clientPath(clientId))} class="as-typed">
            {names.get(clientId) ?? t('admin:users.clientGone')}
          </a>
        )}
      </td>
      <td data-label={t('admin:users.state')}>
        <UserState user={user} page={page} />
      </td>
      <td data-label={t('admin:users.secondFactor')}>{t(hasSecondFactor ? 'site:yes' : 'site:no')}</td>
    </tr>
  );
};
