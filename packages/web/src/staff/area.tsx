import type { As } from '@countersign/domain';
import type { ActionEntry } from '@countersign/domain/actions';
import type { ClientMode } from '@countersign/domain/clients';
import type { StaffRole, StaffSession, User } from '@countersign/domain/staff';
import type { Context } from 'hono';
import type { Child, FC } from 'hono/jsx';
import type { IconName } from '../parts/icon.tsx';
import { BackLink, type Link } from '../parts/page-parts.tsx';
import { Shell, type ShellItem } from '../parts/shell.tsx';
import { answerPage, type PageParts } from '../site/layout.tsx';
import type { MessageKey } from '../site/messages.ts';
import type { Page, PageFrame, WebEnv } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import { pageInMode } from './mode.ts';

export type AreaName = 'dashboard' | 'review' | 'admin';

/** The areas of a site. */
export type StaffAreas = Readonly<Record<AreaName, StaffArea>>;

/** The path where each area starts. */
export const AREAS: Readonly<Record<AreaName, { readonly path: string }>> = {
  dashboard: { path: '/dashboard' },
  review: { path: '/review' },
  admin: { path: '/admin' },
};

const HOMES: Readonly<Record<StaffRole, AreaName>> = {
  client: 'dashboard',
  reviewer: 'review',
  operator: 'admin',
};

/** Returns the area where users with this role work. */
export function areaOf({ role }: Pick<User, 'role'>): AreaName {
  return HOMES[role];
}

/** Returns the path of the area where users with this role start. */
export function homeOf({ role }: Pick<User, 'role'>): string {
  return AREAS[HOMES[role]].path;
}

/** A link of an area's menu. Users see it if they may run its action. */
export interface MenuItem {
  readonly path: string;
  readonly label: MessageKey;
  readonly action: ActionEntry;
  /** Paths of further pages that belong to it, with all below them. */
  readonly parts?: readonly string[];
  readonly icon?: IconName;
  /** Single-key shortcut. */
  readonly key?: string;
}

/** An area of pages for users who sign in. Its texts are `{name}:nav.label` and `{name}:gate.forbidden…`. */
export interface StaffArea {
  readonly name: AreaName;
  readonly menu: () => readonly MenuItem[];
  /** Which of a client and its test twin the pages of the dashboard are about. Default: `live`. */
  readonly mode?: ClientMode;
  readonly styles: readonly string[];
  readonly scripts?: readonly string[];
  /** The page of a form by the path that it is posted to. Default: the same path. */
  readonly pageOfForm?: (path: string) => string;
  /** The query that pages of the area carry from one to the next, with its `?`: what a list is filtered by. Default: none. */
  readonly query?: (context: Context<StaffEnv>) => string;
  /** Above the menu: the client that the pages are about, and its mode. */
  readonly about?: (context: Context<StaffEnv>) => Child | Promise<Child>;
  /** Wraps the content of each page. */
  readonly frame?: (context: Context<StaffEnv>, content: Child) => Child;
}

/** Whether the caller may run the action of one of the area's own pages in its menu. Links to other areas do not count. */
export function mayEnter({ may }: As, { name, menu }: StaffArea): boolean {
  const { path: start } = AREAS[name];
  return menu().some(({ path, action }) => isBelow(path, start) && may(action) !== 'no');
}

const isBelow = (path: string, start: string): boolean => path === start || path.startsWith(`${start}/`);

/** Adds local times to moments. */
const LOCAL_TIME_SCRIPT = 'local-time.js';

/** What the gate of an area leaves in the context. */
export interface StaffEnv {
  Variables: WebEnv['Variables'] & {
    site: Site;
    area: StaffArea;
    session: StaffSession;
    /** The signed-in user. */
    user: User;
    /** Runs actions as this user. */
    as: As;
  };
}

/**
 * Answers with a page of the area: its menu beside the content.
 * @param parts.frameClass further classes of the body, such as `without-rail`
 * @param parts.back the page that this one belongs to, as a link above the title
 */
