import { createUser, nameClients, searchUsers } from '@countersign/domain/actions';
import type { ListedUser } from '@countersign/domain/staff';
import type { Context } from 'hono';
import type { StaffEnv } from '../../staff/area.tsx';
import { countInWords, IN_ORDER, type ListPage } from '../../staff/list-page.tsx';
import { actionColumn, type RowAction } from '../../staff/row-actions.tsx';
import { isOwn, secondFactorColumn, userColumns } from '../../staff/users.tsx';
import { clientPath, NEW_USER_PATH, USERS_PATH, userPath } from '../paths.ts';
import { ON_USER } from './on-user.ts';
import { roleInWords } from './user-page.tsx';

/** The users by e-mail address, or those whose address begins with the search text. */
export const userList: ListPage<ListedUser> = {
  path: USERS_PATH,
  title: 'admin:users.title',
  results: 'admin:users.done',
  links: [{ path: NEW_USER_PATH, label: 'admin:users.create', action: createUser }],
  empty: { title: 'admin:users.title', noMatch: 'admin:users.noMatch' },
  filters: (context) => [{ name: 'email', label: context.get('page').t('admin:users.search') }],
  async load(context, { email = '' }) {
    const after = context.req.query('after') || undefined;
    const found = await context.get('as').run(searchUsers, { email: email || undefined, after });
    return {
      rows: found.users,
      count: countInWords('admin:users.count', found.total, context.get('page')),
      pages: { cursor: 'after', next: found.next, words: IN_ORDER },
    };
  },
  problem: ({ path }, _values, t) =>
    path === 'email' ? ['email', t('admin:users.badEmail')] : ['after', t('admin:users.badAfter')],
  async columns(context, users) {
    const page = context.get('page');
    const { t, href } = page;
    const clientIds = users.flatMap(({ clientId }) => clientId ?? []);
    const names = await context.get('as').run(nameClients, { clientIds });
    const [name, email, role, state] = userColumns(context, (user) => roleInWords(user, t), userPath);
    return [
      name,
      email,
      role,
      {
        title: t('admin:users.client'),
        class: 'clip share',
        cell: ({ clientId }) =>
          clientId === null ? (
            <span class="quiet">{t('admin:users.noClient')}</span>
          ) : (
            <a href={href(clientPath(clientId))} class="quiet-link as-typed">
              <bdi>{names.get(clientId) ?? t('admin:users.clientGone')}</bdi>
            </a>
          ),
      },
      state,
      secondFactorColumn(page),
      ...actionColumn(context, rowActionsOf(context), (user) => user.name),
    ];
  },
};

/** What operators do with the accounts of others. */
function rowActionsOf(context: Context<StaffEnv>): readonly RowAction<ListedUser>[] {
  return ON_USER.map(({ action, name, label, isDangerous }) => ({
    action,
    label,
    path: ({ id }) => userPath(id, name),
    when: (user) => !isOwn(context, user),
    ...(isDangerous && { isDangerous }),
  }));
}
