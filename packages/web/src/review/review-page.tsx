import type { User } from '@countersign/domain';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { Child } from 'hono/jsx';
import { answerPage, type PageParts } from '../site/layout.tsx';
import type { Page } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import { AREAS, mayEnter } from '../staff/areas.ts';
import type { StaffEnv } from '../staff/staff-env.ts';
import { type NavigationItem, StaffNavigation } from '../staff/staff-navigation.tsx';
import { KeysHelp } from './keys-help.tsx';
import { KEYS_PATH, QUEUE_PATH } from './paths.ts';

/** Remembers that a reviewer switched single-key shortcuts off (WCAG 2.1.4). */
export const SHORTCUTS_COOKIE = 'review-shortcuts';

export function hasShortcuts(context: Context): boolean {
  return getCookie(context, SHORTCUTS_COOKIE) !== 'off';
}

/** A page of the console, with its navigation. */
export function answerReviewPage(
  context: Context<StaffEnv>,
  site: Site,
  parts: PageParts,
  content: Child,
): Response | Promise<Response> {
  const page = context.get('page');
  const { name, role } = context.get('user');
  return answerPage(
    context,
    {
      width: 'wide',
      styles: ['staff.css', 'review.css'],
      scripts: ['review.js'],
      nav: (
        <StaffNavigation
          page={page}
          site={site}
          label={page.t('review:nav.label')}
          name={name}
          items={itemsFor({ role }, page)}
        />
      ),
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

function itemsFor(user: Pick<User, 'role'>, { t }: Page): readonly NavigationItem[] {
  const items = [
    { path: QUEUE_PATH, label: t('review:nav.queue'), key: 'q' },
    { path: KEYS_PATH, label: t('review:nav.shortcuts') },
  ];
  return mayEnter('admin', user)
    ? [...items, { path: AREAS.admin.path, label: t('review:nav.administration') }]
    : items;
}
