import { type ActionItem, isAnsweredByFile, type Verification } from '@countersign/domain';
import { isWithin, itemsOf, type PlannedPart, type StepKey, stepOf } from '@countersign/domain/flows';
import type { Context } from 'hono';
import type { Child, FC, PropsWithChildren } from 'hono/jsx';
import { ErrorSummary } from '../forms/field-parts.tsx';
import { stepName } from '../forms/step-name.ts';
import { Notice } from '../parts/blocks.tsx';
import { EncryptedLine } from '../parts/encrypted-line.tsx';
import { BackLink } from '../parts/page-parts.tsx';
import { reasonForSubject } from '../parts/reason-words.ts';
import { answerPage, type PageParts } from '../site/layout.tsx';
import type { Page } from '../site/page.ts';
import { ShortReference } from '../site/short-reference.tsx';
import { clientName } from './consent-text.tsx';
import {
  CHECK,
  onlyAskedScreen,
  PHONE,
  type Progress,
  progressOf,
  type Shown,
  slugBefore,
  verifyPath,
} from './navigation.ts';
import { sentPicture } from './sent-picture.tsx';
import { shownIn, type VerifyEnv } from './session.ts';

export interface FlowPageParts extends Pick<PageParts, 'status' | 'headers' | 'scripts' | 'styles'> {
  readonly title: string;
  /** The steps that the screen asks for. At least one. */
  readonly steps: readonly StepKey[];
  readonly slug: string;
  /** The parts of the screen that are asked; none on the page of all answers. */
  readonly parts?: readonly PlannedPart[] | undefined;
  /** Whether the file that a reviewer asked to replace is shown beside the reason. */
  readonly showsEarlier?: boolean | undefined;
  /** Messages by the field they stand at. */
  readonly errors?: ReadonlyMap<string, string> | undefined;
}

const NO_ERRORS: ReadonlyMap<string, string> = new Map();

/** Whether the subject came from the page of all answers, to which the flow then returns. */
export function cameFromCheck({ req }: Context): boolean {
  return req.query('from') === CHECK;
}

/** Returns the address of a page of the verification; without a slug, of its status page. Keeps `?from=check`. */
export function addressOf(context: Context<VerifyEnv>, slug?: string): string {
  const from = slug !== undefined && slug !== CHECK && cameFromCheck(context) ? `?from=${CHECK}` : '';
  return context.get('page').href(verifyPath(context.get('verification'), slug)) + from;
}

/** Returns the address of the page that continues on another device; null where codes for that cannot be stored. */
export function phoneAddressOf(context: Context<VerifyEnv>): string | null {
  return context.get('page').parts.has('handOvers') ? addressOf(context, PHONE) : null;
}

/** Answers with a page of the flow: progress, back link, errors, title, content, and who sees the answers. */
export async function answerFlowPage(
  context: Context<VerifyEnv>,
  parts: FlowPageParts,
  content: Child,
): Promise<Response> {
  const page = context.get('page');
  const shown = shownIn(context);
  const { verification } = shown;
  const { title, steps, slug, parts: asked = [], showsEarlier = false, errors = NO_ERRORS, ...others } = parts;
  const [step] = steps;
  const back = cameFromCheck(context) ? CHECK : slugBefore(shown, slug);
  const progress = progressOf(shown, slug);
  return answerPage(
    context,
    {
      ...others,
      title,
      hasErrors: errors.size > 0,
      belowBar:
        step === undefined ? null : (
          <ProgressBar page={page} progress={progress} step={stepName(page.t, step, verification.type)} />
        ),
    },
    <>
      <div class="flow-head">
        <BackLink path={verifyPath(verification, back)} label="site:back" page={page} />
        {progress.minutesLeft === null ? null : (
          <span>{page.t('verify:minutesLeft', { minutes: progress.minutesLeft })}</span>
        )}
      </div>
      <ErrorSummary title={page.t('site:error.summary')} errors={errors} />
      <h1>{title}</h1>
      <RequestedItems page={page} shown={shown} parts={asked} showsEarlier={showsEarlier} />
      {content}
      <EncryptedLine page={page} client={await clientName(page)} />
    </>,
  );
}

