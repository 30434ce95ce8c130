import type { ListedUser } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../../site/page.ts';
import { MemberState } from '../../staff/member-state.tsx';
import { Moment } from '../../wording/moment.tsx';
import { clientPath } from '../paths.ts';
import { roleInWords } from './role-in-words.ts';

/** What is known of somebody who signs in. */
export const UserFacts: FC<{ member: ListedUser; clientName: string | null; page: Page }> = (props) => {
  const { member, clientName, page } = props;
  const { t, href } = page;
  return (
    <dl class="facts">
      <div>
        <dt>{t('staff:member.email')}</dt>
        <dd class="as-typed">{member.email}</dd>
      </div>
      <div>
        <dt>{t('admin:user.id')}</dt>
        <dd>
          <code>{member.id}</code>
        </dd>
      </div>
      <div>
        <dt>{t('admin:users.role')}</dt>
        <dd>{roleInWords(member, t)}</dd>
      </div>
      {member.clientId === null ? null : (
        <div>
          <dt>{t('admin:users.client')}</dt>
          <dd>
            <a href={href(clientPath(member.clientId))} class="as-typed">
              {clientName ?? t('admin:users.clientGone')}
            </a>
          </dd>
        </div>
      )}
      <div>
        <dt>{t('admin:users.state')}</dt>
        <dd>
          <MemberState member={member} page={page} />
        </dd>
      </div>
      <div>
        <dt>{t('admin:users.secondFactor')}</dt>
        <dd>{t(member.hasSecondFactor ? 'site:yes' : 'site:no')}</dd>
      </div>
      <div>
        <dt>{t('admin:user.created')}</dt>
        <dd>
          <Moment at={member.createdAt} page={page} />
        </dd>
      </div>
    </dl>
  );
};
