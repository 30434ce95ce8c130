import type { DashboardRight } from '@countersign/domain';
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { answerPage, type PageParts } from '../site/layout.tsx';
import type { MessageKey } from '../site/messages.ts';
import type { Site } from '../site/site.ts';
import type { StaffEnv } from '../staff/staff-env.ts';
import { StaffNavigation } from '../staff/staff-navigation.tsx';
import { HOME_PATH, KEYS_PATH, TEAM_PATH, USAGE_PATH, VERIFICATIONS_PATH } from './paths.ts';

/** A page of the dashboard, with its navigation. */
export function answerDashboardPage(
  context: Context<StaffEnv>,
  site: Site,
  parts: PageParts,
  content: Child,
): Response | Promise<Response> {
  const page = context.get('page');
  const { dashboard } = context.get('desks');
  const items = PARTS.filter(({ right }) => right === null || dashboard.may(right));
  return answerPage(
    context,
    {
      width: 'wide',
      ...parts,
      styles: ['staff.css', 'dashboard.css', ...(parts.styles ?? [])],
      nav: (
        <StaffNavigation
          page={page}
          site={site}
          label={page.t('dashboard:nav.label')}
          name={context.get('user').name}
          items={items.map(({ path, label }) => ({ path, label: page.t(label) }))}
        />
      ),
    },
    <div class="dashboard">{content}</div>,
  );
}

/** Parts of the dashboard; with a right, only for those who have it. */
const PARTS: readonly { path: string; label: MessageKey; right: DashboardRight | null }[] = [
  { path: HOME_PATH, label: 'dashboard:nav.home', right: null },
  { path: KEYS_PATH, label: 'dashboard:nav.keys', right: 'manage_keys' },
  { path: VERIFICATIONS_PATH, label: 'dashboard:nav.verifications', right: null },
  { path: USAGE_PATH, label: 'dashboard:nav.usage', right: null },
  { path: TEAM_PATH, label: 'dashboard:nav.team', right: null },
];
