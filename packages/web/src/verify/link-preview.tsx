import type { Verification } from '@countersign/domain';
import type { Context } from 'hono';
import { answerPage } from '../site/layout.tsx';
import type { WebEnv } from '../site/page.ts';
import { clientName } from './consent-text.tsx';
import { verifyPath } from './navigation.ts';
import { previewOf } from './state-page.tsx';

/**
 * Programs that fetch a pasted link for a messenger. Most follow redirects without cookies, and would find only the page that asks to
 * open the link again. A person whose browser names itself like one continues by the page's link.
 */
const FETCHERS = /bot\b|facebookexternalhit|whatsapp|preview|embedly|iframely|mattermost/i;

/** Whether the request comes from a program that shows a preview of a pasted link. */
export function asksForPreview({ req }: Context): boolean {
  return FETCHERS.test(req.header('User-Agent') ?? '');
}

/** Answers with a page that says who asks for what, and leads to the verification. */
export async function answerPreview(context: Context<WebEnv>, verification: Verification): Promise<Response> {
  const page = context.get('page');
  const preview = previewOf(verification, await clientName(page), page.t);
  return answerPage(
    context,
    { title: preview.title, preview },
    <>
      <h1>{preview.title}</h1>
      <p class="lead">{preview.description}</p>
      <p class="next">
        <a href={page.href(verifyPath(verification))} class="button main-action">
          {page.t('verify:goOn')}
        </a>
      </p>
    </>,
  );
}
