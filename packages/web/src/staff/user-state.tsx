import type { ListedUser } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';
import { Moment } from './moment.tsx';

/** Whether somebody has joined, and until when their one-time link works. */
export const UserState: FC<{ user: ListedUser; page: Page }> = ({ user: { hasJoined, invitedUntil }, page }) => {
  const { t } = page;
  if (hasJoined) return <span class="badge state-active">{t('staff:user.joined')}</span>;
  return (
    <>
      <span class="badge state-invited">{t('staff:user.invited')}</span>{' '}
      {invitedUntil === null ? (
        t('staff:user.linkOver')
      ) : (
        <>
          {t('staff:user.linkUntil')} <Moment at={invitedUntil} page={page} />
        </>
      )}
    </>
  );
};
