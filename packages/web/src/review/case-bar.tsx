import type { FC } from 'hono/jsx';
import { VerificationBadge } from '../parts/badge.tsx';
import { Icon } from '../parts/icon.tsx';
import { BackLink } from '../parts/page-parts.tsx';
import { figure } from '../site/formats.ts';
import type { Page } from '../site/page.ts';
import { ShortReference } from '../site/short-reference.tsx';
import { ClaimBadge, ClaimButton } from './claim.tsx';
import { QUEUE_PATH } from './paths.ts';
import { Waited } from './queue-cells.tsx';
import { type CaseHead, caseName, claimOf, type Progress } from './review-view.ts';
import { WarningChips } from './warnings.tsx';

/** The line above a case: back to the queue, whom it is about, what is unusual in it, and whose it is. */
export const CaseBar: FC<{ view: CaseHead }> = ({ view }) => {
  const { page, reviewed, now, query, progress } = view;
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
      <p class="case-client">
        <bdi>{clientName}</bdi>
      </p>
      {verification.status === 'submitted' ? (
        <p>
          <Icon page={page} name="clock" /> <span class="visually-hidden">{t('review:case.waiting')}</span>{' '}
          <Waited since={verification.submittedAt} now={now} page={page} />
        </p>
      ) : null}
      <WarningChips view={view} />
      {progress === null ? null : <ProgressToday progress={progress} page={page} />}
      {/* Whose it is says that it waits. */}
      {status === 'submitted' ? (
        <>
          {/* That no one has claimed it, the button says. */}
          {claimOf(reviewed) === null ? null : <ClaimBadge view={view} />}
          <ClaimButton view={view} />
        </>
      ) : (
        <VerificationBadge of={{ status, endedBy }} page={page} />
      )}
    </div>
  );
};

/** Says how many cases the reviewer decided today, of those and what still waits. */
const ProgressToday: FC<{ progress: Progress; page: Page }> = ({ progress, page }) => {
  const { t, language } = page;
  const { done, total } = progress;
  return (
    <p class="progress-today" title={t('review:case.progressHint')}>
      {t('review:case.progress', { done: figure(done, language), total: figure(total, language) })}
    </p>
  );
};
