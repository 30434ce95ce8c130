import type { Context } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { Icon } from '../parts/icon.tsx';
import { LANGUAGES, type Language } from '../site/language.ts';
import { LANGUAGE_NAMES, Mark } from '../site/layout.tsx';
import { homeOf, isBelow, type MenuItem, type StaffEnv } from './area.tsx';

interface ShellProps {
  readonly context: Context<StaffEnv>;
  /** The page's title, for the bar of narrow pages. */
  readonly title: string;
  /** The client that the page is about. */
  readonly about: Child;
}

/**
 * What stands beside every page of users who sign in: a rail, on narrow pages a bar of one line. There is one menu for both,
 * so that it works without a script: on narrow pages it shows while the `<details>` before it is open.
 */
export const Shell: FC<ShellProps> = ({ context, title, about }) => {
  const page = context.get('page');
  const { t, href, path: current } = page;
  const { name, menu } = context.get('area');
  const { may } = context.get('as');
  const items = menu().filter(({ action }) => may(action) !== 'no');
  const here = currentPath(current, items);
  return (
    <header class="shell">
      <div class="shell-bar">
        <a href={href(homeOf(context.get('user')))} class="brand" aria-label={t('site:name')}>
          <Mark page={page} />
          <span>{t('site:name')}</span>
        </a>
        {/* The heading says it to screen readers. */}
        <span class="shell-title" aria-hidden="true">
          <bdi>{title}</bdi>
        </span>
        <details class="menu-switch">
          <summary>
            <Icon page={page} name="menu" />
            {t('staff:nav.menu')}
          </summary>
        </details>
      </div>
      <nav class="shell-nav" aria-label={t(`${name}:nav.label`)}>
        {about}
        <ul>
          {items.map(({ path, label, icon = 'circle', key }) => (
            <li>
              <a
                href={href(path)}
                class="item"
                aria-current={path !== here ? undefined : path === current ? 'page' : 'true'}
                data-key={key}
              >
                <Icon page={page} name={icon} />
                <span>{t(label)}</span>
              </a>
            </li>
          ))}
        </ul>
        <UserMenu context={context} />
      </nav>
    </header>
  );
};

/** Returns the item of the current page: the longest path that matches. */
function currentPath(path: string, items: readonly MenuItem[]): string | undefined {
  return items
    .map((item) => item.path)
    .filter((item) => isBelow(path, item))
    .sort((a, b) => b.length - a.length)[0];
}

/** The user's name, and behind it security, language and the way out. */
const UserMenu: FC<{ context: Context<StaffEnv> }> = ({ context }) => {
  const page = context.get('page');
  const { t, href, language, returnPath } = page;
  const { accounts, signIn } = context.get('site').options;
  const { name } = context.get('user');
  return (
    <details class="user-menu">
      <summary aria-label={t('staff:nav.account', { name })}>
        <Icon page={page} name="user" />
        <bdi>{name}</bdi>
        <Icon page={page} name="chevron-down" />
      </summary>
      {accounts === undefined ? null : (
        <a href={href('/account/security')} class="item">
          <Icon page={page} name="shield-check" />
          <span>{t('staff:nav.security')}</span>
        </a>
      )}
      <form method="post" action={href('/language')}>
        <input type="hidden" name="returnTo" value={returnPath} />
        {LANGUAGES.filter((other: Language) => other !== language).map((other) => (
          <button type="submit" name="language" value={other} lang={other}>
            <Icon page={page} name="globe" />
            {LANGUAGE_NAMES[other]}
          </button>
        ))}
      </form>
      <form method="post" action={href(signIn.signOutPath)}>
        <button type="submit">
          <Icon page={page} name="log-out" />
          {t('staff:nav.signOut')}
        </button>
      </form>
    </details>
  );
};
