import { createUser, type ListedUser, listUsers, nameClients } from '@countersign/domain';
import { figure } from '../../site/formats.ts';
import { type ListPage, pageOf } from '../../staff/list-page.tsx';
import { secondFactorColumn, userColumns } from '../../staff/users.tsx';
import { clientPath, NEW_USER_PATH, USERS_PATH, userPath } from '../paths.ts';
import { roleInWords } from './user-page.tsx';

const PAGE_SIZE = 50;

/** All users, oldest first. */
export const userList: ListPage<ListedUser> = {
  path: USERS_PATH,
  title: 'admin:users.title',
  results: 'admin:users.done',
  links: [{ path: NEW_USER_PATH, label: 'admin:users.create', action: createUser }],
  empty: { title: 'admin:users.title' },
  async load(context) {
    const { t, language } = context.get('page');
    const users = await context.get('as').run(listUsers, {});
    const count = t('admin:users.count', { count: users.length, number: figure(users.length, language) });
    return { ...pageOf(users, context.req.query('page'), PAGE_SIZE), count };
  },
  async columns(context, users) {
    const page = context.get('page');
    const { t, href } = page;
    const clientIds = users.flatMap(({ clientId }) => clientId ?? []);
    const names = await context.get('as').run(nameClients, { clientIds });
    const [name, role, state] = userColumns(context, (user) => roleInWords(user, t), userPath);
    return [
      name,
      role,
      {
        title: t('admin:users.client'),
        cell: ({ clientId }) =>
          clientId === null ? (
            <span class="quiet">{t('admin:users.noClient')}</span>
          ) : (
            <a href={href(clientPath(clientId))} class="as-typed">
              {names.get(clientId) ?? t('admin:users.clientGone')}
            </a>
          ),
      },
      state,
      secondFactorColumn(page),
    ];
  },
};
