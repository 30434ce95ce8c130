import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';
import type { Site } from '../site/site.ts';

/** A part of an area that the reader may use. */
export interface NavigationItem {
  readonly path: string;
  readonly label: string;
  /** A single key that leads there. */
  readonly key?: string;
}

/** Where to go within an area, the reader's own account, and out. */
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

/** The item whose page this is, or is below: the longest of those that fit. */
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
