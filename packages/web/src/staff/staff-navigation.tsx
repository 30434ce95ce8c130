import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';
import type { Site } from '../site/site.ts';

/** A link of an area's navigation. */
export interface NavigationItem {
  readonly path: string;
  readonly label: string;
  /** Single-key shortcut. */
  readonly key?: string;
}

/** Navigation of an area, with the user's account and sign-out. */
export const StaffNavigation: FC<{
  page: Page;
  site: Site;
  label: string;
  name: string;
  items: readonly NavigationItem[];
}> = ({ page, site, label, name, items }) => {
  const { t, href } = page;
  const { accounts, signIn } = site.options;
  const here = currentPath(page.path, items);
  return (
    <nav class="staff-nav" aria-label={label}>
      <ul>
        {items.map(({ path, label: text, key }) => (
          <li>
            <a
              href={href(path)}
              aria-current={path === here ? currentness(path, page.path) : undefined}
              data-key={key}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
      <ul>
        <li class="quiet">{t('staff:nav.signedInAs', { name })}</li>
        {accounts === undefined ? null : (
          <li>
            <a href={href('/account/security')}>{t('staff:nav.security')}</a>
          </li>
        )}
        <li>
          <form method="post" action={href(signIn.signOutPath)}>
            <button type="submit" class="link-button">
              {t('staff:nav.signOut')}
            </button>
          </form>
        </li>
      </ul>
    </nav>
  );
};

/** Returns the item of the current page: the longest path that matches. */
function currentPath(path: string, items: readonly NavigationItem[]): string | undefined {
  return items
    .map((item) => item.path)
    .filter((item) => path === item || path.startsWith(`${item}/`))
    .sort((a, b) => b.length - a.length)[0];
}

/** The page itself, or one below it. */
function currentness(item: string, path: string): 'page' | 'true' {
  return item === path ? 'page' : 'true';
}

/** @param props.path where the form posts to: `SignIn.signOutPath` */
export const SignOutForm: FC<{ page: Page; path: string }> = ({ page: { t, href }, path }) => (
  <form method="post" action={href(path)}>
    <button type="submit" class="secondary">
      {t('account:signOut.submit')}
    </button>
  </form>
);
