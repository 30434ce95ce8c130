import type { FC } from 'hono/jsx';
import { Badge, VerificationBadge } from '../parts/badge.tsx';
import { Age, BackLink } from '../parts/page-parts.tsx';
import { ShortReference } from '../site/short-reference.tsx';
import { referenceInWords } from '../staff/data-state.tsx';
import { ClaimBadge } from './claim.tsx';
import { QUEUE_PATH } from './paths.ts';
import type { CaseHead } from './review-view.ts';

/** The line above a case: back to the queue, what the case is about, what is unusual in it, and whose it is. */
export const CaseBar: FC<{ view: CaseHead }> = ({ view }) => {
  const { page, reviewed, now } = view;
  const { t } = page;
  const { verification, clientName, endedBy } = reviewed;
  const { status } = verification;
  return (
    <div class="case-bar">
      <BackLink path={QUEUE_PATH} label="review:case.back" page={page} />
      <h1 class="as-typed">
        <bdi>{referenceInWords(verification, page)}</bdi>
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
      <WarningBadges view={view} />
      <VerificationBadge of={{ status, endedBy }} page={page} />
      {status === 'submitted' ? <ClaimBadge view={view} /> : null}
    </div>
  );
};

/** Names each kind of warning once, in a few words; the list of warnings says more. */
const WarningBadges: FC<{ view: CaseHead }> = ({ view: { page, reviewed } }) => {
  const codes = reviewed.retention.isHidden ? [] : new Set(reviewed.warnings.map(({ code }) => code));
  return (
    <p class="case-warnings">
      {[...codes].map((code) => (
        <Badge tone="warn" icon="triangle-alert" page={page}>
          {page.t(`review:warningShort.${code}`)}
        </Badge>
      ))}
    </p>
  );
};
