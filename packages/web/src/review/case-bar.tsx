import type { FC } from 'hono/jsx';
import { VerificationBadge } from '../parts/badge.tsx';
import { Age, BackLink } from '../parts/page-parts.tsx';
import { ShortReference } from '../site/short-reference.tsx';
import { ClaimBadge, ClaimButton } from './claim.tsx';
import { QUEUE_PATH } from './paths.ts';
import { type CaseHead, caseName } from './review-view.ts';
import { WarningChips } from './warnings.tsx';

/** The line above a case: back to the queue, whom it is about, what is unusual in it, and whose it is. */
export const CaseBar: FC<{ view: CaseHead }> = ({ view }) => {
  const { page, reviewed, now, query } = view;
  const { t } = page;
  const { verification, clientName, endedBy } = reviewed;
  const { status } = verification;
  return (
    <div class="case-bar">
      <BackLink path={QUEUE_PATH + query} label="review:case.back" page={page} />
      <h1 class="as-typed">
        <bdi>{caseName(reviewed, page)}</bdi>
      </h1>
      <ShortReference id={verification.id} />
      <p>
        <bdi>{clientName}</bdi>
        {verification.status === 'submitted' ? (
          <>
            {' · '}
            {t('review:case.waiting')} <Age since={verification.submittedAt} now={now} page={page} />
          </>
        ) : null}
      </p>
      <WarningChips view={view} />
      {/* Whose it is says that it waits. */}
      {status === 'submitted' ? (
        <>
          <ClaimBadge view={view} />
          <ClaimButton view={view} />
        </>
      ) : (
        <VerificationBadge of={{ status, endedBy }} page={page} />
      )}
    </div>
  );
};
