import {
  type ActionEntry,
  getOwnClient,
  listApiKeys,
  listTeam,
  listVerifications,
  readOwnUsage,
} from '@countersign/domain';
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
  const { may } = context.get('as');
  const items = PARTS.filter(({ action }) => may(action) !== 'no');
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

/** Parts of the dashboard, each with the action of its first page. */
const PARTS: readonly { path: string; label: MessageKey; action: ActionEntry }[] = [
  { path: HOME_PATH, label: 'dashboard:nav.home', action: getOwnClient },
  { path: KEYS_PATH, label: 'dashboard:nav.keys', action: listApiKeys },
  { path: VERIFICATIONS_PATH, label: 'dashboard:nav.verifications', action: listVerifications },
  { path: USAGE_PATH, label: 'dashboard:nav.usage', action: readOwnUsage },
  { path: TEAM_PATH, label: 'dashboard:nav.team', action: listTeam },
];