const ProgressBar: FC<{ page: Page; progress: Progress; step: string }> = ({ page: { t }, progress, step }) => {
  const { number, total } = progress;
  const words = t('verify:progress', { number, total, step });
  return <progress value={number} max={total} aria-label={words} />;
};

/** The form of a page. It posts to its own address, so that errors are shown beside what was typed. */
export const PageForm: FC<PropsWithChildren<{ context: Context<VerifyEnv>; slug: string }>> = (props) => (
  <form id="page-form" method="post" action={addressOf(props.context, props.slug)} novalidate>
    {props.children}
  </form>
);

/** Says why a reviewer asked for a screen again, and quotes the message beside the reason if nothing else is asked. */
const RequestedItems: FC<{
  page: Page;
  shown: Shown;
  parts: readonly PlannedPart[];
  showsEarlier: boolean;
}> = (props) => {
  const { page, shown, parts, showsEarlier } = props;
  const { verification } = shown;
  // Fields that are asked for together share a reason.
  const items = parts
    .flatMap((part) => itemsFor(verification, part))
    .filter(({ reasonCode, note }, index, all) => {
      const first = all.findIndex((item) => item.reasonCode === reasonCode && item.note === note);
      return first === index;
    });
  const message = verification.status === 'action_needed' ? verification.request.message : null;
  const isOnly = onlyAskedScreen(shown) !== null;
  return items.length === 0 ? null : (
    <Notice>
      {isOnly && message !== null ? <ReviewerNote page={page} text={message} /> : null}
      {items.map((item) => (
        <Reason page={page} item={item} />
      ))}
      {showsEarlier
        ? parts.map((part) =>
            sentPicture({ page, verification, part, answers: verification.steps[part.step]?.answers }),
          )
        : null}
    </Notice>
  );
};

/** Whether a reviewer asks for the file of a page, by a reason that only another file answers, and for nothing else of its step. */
export function isFileAsked(verification: Verification, part: PlannedPart): boolean {
  const { upload, step } = part;
  if (upload === null) return false;
  const isWholeStep = stepOf(verification.flow, step)?.pages.length === 1;
  return itemsFor(verification, part).some(
    ({ field, reasonCode }) =>
      isAnsweredByFile(reasonCode) && (field === undefined ? isWholeStep : isWithin(field, upload.path)),
  );
}

/** Says in one line why a reviewer asked for a page again. */
export function reasonsInWords(page: Page, verification: Verification, part: PlannedPart): string {
  return itemsFor(verification, part)
    .map(({ reasonCode }) => reasonForSubject(reasonCode, page.t))
    .join(' ');
}

/** Lists what a reviewer asks for on a page: what is about its step, and about its fields. */
function itemsFor(verification: Verification, { step, fields }: PlannedPart): readonly ActionItem[] {
  return itemsOf(verification, step).filter(
    ({ field }) => field === undefined || fields.some(({ path }) => isWithin(field, path)),
  );
}

/** Shows the reason of a request and the reviewer's note. */
export const Reason: FC<{ page: Page; item: ActionItem }> = ({ page, item }) => (
  <div class="reason">
    <p>{reasonForSubject(item.reasonCode, page.t)}</p>
    {item.note === null ? null : <ReviewerNote page={page} text={item.note} />}
  </div>
);

/** Names the verification, so that the client finds it when the subject asks. */
export const Reference: FC<{ page: Page; id: string }> = ({ page, id }) => (
  <p>
    {page.t('verify:reference')} <ShortReference id={id} />
  </p>
);

/** Quotes what a reviewer wrote to the subject. */
export const ReviewerNote: FC<{ page: Page; text: string }> = ({ page, text }) => (
  <blockquote>
    <div class="user-text">
      <bdi>{text}</bdi>
    </div>
    <footer class="hint">{page.t('verify:noteBy')}</footer>
  </blockquote>
);
