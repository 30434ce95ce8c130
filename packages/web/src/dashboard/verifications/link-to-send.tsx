import type { OpenedVerification } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../../site/page.ts';
import { CopyField } from '../../staff/copy-field.tsx';
import { Moment } from '../../wording/moment.tsx';
import { movePath } from './paths.ts';

/**
 * The link that the subject is to be sent, while there is something to be done with it. Only for those who may send it:
 * whoever has it can go on in the subject's place.
 */
export const LinkToSend: FC<{ opened: OpenedVerification; page: Page; now: Date }> = ({ opened, page, now }) => {
  const { t, href } = page;
  const { id, status, verificationUrl, linkExpiresAt, mayRenewLink } = opened;
  const hasExpired = linkExpiresAt <= now;
  const isOver = status === 'approved' || status === 'rejected' || (hasExpired && !mayRenewLink);
  if (isOver || verificationUrl === null) return null;
  return (
    <section aria-labelledby="link-title">
      <h2 id="link-title">{t('dashboard:verifications.link.title')}</h2>
      {hasExpired ? (
        <div class="notice warn">
          <p>
            {t('dashboard:verifications.link.expired')} <Moment at={linkExpiresAt} page={page} />
          </p>
        </div>
      ) : (
        <>
          <CopyField
            page={page}
            id="verification-link"
            label={t('dashboard:verifications.link.label')}
            value={verificationUrl}
          />
          <p>
            {t('dashboard:verifications.link.expires')} <Moment at={linkExpiresAt} page={page} />
          </p>
        </>
      )}
      {mayRenewLink ? (
        <p>
          <a href={href(movePath(id, 'renew-link'))}>{t('dashboard:verifications.renew.link')}</a>{' '}
          <span class="quiet">{t('dashboard:verifications.renew.hint')}</span>
        </p>
      ) : null}
    </section>
  );
};
