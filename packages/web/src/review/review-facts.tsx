import { isActive } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { StateBadge } from '../parts/badge.tsx';
import { Age, Facts, Moment } from '../parts/page-parts.tsx';
import { ShortReference } from '../site/short-reference.tsx';
import { dataInWords } from '../staff/data-state.tsx';
import { actionPath } from './paths.ts';
import { claimOf, mayDo, type ReviewView } from './review-view.ts';
import { FIELD } from './typed.ts';

/** Shows the client, status, dates and claim of a verification. */
export const ReviewFacts: FC<{ view: ReviewView }> = ({ view }) => {
  const { page, reviewed, now } = view;
  const { t } = page;
  const { verification, clientName, retention } = reviewed;
  const { type, status, requestedAt, submittedAt } = verification;
  return (
    <>
      <Facts
        items={[
          [t('wording:shortReference.label'), <ShortReference id={verification.id} />],
          [t('review:case.client'), <bdi>{clientName}</bdi>],
          [t('review:case.type'), t(`wording:type.${type}`)],
          [
            t('review:case.status'),
            <>
              <StateBadge of={`verification.${status}`} page={page} />
              {/* A decision needs no more words. */}
              {isActive(status) ? <span class="quiet"> {t(`review:status.${status}`)}</span> : null}
            </>,
          ],
          status === 'submitted'
            ? [t('review:queue.waiting'), <Age since={verification.submittedAt} now={now} page={page} />]
            : null,
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
      {status === 'submitted' ? <ClaimLine view={view} /> : null}
    </>
  );
};

const ClaimLine: FC<{ view: ReviewView }> = ({ view }) => {
  const { page, reviewed, reviewer, names, now } = view;
  const { t, href } = page;
  const { id, version } = reviewed.verification;
  const claim = claimOf(reviewed);
  const holder = claim === null ? '' : names.of(claim.reviewerId);
  const mine = claim?.reviewerId === reviewer.id;
  const action = mayDo('claim', view) ? 'claim' : 'release';
  const label =
    action === 'claim' || mine ? t(`review:act.${action}`) : t('review:act.releaseOther', { name: holder });
  return (
    <form method="post" action={href(actionPath(id, action))} class="claim-line">
      <input type="hidden" name={FIELD.version} value={String(version)} />
      <p>
        {claim === null
          ? t('review:case.unclaimed')
          : t(mine ? 'review:case.claimedByYou' : 'review:case.claimedBy', { name: holder })}{' '}
        {claim === null ? null : (
          <span class="quiet">
            (<Age since={claim.claimedAt} now={now} page={page} />)
          </span>
        )}
      </p>
      <button type="submit" class="secondary">
        {label}
      </button>
    </form>
  );
};
