import type { ReviewedVerification } from '@countersign/domain';
import { openForReview, readFileForReview } from '@countersign/domain/actions';
import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ExportSection, exportFor } from '../actions/exports/export-section.tsx';
import { RetentionSection } from '../actions/retention/retention-section.tsx';
import { ErrorSummary } from '../forms/field-parts.tsx';
import { Result } from '../parts/page-parts.tsx';
import { answerDownload, downloaderOf } from '../site/download.ts';
import { type AskedFile, fileDownload } from '../site/file-answer.ts';
import { answerStaffPage, type StaffEnv } from '../staff/area.tsx';
import { HiddenData } from '../staff/data-state.tsx';
import { DecisionReasons, RequestInWords, saysMoreThanOutcome } from '../staff/reasons.tsx';
import { namesOf } from '../staff/users.tsx';
import { Answers } from './answers.tsx';
import { CaseBar } from './case-bar.tsx';
import { ConflictNotice, TypedInVain } from './conflict-notice.tsx';
import { DecisionForms } from './decision-forms.tsx';
import { ALL_EVENTS, History, Notes, receiverOf } from './history.tsx';
import { workQuery } from './next-case.tsx';
import { retentionPath } from './paths.ts';
import { EarlierFiles, Pictures } from './pictures.tsx';
import { ReviewFacts } from './review-facts.tsx';
import { caseName, type ReviewView } from './review-view.ts';
import { progressOf } from './team-day.tsx';

/** Shows a verification for review. */
export async function reviewPage(context: Context<StaffEnv, '/:id'>): Promise<Response> {
  const allEvents = context.req.query(ALL_EVENTS) === 'true';
  const input = { verificationId: context.req.param('id'), allEvents };
  const reviewed = await context.get('as').run(openForReview, input);
  return answerReviewPage(context, await viewOf(context, reviewed));
}

/** Returns the view of a verification without a submitted form or a conflict. */
export async function viewOf(context: Context<StaffEnv>, reviewed: ReviewedVerification): Promise<ReviewView> {
  const { signIn, clock } = context.get('site').options;
  const page = context.get('page');
  const { verification, events } = reviewed;
  const claimant = 'claim' in verification ? (verification.claim?.reviewerId ?? null) : null;
  const authors = verification.internalNotes.map(({ reviewerId }) => reviewerId);
  const inEvents = events.flatMap((event) => [event.actor.id, receiverOf(event)]);
  const names = await namesOf([...inEvents, ...authors, claimant], signIn, page.t);
  const reviewer = context.get('user');
  const copyRequest = await exportFor(context, verification.id);
  const query = workQuery(context);
  const progress = verification.status === 'submitted' ? await progressOf(context) : null;
  const now = clock.now();
  return { page, reviewed, names, reviewer, now, query, progress, unsent: null, conflict: null, copyRequest };
}

/** Serves a file or a part of it. */
export function answerFile(context: Context<StaffEnv>, file: AskedFile): Promise<Response> {
  return answerDownload(context, context.get('site'), downloaderOf(context.get('user')), async () =>
    fileDownload(await context.get('as').run(readFileForReview, file)),
  );
}

/** Answers with the page of a verification: data, pictures, warnings and forms. */
export function answerReviewPage(
  context: Context<StaffEnv>,
  view: ReviewView,
  status: ContentfulStatusCode = 200,
): Response | Promise<Response> {
  const { page, reviewed, conflict, unsent } = view;
  const { t } = page;
  const { isHidden } = reviewed.retention;
  const hasErrors = conflict !== null || (unsent !== null && unsent.problems.size > 0);
  const title = caseName(reviewed, page);
  return answerStaffPage(
    context,
    { title, status, hasErrors, frameClass: 'without-rail' },
    <>
      <p class="skips">
        {isHidden ? null : (
          <a class="skip-link" href="#pictures">
            {t('review:nav.skipToPictures')}
          </a>
        )}
        <a class="skip-link" href="#decision">
          {t('review:nav.skipToDecision')}
        </a>
      </p>
      <CaseBar view={view} />
      <div class="case-notices">
        {conflict === null ? null : <ConflictNotice view={view} conflict={conflict} />}
        {unsent === null ? null : <ErrorSummary title={t('review:problem.title')} errors={unsent.problems} />}
        <Result context={context} texts="review:done" />
        <Result context={context} texts="staff:retention.done" />
        <Result context={context} texts="exports:section.done" />
        {unsent === null ? null : <TypedInVain view={view} unsent={unsent} />}
      </div>
      {isHidden ? null : (
        <nav class="case-tabs not-printed" aria-label={t('review:case.tabs')}>
          <a href="#pictures">{t('review:case.tabPicture')}</a>
          <a href="#data">{t('review:case.tabData')}</a>
        </nav>
      )}
      <div class={isHidden ? 'case is-hidden' : 'case'}>
        <div class="case-pictures">
          {isHidden ? <HiddenData retention={reviewed.retention} page={page} /> : <Pictures view={view} />}
        </div>
        <div class="case-data" id="data" tabindex={-1}>
          <Outcome view={view} />
          {isHidden ? null : (
            <>
              <Answers view={view} />
              <Notes view={view} />
              <EarlierFiles view={view} />
            </>
          )}
          <ReviewFacts view={view} />
          <History view={view} />
          <RetentionSection
            context={context}
            verification={{
              ...reviewed.verification,
              endedBy: reviewed.endedBy,
              retention: reviewed.retention,
            }}
            pathOf={retentionPath}
          />
          {reviewed.retention.erasedAt === null ? (
            <ExportSection
              context={context}
              verificationId={reviewed.verification.id}
              request={view.copyRequest}
              pathOf={retentionPath}
            />
          ) : null}
        </div>
        <DecisionForms view={view} />
      </div>
    </>,
  );
}

/** Shows the decision or the last request for action. */
const Outcome: FC<{ view: ReviewView }> = ({ view: { page, reviewed } }) => {
  const { verification } = reviewed;
  switch (verification.status) {
    case 'action_needed':
      return <RequestInWords request={verification.request} page={page} />;
    case 'approved':
    case 'rejected':
      return saysMoreThanOutcome({ decision: verification.decision, endedBy: reviewed.endedBy }) ? (
        <DecisionReasons decision={verification.decision} endedBy={reviewed.endedBy} page={page} />
      ) : null;
    default:
      return null;
  }
};
