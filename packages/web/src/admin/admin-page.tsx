import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { actionTexts } from '../actions/action-texts.ts';
import { otherActions } from '../actions/other-actions.ts';
import { QUEUE_PATH } from '../review/paths.ts';
import { answerPage, type PageParts } from '../site/layout.tsx';
import type { MessageKey } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import type { StaffEnv } from '../staff/staff-env.ts';
import { type NavigationItem, StaffNavigation } from '../staff/staff-navigation.tsx';
import { AUDIT_PATH, CLIENTS_PATH, USERS_PATH } from './paths.ts';

/** Answers with a page of the operators' area, with its navigation. */
export function answerAdminPage(
  context: Context<StaffEnv>,
  site: Site,
  parts: PageParts,
  content: Child,
): Response | Promise<Response> {
  const page = context.get('page');
  return answerPage(
    context,
    {
      width: 'wide',
      ...parts,
      styles: ['staff.css', 'dashboard.css', 'admin.css'],
      nav: (
        <StaffNavigation
          page={page}
          site={site}
          label={page.t('admin:nav.label')}
          name={context.get('user').name}
          items={[...PARTS.map(({ path, label }) => ({ path, label: page.t(label) })), ...otherItems(site, page)]}
        />
      ),
    },
    <div class="dashboard">{content}</div>,
  );
}

/** Links to pages that are drawn from an entry alone. */
function otherItems(site: Site, { t }: Page): readonly NavigationItem[] {
  return otherActions(site)
    .filter(({ isInMenu }) => isInMenu)
    .map(({ action, path }) => ({ path: `/admin${path}`, label: actionTexts(t, action).name }));
}

const PARTS: readonly { path: string; label: MessageKey }[] = [
  { path: CLIENTS_PATH, label: 'admin:nav.clients' },
  { path: USERS_PATH, label: 'admin:nav.users' },
  { path: AUDIT_PATH, label: 'admin:nav.audit' },
  // Operators may review.
  { path: QUEUE_PATH, label: 'admin:nav.review' },
];
