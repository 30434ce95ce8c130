import type { OpenedVerification } from '@countersign/domain';
import type { FC, PropsWithChildren } from 'hono/jsx';
import type { Page } from '../../site/page.ts';
import { Moment } from '../../wording/moment.tsx';
import { StatusInWords } from './status-in-words.tsx';

/** How a verification stands, in a few words each. */
export const VerificationFacts: FC<{ opened: OpenedVerification; page: Page }> = ({ opened, page }) => {
  const { t } = page;
  const { id, type, status, requestedAt, resolvedAt, currentStep, totalSteps } = opened;
  return (
    <dl class="facts">
      <Fact label={t('dashboard:verifications.status')}>
        <StatusInWords status={status} page={page} />
      </Fact>
      <Fact label={t('dashboard:verifications.type')}>{t(`wording:type.${type}`)}</Fact>
      <Fact label={t('dashboard:verifications.progress')}>
        {t('dashboard:verifications.stepsDone', { done: currentStep, total: totalSteps })}
      </Fact>
      <Fact label={t('dashboard:verifications.requested')}>
        <Moment at={requestedAt} page={page} />
      </Fact>
      {resolvedAt === null ? null : (
        <Fact label={t('dashboard:verifications.resolved')}>
          <Moment at={resolvedAt} page={page} />
        </Fact>
      )}
      <Fact label={t('dashboard:verifications.id')}>
        <code>{id}</code>
      </Fact>
    </dl>
  );
};

const Fact: FC<PropsWithChildren<{ label: string }>> = ({ label, children }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);
