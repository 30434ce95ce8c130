import type { Handler } from 'hono';
import { setCookie } from 'hono/cookie';
import type { Site } from '../site/site.ts';
import type { StaffEnv } from '../staff/staff-env.ts';
import { KeysHelp } from './keys-help.tsx';
import { KEYS_PATH } from './paths.ts';
import { answerReviewPage, hasShortcuts, SHORTCUTS_COOKIE } from './review-page.tsx';

const A_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Says what the keys do, and switches them off and on. */
export function keysPage(site: Site): Handler<StaffEnv> {
  return (context) => {
    const page = context.get('page');
    const { t, href } = page;
    const on = hasShortcuts(context);
    return answerReviewPage(
      context,
      site,
      { title: t('review:keys.title'), width: 'narrow' },
      <>
        <KeysHelp page={page} heading="h1" />
        <form method="post" action={href(KEYS_PATH)} class="inline-form">
          <p>{t(on ? 'review:keys.on' : 'review:keys.off')}</p>
          <button type="submit" class="secondary">
            {t(on ? 'review:keys.turnOff' : 'review:keys.turnOn')}
          </button>
        </form>
      </>,
    );
  };
}

export function switchKeys({ basePath, secure }: Site): Handler<StaffEnv> {
  return (context) => {
    setCookie(context, SHORTCUTS_COOKIE, hasShortcuts(context) ? 'off' : 'on', {
      path: `${basePath}/review`,
      maxAge: A_YEAR_SECONDS,
      httpOnly: true,
      sameSite: 'Lax',
      secure,
    });
    return context.redirect(context.get('page').href(KEYS_PATH), 303);
  };
}
