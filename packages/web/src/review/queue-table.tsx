import type { ReviewQueueItem, ReviewQueuePage } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';
import { Age } from '../staff/moment.tsx';
import type { Names } from '../staff/names.ts';
import { casePath } from './paths.ts';

interface CasesProps {
  readonly page: Page;
  readonly names: Names;
  readonly reviewerId: string;
  readonly now: Date;
}

/** One page of cases, a row each. */
export const Cases: FC<CasesProps & { cases: ReviewQueuePage }> = ({ cases, ...props }) => {
  const { t } = props.page;
  return (
    <table class="queue">
      <thead>
        <tr>
          <th scope="col">{t('review:queue.subject')}</th>
          <th scope="col">{t('review:queue.waiting')}</th>
          <th scope="col">{t('review:queue.type')}</th>
          <th scope="col">{t('review:queue.client')}</th>
          <th scope="col">{t('review:queue.status')}</th>
          <th scope="col">{t('review:queue.claimedBy')}</th>
        </tr>
      </thead>
      <tbody>
        {cases.items.map((item) => (
          <Case item={item} {...props} />
        ))}
      </tbody>
    </table>
  );
};

const Case: FC<CasesProps & { item: ReviewQueueItem }> = ({ item, page, names, reviewerId, now }) => {
  const { t, href } = page;
  const { id, subjectReference, type, clientName, status, requestedAt, submittedAt, claim } = item;
  return (
    <tr>
      <th scope="row">
        <a href={href(casePath(id))} data-case class="as-typed">
          {subjectReference}
        </a>
      </th>
      <td class="short" data-label={t('review:queue.waiting')}>
        <Age since={status === 'submitted' ? (submittedAt ?? requestedAt) : requestedAt} now={now} page={page} />
      </td>
      <td class="short" data-label={t('review:queue.type')}>
        {t(`wording:type.${type}`)}
      </td>
      <td data-label={t('review:queue.client')}>{clientName}</td>
      <td data-label={t('review:queue.status')}>
        <span class={`badge status-${status}`}>{t(`wording:statusShort.${status}`)}</span>
      </td>
      <td data-label={t('review:queue.claimedBy')}>
        {claim === null ? (
          <span class="quiet">{t('review:queue.nobody')}</span>
        ) : claim.reviewerId === reviewerId ? (
          <strong>{t('review:queue.you')}</strong>
        ) : (
          names.of(claim.reviewerId)
        )}
      </td>
    </tr>
  );
};
