import { type OtherCase, shortReference } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { StateBadge } from '../parts/badge.tsx';
import { figure } from '../site/formats.ts';
import { reviewPath } from './paths.ts';
import type { ReviewView } from './review-view.ts';

/** Most cases that are listed one by one. */
const LISTED = 5;

/** Links to the cases with which a case was compared, each with what became of it; of many, the newest and the number of the others. */
export const OtherCases: FC<{ view: Pick<ReviewView, 'page' | 'query'>; others: readonly OtherCase[] }> = (
  props,
) => {
  const { view, others } = props;
  const { page, query } = view;
  const more = others.length - LISTED;
  return (
    <ul class="other-cases" aria-label={page.t('review:others.title')}>
      {others.slice(0, LISTED).map(({ verificationId, status }) => (
        <li>
          <a href={page.href(reviewPath(verificationId)) + query} class="reference">
            {shortReference(verificationId)}
          </a>{' '}
          <StateBadge of={`verification.${status}`} page={page} />
        </li>
      ))}
      {more <= 0 ? null : (
        <li class="quiet">{page.t('review:others.more', { count: more, number: figure(more, page.language) })}</li>
      )}
    </ul>
  );
};