export async function answerStaffPage(
  context: Context<StaffEnv>,
  { frameClass, back, ...parts }: PageParts & { readonly frameClass?: string; readonly back?: Link },
  content: Child,
): Promise<Response> {
  const { styles, scripts = [], frame, mode } = context.get('area');
  const page = context.get('page');
  const { t } = page;
  const whole =
    back === undefined ? (
      content
    ) : (
      <>
        <BackLink {...back} path={withAreaQuery(context, back.path)} page={page} />
        {content}
      </>
    );
  const shown = mode === 'test' ? `${parts.title} – ${t('dashboard:mode.to.test')}` : parts.title;
  return answerPage(
    context,
    {
      ...parts,
      title: shown,
      styles: [...styles, ...(parts.styles ?? [])],
      scripts: [LOCAL_TIME_SCRIPT, ...scripts, ...(parts.scripts ?? [])],
      frame: { ...(await frameOf(context, parts.title)), class: frameClass },
    },
    frame === undefined ? whole : frame(context, whole),
  );
}

/** The frame of a page: the menu of the area. */
async function frameOf(context: Context<StaffEnv>, title: string): Promise<PageFrame> {
  const page = context.get('page');
  const { name, about } = context.get('area');
  const user = context.get('user');
  const { accounts, signIn } = context.get('site').options;
  const securityPath = accounts === undefined ? null : '/account/security';
  const shell = (
    <Shell
      page={page}
      title={title}
      home={homeOf(user)}
      label={page.t(`${name}:nav.label`)}
      about={await about?.(context)}
      items={itemsOf(context)}
      user={{ name: user.name, securityPath, signOutPath: signIn.signOutPath }}
    />
  );
  return { name: 'staff', shell };
}

/** Returns the item that a page belongs to: the one with the longest path that matches. */
export function itemOf<T extends Pick<MenuItem, 'path' | 'parts'>>(
  items: readonly T[],
  path: string,
): T | undefined {
  return items
    .flatMap((item) => [item.path, ...(item.parts ?? [])].map((start) => ({ item, start })))
    .filter(({ start }) => isBelow(path, start))
    .sort((a, b) => b.start.length - a.start.length)[0]?.item;
}

/** The menu of the area, as far as the user may run its actions. */
function itemsOf(context: Context<StaffEnv>): readonly ShellItem[] {
  const { t, path: current } = context.get('page');
  const { may } = context.get('as');
  const items = context
    .get('area')
    .menu()
    .filter(({ action }) => may(action) !== 'no');
  const here = itemOf(items, current);
  return items.map(({ path, label, icon = 'circle', key }) => ({
    path,
    text: t(label),
    icon,
    key,
    current: path !== here?.path ? undefined : path === current ? 'page' : 'true',
  }));
}

/** Lets a signed-in user into an area: its pages find in the context what they need. */
export function enterArea(
  context: Context<StaffEnv>,
  site: Site,
  area: StaffArea,
  { session, as }: { readonly session: StaffSession; readonly as: As },
): void {
  const page = pageInMode(context.get('page'), area.mode ?? 'live');
  const { path } = AREAS[area.name];
  context.set('page', { ...page, area: { path, frame: (title) => frameOf(context, title) } });
  context.set('site', site);
  context.set('area', area);
  context.set('session', session);
  context.set('user', session.user);
  context.set('as', as);
}

/** Returns a path of the area with the query that its pages carry (`StaffArea.query`). */
export function withAreaQuery(context: Context<StaffEnv>, path: string): string {
  return withQuery(path, context.get('area').query?.(context) ?? '');
}

/**
 * Adds a query to a path that may have one.
 * @param query with its `?`, or empty
 */
export function withQuery(path: string, query: string): string {
  return path + (path.includes('?') ? query.replace('?', '&') : query);
}

/** Redirects to a path of this service after a form. */
export function redirectTo<E extends WebEnv>(context: Context<E>, path: string): Response {
  const page: Page = context.get('page');
  return context.redirect(page.href(path), 303);
}

/** @param props.path where the form posts to: `SignIn.signOutPath` */
export const SignOutForm: FC<{ page: Page; path: string }> = ({ page: { t, href }, path }) => (
  <form method="post" action={href(path)}>
    <button type="submit" class="secondary">
      {t('account:signOut.submit')}
    </button>
  </form>
);
