import { isActive } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { VerificationBadge } from '../parts/badge.tsx';
import { Age, Facts, Moment } from '../parts/page-parts.tsx';
import { ShortReference } from '../site/short-reference.tsx';
import { dataInWords, referenceInWords } from '../staff/data-state.tsx';
import { ClaimFact } from './claim.tsx';
import { DueTime } from './queue-cells.tsx';
import type { ReviewView } from './review-view.ts';

/** Shows the reference, client, status and dates of a verification. */
export const ReviewFacts: FC<{ view: ReviewView }> = ({ view }) => {
  const { page, reviewed, now } = view;
  const { t } = page;
  const { verification, clientName, retention, endedBy, dueAt } = reviewed;
  const { type, status, requestedAt, submittedAt } = verification;
  return (
    <details class="case-fold" id="facts">
      <summary>{t('review:case.facts')}</summary>
      <Facts
        items={[
          [
            t('review:queue.subject'),
            <span class="as-typed">
              <bdi>{referenceInWords(verification, page)}</bdi>
            </span>,
          ],
          [t('wording:shortReference.label'), <ShortReference id={verification.id} />],
          [t('review:case.client'), <bdi>{clientName}</bdi>],
          [t('review:case.type'), t(`wording:type.${type}`)],
          [
            t('review:case.status'),
            <>
              <VerificationBadge of={{ status, endedBy }} page={page} />
              {/* A decision needs no more words. */}
              {isActive(status) ? <span class="quiet"> {t(`review:status.${status}`)}</span> : null}
            </>,
          ],
          status === 'submitted'
            ? [
                t('review:queue.waiting'),
                <>
                  <Age since={verification.submittedAt} now={now} page={page} />
                  {dueAt === null ? null : (
                    <span class="due">
                      {' '}
                      <DueTime due={dueAt} now={now} page={page} />
                    </span>
                  )}
                </>,
              ]
            : null,
          status === 'submitted' ? [t('review:queue.claimedBy'), <ClaimFact view={view} />] : null,
          [
            t('review:case.submitted'),
            submittedAt === null ? t('review:case.notSubmitted') : <Moment at={submittedAt} page={page} />,
          ],
          [t('review:case.created'), <Moment at={requestedAt} page={page} />],
          'resolvedAt' in verification
            ? [t('review:case.resolved'), <Moment at={verification.resolvedAt} page={page} />]
            : null,
          [t('wording:data.label'), dataInWords(retention, page)],
        ]}
      />
    </details>
  );
};
