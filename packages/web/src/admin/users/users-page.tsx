import { type ListedUser, listClients, listUsers } from '@countersign/domain';
import type { Context, Handler } from 'hono';
import type { Child } from 'hono/jsx';
import { figure } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import { Result } from '../../staff/result.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { Table } from '../../staff/table.tsx';
import { UserState } from '../../staff/user-state.tsx';
import { answerAdminPage } from '../admin-page.tsx';
import { SheetLinks, sheetOf } from '../list-pages.tsx';
import { clientPath, NEW_USER_PATH, USERS_PATH, userPath } from '../paths.ts';
import { isOwn, roleInWords } from './user-page.tsx';

const PAGE_SIZE = 50;

/** Lists all users, oldest first. */
export function usersPage(site: Site): Handler<StaffEnv> {
  return async (context) => {
    const page = context.get('page');
    const { t, href, language } = page;
    const as = context.get('as');
    const [users, all] = await Promise.all([as.run(listUsers, {}), as.run(listClients, {})]);
    const sheet = sheetOf(users, context.req.query('page'), PAGE_SIZE);
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
          {t('admin:users.count', { count: users.length, number: figure(users.length, language) })}
        </p>
        <Table
          rows={sheet.items}
          columns={[
            { title: t('admin:users.person'), isRowHeader: true, cell: (user) => personCell(user, context) },
            { title: t('admin:users.role'), cell: (user) => roleInWords(user, t) },
            { title: t('admin:users.client'), cell: ({ clientId }) => clientCell(clientId, names, page) },
            { title: t('admin:users.state'), cell: (user) => <UserState user={user} page={page} /> },
            {
              title: t('admin:users.secondFactor'),
              cell: ({ hasSecondFactor }) => t(hasSecondFactor ? 'site:yes' : 'site:no'),
            },
          ]}
        />
        <SheetLinks sheet={sheet} page={page} addressOf={(number) => href(`${USERS_PATH}?page=${number}`)} />
      </>,
    );
  };
}

function personCell(user: ListedUser, context: Context<StaffEnv>): Child {
  const { t, href } = context.get('page');
  return (
    <>
      <a href={href(userPath(user.id))} class="as-typed">
        {user.name}
      </a>{' '}
      {isOwn(context, user) ? <span class="quiet">{t('staff:user.you')}</span> : null}{' '}
      <span class="quiet as-typed block">{user.email}</span>
    </>
  );
}

function clientCell(clientId: string | null, names: ReadonlyMap<string, string>, { t, href }: Page): Child {
  if (clientId === null) return <span class="quiet">{t('admin:users.noClient')}</span>;
  return (
    <a href={href(clientPath(clientId))} class="as-typed">
      {names.get(clientId) ?? t('admin:users.clientGone')}
    </a>
  );
}
