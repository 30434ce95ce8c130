import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { ErrorSummary } from '../forms/field-parts.tsx';
import { answerPage } from '../site/layout.tsx';
import type { WebEnv } from '../site/page.ts';
import type { Refusal } from './account-site.ts';

/** Answers with a page of one form and its errors. */
export function answerAccountPage(
  context: Context<WebEnv>,
  title: string,
  refusal: Refusal | null,
  content: Child,
): Response | Promise<Response> {
  const { t } = context.get('page');
  const parts = { title, hasErrors: refusal !== null, status: refusal?.status, headers: refusal?.headers };
  return answerPage(
    context,
    { ...parts, styles: ['staff.css', 'review.css'] },
    <>
      {refusal === null ? null : <ErrorSummary title={t('account:problem')} errors={refusal.errors} />}
      <h1>{title}</h1>
      {content}
    </>,
  );
}
