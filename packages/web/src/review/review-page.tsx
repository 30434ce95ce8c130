import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { Child, FC } from 'hono/jsx';
import { answerPage, type PageParts } from '../site/layout.tsx';
import type { Page } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import { KeysHelp } from './keys-help.tsx';
import { KEYS_PATH, QUEUE_PATH } from './paths.ts';
import type { ReviewEnv } from './review-env.ts';

/** Remembers that a reviewer switched single-key shortcuts off (WCAG 2.1.4). */
export const SHORTCUTS_COOKIE = 'review-shortcuts';

export function hasShortcuts(context: Context): boolean {
  return getCookie(context, SHORTCUTS_COOKIE) !== 'off';
}

/** A page of the console, with its navigation. */
export function answerReviewPage(
  context: Context<ReviewEnv>,
  site: Site,
  parts: PageParts,
  content: Child,
): Response | Promise<Response> {
  const page = context.get('page');
  const { name } = context.get('reviewer');
  return answerPage(
    context,
    {
      width: 'wide',
      styles: ['review.css'],
      scripts: ['review.js'],
      nav: <Navigation page={page} site={site} name={name} />,
      ...parts,
    },
    <div class="review" data-shortcuts={hasShortcuts(context) ? 'on' : 'off'}>
      {content}
      <dialog id="keys" data-key="?" aria-labelledby="keys-title">
        {/* First, so that the focus is at the top of what is to be read. */}
        <form method="dialog">
          <button type="submit" class="secondary">
            {page.t('review:keys.close')}
          </button>
        </form>
        <KeysHelp page={page} heading="h2" />
      </dialog>
    </div>,
  );
}

const Navigation: FC<{ page: Page; site: Site; name: string }> = ({ page: { t, href }, site, name }) => (
  <nav class="review-nav" aria-label={t('review:nav.label')}>
    <ul>
      <li>
        <a href={href(QUEUE_PATH)} data-key="q">
          {t('review:nav.queue')}
        </a>
      </li>
      <li>
        <a href={href(KEYS_PATH)}>{t('review:nav.shortcuts')}</a>
      </li>
      {site.options.accounts === undefined ? null : (
        <li>
          <a href={href('/account/security')}>{t('review:nav.security')}</a>
        </li>
      )}
      <li class="quiet">{t('review:nav.signedInAs', { name })}</li>
      <li>
        <form method="post" action={href(site.options.signIn.signOutPath)}>
          <button type="submit" class="link-button">
            {t('review:nav.signOut')}
          </button>
        </form>
      </li>
    </ul>
  </nav>
);
