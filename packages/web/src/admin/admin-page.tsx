import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { QUEUE_PATH } from '../review/paths.ts';
import { answerPage, type PageParts } from '../site/layout.tsx';
import type { MessageKey } from '../site/messages.ts';
import type { Site } from '../site/site.ts';
import type { StaffEnv } from '../staff/staff-env.ts';
import { StaffNavigation } from '../staff/staff-navigation.tsx';
import { AUDIT_PATH, CLIENTS_PATH, USERS_PATH } from './paths.ts';

/** A page of an operator, with its navigation. */
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
          items={PARTS.map(({ path, label }) => ({ path, label: page.t(label) }))}
        />
      ),
    },
    <div class="dashboard">{content}</div>,
  );
}

const PARTS: readonly { path: string; label: MessageKey }[] = [
  { path: CLIENTS_PATH, label: 'admin:nav.clients' },
  { path: USERS_PATH, label: 'admin:nav.users' },
  { path: AUDIT_PATH, label: 'admin:nav.audit' },
  // An operator may review too.
  { path: QUEUE_PATH, label: 'admin:nav.review' },
];
