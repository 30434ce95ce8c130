import { type StepKey, stepsOf, type Verification } from '@countersign/domain';
import type { Context } from 'hono';
import type { Child, FC, PropsWithChildren } from 'hono/jsx';
import { ErrorSummary } from '../forms/error-summary.tsx';
import { answerPage, type PageParts } from '../site/layout.tsx';
import type { Page } from '../site/page.ts';
import { CHECK, slugBefore, verifyPath } from './navigation.ts';
import { RequestedItems } from './requested-items.tsx';
import type { VerifyEnv } from './verify-env.ts';

export interface FlowPageParts extends Pick<PageParts, 'status' | 'scripts' | 'styles'> {
  readonly title: string;
  readonly step: StepKey;
  /** Of this page, for the way back. */
  readonly slug: string;
  /** What is wrong, by the field that it stands at. */
  readonly errors?: ReadonlyMap<string, string> | undefined;
}

const NO_ERRORS: ReadonlyMap<string, string> = new Map();

/** Answers with a page of the flow: the way back, where the reader is, what is wrong, the title, and the content. */
export function answerFlowPage(
  context: Context<VerifyEnv>,
  parts: FlowPageParts,
  content: Child,
): Response | Promise<Response> {
  const page = context.get('page');
  const verification = context.get('verification');
  const { title, step, slug, errors = NO_ERRORS, ...others } = parts;
  const back = context.req.query('from') === CHECK ? CHECK : slugBefore(verification, slug);
  return answerPage(
    context,
    { ...others, title, hasErrors: errors.size > 0 },
    <>
      <BackLink page={page} path={verifyPath(verification, back)} />
      <ErrorSummary title={page.t('site:error.summary')} errors={errors} />
      <Progress page={page} verification={verification} step={step} />
      <h1>{title}</h1>
      <RequestedItems page={page} verification={verification} step={step} />
      {content}
    </>,
  );
}

export const BackLink: FC<{ page: Page; path: string }> = ({ page, path }) => (
  <a class="back-link" href={page.href(path)}>
    {page.t('site:back')}
  </a>
);

const Progress: FC<{ page: Page; verification: Verification; step: StepKey }> = ({ page, verification, step }) => {
  const steps = stepsOf(verification.flow);
  const number = steps.indexOf(step) + 1;
  return (
    <div class="progress">
      <p>
        {page.t('verify:progress', { number, total: steps.length })}
        <span class="quiet"> · {page.t(`verify:steps.${step}`)}</span>
      </p>
      {/* The words above say it too. */}
      <progress value={number} max={steps.length} aria-hidden="true" />
    </div>
  );
};

/** The form of a page. It posts to its own address, so that what is wrong is told where it was typed. */
export const PageForm: FC<PropsWithChildren<{ context: Context<VerifyEnv>; slug: string }>> = (props) => {
  const { context, slug, children } = props;
  const { href } = context.get('page');
  const from = context.req.query('from') === CHECK ? `?from=${CHECK}` : '';
  return (
    <form
      id="page-form"
      method="post"
      action={href(verifyPath(context.get('verification'), slug)) + from}
      novalidate
    >
      {children}
    </form>
  );
};
