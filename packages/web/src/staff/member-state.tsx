import type { ListedUser } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';
import { Moment } from '../wording/moment.tsx';

/** Whether somebody has joined, and until when their one-time link works. */
export const MemberState: FC<{ member: ListedUser; page: Page }> = ({
  member: { hasJoined, invitedUntil },
  page,
}) => {
  const { t } = page;
  if (hasJoined) return <span class="badge state-active">{t('staff:member.joined')}</span>;
  return (
    <>
      <span class="badge state-invited">{t('staff:member.invited')}</span>{' '}
      {invitedUntil === null ? (
        t('staff:member.linkOver')
      ) : (
        <>
          {t('staff:member.linkUntil')} <Moment at={invitedUntil} page={page} />
        </>
      )}
    </>
  );
};
