import type { BrowsedVerification } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../../site/page.ts';
import { Moment } from '../../wording/moment.tsx';
import { verificationPath } from './paths.ts';
import { StatusInWords } from './status-in-words.tsx';

/** Verifications, a row each. On a narrow page each row becomes a short list. */
export const VerificationTable: FC<{ items: readonly BrowsedVerification[]; page: Page }> = ({ items, page }) => {
  const { t } = page;
  return (
    <table class="as-cards">
      <thead>
        <tr>
          <th scope="col">{t('dashboard:verifications.reference')}</th>
          <th scope="col">{t('dashboard:verifications.status')}</th>
          <th scope="col">{t('dashboard:verifications.type')}</th>
          <th scope="col">{t('dashboard:verifications.requested')}</th>
          <th scope="col">{t('dashboard:verifications.submitted')}</th>
          <th scope="col">{t('dashboard:verifications.resolved')}</th>
          <th scope="col">{t('dashboard:verifications.progress')}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Row item={item} page={page} />
        ))}
      </tbody>
    </table>
  );
};

const Row: FC<{ item: BrowsedVerification; page: Page }> = ({ item, page }) => {
  const { t, href } = page;
  const { id, subjectReference, status, type, requestedAt, submittedAt, resolvedAt, currentStep, totalSteps } =
    item;
  return (
    <tr>
      <th scope="row">
        <a href={href(verificationPath(id))} class="as-typed">
          {subjectReference}
        </a>
      </th>
      <td data-label={t('dashboard:verifications.status')}>
        <StatusInWords status={status} page={page} />
      </td>
      <td data-label={t('dashboard:verifications.type')}>{t(`wording:type.${type}`)}</td>
      <td data-label={t('dashboard:verifications.requested')}>
        <Moment at={requestedAt} page={page} />
      </td>
      <td data-label={t('dashboard:verifications.submitted')}>
        <MomentOrNone at={submittedAt} page={page} />
      </td>
      <td data-label={t('dashboard:verifications.resolved')}>
        <MomentOrNone at={resolvedAt} page={page} />
      </td>
      <td data-label={t('dashboard:verifications.progress')}>
        {t('dashboard:verifications.stepsDone', { done: currentStep, total: totalSteps })}
      </td>
    </tr>
  );
};

const MomentOrNone: FC<{ at: Date | null; page: Page }> = ({ at, page }) =>
  at === null ? (
    <span class="quiet">{page.t('dashboard:verifications.notYet')}</span>
  ) : (
    <Moment at={at} page={page} />
  );
