import type { ListedUser } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../../site/page.ts';
import { UserState } from '../../staff/user-state.tsx';
import { Moment } from '../../wording/moment.tsx';
import { clientPath } from '../paths.ts';
import { roleInWords } from './role-in-words.ts';

/** What is known of somebody who signs in. */
export const UserFacts: FC<{ user: ListedUser; clientName: string | null; page: Page }> = (props) => {
  const { user, clientName, page } = props;
  const { t, href } = page;
  return (
    <dl class="facts">
      <div>
        <dt>{t('staff:user.email')}</dt>
        <dd class="as-typed">{user.email}</dd>
      </div>
      <div>
        <dt>{t('admin:user.id')}</dt>
        <dd>
          <code>{user.id}</code>
        </dd>
      </div>
      <div>
        <dt>{t('admin:users.role')}</dt>
        <dd>{roleInWords(user, t)}</dd>
      </div>
      {user.clientId === null ? null : (
        <div>
          <dt>{t('admin:users.client')}</dt>
          <dd>
            <a href={href(clientPath(user.clientId))} class="as-typed">
              {clientName ?? t('admin:users.clientGone')}
            </a>
          </dd>
        </div>
      )}
      <div>
        <dt>{t('admin:users.state')}</dt>
        <dd>
          <UserState user={user} page={page} />
        </dd>
      </div>
      <div>
        <dt>{t('admin:users.secondFactor')}</dt>
        <dd>{t(user.hasSecondFactor ? 'site:yes' : 'site:no')}</dd>
      </div>
      <div>
        <dt>{t('admin:user.created')}</dt>
        <dd>
          <Moment at={user.createdAt} page={page} />
        </dd>
      </div>
    </dl>
  );
};
