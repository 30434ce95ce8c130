import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ErrorSummary } from '../forms/field-parts.tsx';
import { answerStaffPage, type StaffEnv } from '../staff/area.tsx';
import { Answers } from './answers.tsx';
import { CaseSummary } from './case-summary.tsx';
import type { CaseView, Done } from './case-view.ts';
import { ConflictNotice, TypedInVain } from './conflict-notice.tsx';
import { DecisionForms } from './decision-forms.tsx';
import { History, Notes } from './history.tsx';
import { Outcome } from './outcome.tsx';
import { NEXT_PATH, QUEUE_PATH } from './paths.ts';
import { Pictures } from './pictures.tsx';
import { Warnings } from './warnings.tsx';

/** The page of a case: all that is known, and what can be done. */
export function answerCasePage(
  context: Context<StaffEnv>,
  view: CaseView,
  status: ContentfulStatusCode = 200,
): Response | Promise<Response> {
  const { page, reviewCase, conflict, unsent, done } = view;
  const { t, href } = page;
  const { subjectReference } = reviewCase.verification;
  const hasErrors = conflict !== null || (unsent !== null && unsent.problems.size > 0);
  return answerStaffPage(
    context,
    { title: subjectReference, status, hasErrors },
    <>
      <p class="skips">
        <a class="skip-link" href="#pictures">
          {t('review:nav.skipToPictures')}
        </a>
        <a class="skip-link" href="#decision">
          {t('review:nav.skipToDecision')}
        </a>
      </p>
      {conflict === null ? null : <ConflictNotice view={view} conflict={conflict} />}
      {unsent === null ? null : <ErrorSummary title={t('review:problem.title')} errors={unsent.problems} />}
      {done === null ? null : <Result view={view} done={done} />}
      <p class="back">
        <a href={href(QUEUE_PATH)}>{`← ${t('review:case.back')}`}</a>
      </p>
      <h1 class="as-typed">{subjectReference}</h1>
      <CaseSummary view={view} />
      {unsent === null ? null : <TypedInVain view={view} unsent={unsent} />}
      <Warnings view={view} />
      <Outcome view={view} />
      <Pictures view={view} />
      <div class="columns">
        <Answers view={view} />
        <div>
          <DecisionForms view={view} />
          <Notes view={view} />
          <History view={view} />
        </div>
      </div>
    </>,
  );
}

const CLOSED: readonly Done[] = ['approved', 'rejected', 'asked'];

/** What came of the form that was sent. It takes the focus, so that it is read out first. */
const Result: FC<{ view: CaseView; done: Done }> = ({ view: { page }, done }) => (
  <div class="result" role="status" tabindex={-1} autofocus data-result>
    <p>
      {page.t(`review:done.${done}`)}{' '}
      {CLOSED.includes(done) ? <a href={page.href(NEXT_PATH)}>{page.t('review:done.nextCase')}</a> : null}
    </p>
  </div>
);
