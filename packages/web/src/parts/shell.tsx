import type { Child, FC } from 'hono/jsx';
import { LANGUAGES, type Language } from '../site/language.ts';
import { LANGUAGE_NAMES, Mark } from '../site/layout.tsx';
import type { Page } from '../site/page.ts';
import { Icon, type IconName } from './icon.tsx';

/** A link of the menu. */
export interface ShellItem {
  readonly path: string;
  readonly text: string;
  readonly icon: IconName;
  /** Whether it leads to this page (`page`), or to the part that the page belongs to (`true`). */
  readonly current?: 'page' | 'true' | undefined;
  /** Single-key shortcut. */
  readonly key?: string | undefined;
}

/** The signed-in user. */
export interface ShellUser {
  readonly name: string;
  /** The page of passwords and second factors; null where sign-in is not this service's. */
  readonly securityPath: string | null;
  readonly signOutPath: string;
}

export interface ShellProps {
  readonly page: Page;
  /** The page's title, for the bar of narrow pages. */
  readonly title: string;
  /** Where the mark leads. */
  readonly home: string;
  /** Names the menu. */
  readonly label: string;
  /** Above the menu: what the page is about. */
  readonly about?: Child;
  readonly items: readonly ShellItem[];
  readonly user: ShellUser;
}

/**
 * What stands beside every page of users who sign in: a rail, on narrow pages a bar of one line. There is one menu for both,
 * so that it works without a script: on narrow pages it shows while the `<details>` before it is open.
 */
export const Shell: FC<ShellProps> = ({ page, title, home, label, about, items, user }) => {
  const { t, href } = page;
  return (
    <header class="shell">
      <div class="shell-bar">
        <a href={href(home)} class="brand" aria-label={t('site:name')}>
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
      <nav class="shell-nav" aria-label={label}>
        {about}
        <ul>
          {items.map(({ path, text, icon, current, key }) => (
            <li>
              <a href={href(path)} class="item" aria-current={current} data-key={key}>
                <Icon page={page} name={icon} />
                <span>{text}</span>
              </a>
            </li>
          ))}
        </ul>
        <UserMenu page={page} user={user} />
      </nav>
    </header>
  );
};

/** The user's name, and behind it security, language and the way out. */
const UserMenu: FC<{ page: Page; user: ShellUser }> = ({ page, user: { name, securityPath, signOutPath } }) => {
  const { t, href, language, returnPath } = page;
  return (
    <details class="user-menu">
      <summary aria-label={t('staff:nav.account', { name })}>
        <Icon page={page} name="user" />
        <bdi>{name}</bdi>
        <Icon page={page} name="chevron-down" />
      </summary>
      {securityPath === null ? null : (
        <a href={href(securityPath)} class="item">
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
      <form method="post" action={href(signOutPath)}>
        <button type="submit">
          <Icon page={page} name="log-out" />
          {t('staff:nav.signOut')}
        </button>
      </form>
    </details>
  );
};
