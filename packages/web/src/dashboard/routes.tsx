import { CountersignError } from '@countersign/domain';
import {
  getApiKey,
  getOwnClient,
  listApiKeys,
  listApiRequests,
  listExports,
  listTeam,
  listVerifications,
  listWebhooks,
  readOwnRetentionPolicy,
  readOwnUsage,
  readVerification,
} from '@countersign/domain/actions';
import type { ClientMode } from '@countersign/domain/clients';
import type { Hono } from 'hono';
import { requireAction } from '../actions/action-page.tsx';
import { exportList } from '../actions/exports/export-list.tsx';
import { nameOfKey } from '../actions/keys/key-parts.tsx';
import { mountOtherActions, type NameOfId, otherItems } from '../actions/other-actions.ts';
import { mountReportPages } from '../actions/retention/report-pages.tsx';
import { docsOf } from '../docs/docs.ts';
import { notFoundPage } from '../parts/error-page.tsx';
import { DOCS_PATH } from '../site/paths.ts';
import type { Site } from '../site/site.ts';
import type { MenuItem, StaffArea, StaffEnv } from '../staff/area.tsx';
import { referenceInWords } from '../staff/data-state.tsx';
import { areaRoutes } from '../staff/gate.ts';
import { listPage } from '../staff/list-page.tsx';
import { nameAndEmail } from '../staff/users.tsx';
import { appearanceRoutes } from './appearance/appearance-actions.tsx';
import { fileAccessRoutes } from './file-access.tsx';
import { flowSettingsRoutes } from './flow-settings.ts';
import { aboutClient, DashboardFrame } from './frame.tsx';
import { homePage } from './home-page.tsx';
import { keyRoutes } from './keys/key-actions.tsx';
import {
  APPEARANCE_PATH,
  DATA_COPIES_PATH,
  FILE_ACCESS_PATH,
  FLOW_SETTINGS_PATH,
  HOME_PATH,
  KEYS_PATH,
  REASON_TEMPLATES_PATH,
  REQUESTS_PATH,
  RETENTION_PATH,
  RETURN_ADDRESSES_PATH,
  SETTINGS_PATH,
  TEAM_PATH,
  USAGE_PATH,
  VERIFICATIONS_PATH,
  verificationPath,
  WEBHOOKS_PATH,
} from './paths.ts';
import { reasonTemplatesRoutes } from './reason-templates.ts';
import { requestList } from './requests-page.tsx';
import { ownReports, retentionPage } from './retention-page.tsx';
import { returnAddressRoutes } from './return-addresses.ts';
import { settingsPage } from './settings-page.tsx';
import { findTeamMember, teamRoutes } from './team/team-actions.tsx';
import { usagePage } from './usage-page.tsx';
import { verificationRoutes } from './verifications/verification-actions.tsx';
import { webhookRoutes } from './webhooks/webhook-actions.tsx';

/** Parts of the dashboard, each with the action of its first page. */
const MENU: readonly MenuItem[] = [
  { path: HOME_PATH, label: 'dashboard:nav.home', action: getOwnClient, icon: 'house' },
  { path: VERIFICATIONS_PATH, label: 'dashboard:nav.verifications', action: listVerifications, icon: 'list' },
  { path: KEYS_PATH, label: 'dashboard:nav.keys', action: listApiKeys, icon: 'key' },
  { path: WEBHOOKS_PATH, label: 'dashboard:nav.webhooks', action: listWebhooks, icon: 'webhook' },
  { path: REQUESTS_PATH, label: 'dashboard:nav.requests', action: listApiRequests, icon: 'activity' },
  { path: USAGE_PATH, label: 'dashboard:nav.usage', action: readOwnUsage, icon: 'chart-column' },
  { path: TEAM_PATH, label: 'dashboard:nav.team', action: listTeam, icon: 'users' },
  {
    path: SETTINGS_PATH,
    label: 'dashboard:nav.settings',
    action: getOwnClient,
    icon: 'settings',
    parts: [
      APPEARANCE_PATH,
      FLOW_SETTINGS_PATH,
      REASON_TEMPLATES_PATH,
      RETURN_ADDRESSES_PATH,
      FILE_ACCESS_PATH,
      RETENTION_PATH,
      DATA_COPIES_PATH,
    ],
  },
];

const DOCS_ITEM: MenuItem = {
  path: DOCS_PATH,
  label: 'dashboard:nav.docs',
  action: getOwnClient,
  icon: 'file-text',
};

/** Requests for copies of people's data. */
const dataCopies = exportList({
  path: DATA_COPIES_PATH,
  back: { path: SETTINGS_PATH, label: 'dashboard:nav.settings' },
  pathOf: verificationPath,
  ofAllClients: false,
});

export function dashboardArea(site: Site, mode: ClientMode): StaffArea {
  return {
    name: 'dashboard',
    mode,
    styles: [],
    menu: () => [...MENU, ...otherItems(site, 'dashboard'), ...(docsOf(site) === null ? [] : [DOCS_ITEM])],
    about: (context) => aboutClient(context, mode),
    frame: (context, content) => <DashboardFrame context={context} mode={mode} content={content} />,
  };
}

/** The dashboard of a client's team. In test mode it is about the test twin, and has no pages of what both share. */
export function dashboardRoutes(site: Site, mode: ClientMode): Hono<StaffEnv> {
  const routes = areaRoutes(site, dashboardArea(site, mode));
  routes.get('/', homePage);
  routes.get('/usage', usagePage);
  routes.get('/settings', settingsPage);
  routes.get('/data-copies', requireAction(listExports), listPage(dataCopies));
  routes.get('/requests', requireAction(listApiRequests), listPage(requestList));
  routes.route('/keys', keyRoutes(site));
  routes.route('/webhooks', webhookRoutes(site));
  routes.route('/verifications', verificationRoutes(site));
  routes.route('/return-addresses', returnAddressRoutes(site));
  if (mode === 'live') {
    routes.get('/retention', requireAction(readOwnRetentionPolicy), retentionPage);
    mountReportPages(routes, '/retention/report', ownReports);
    routes.route('/team', teamRoutes(site));
    routes.route('/file-access', fileAccessRoutes(site));
    routes.route('/flow', flowSettingsRoutes(site));
    routes.route('/reason-templates', reasonTemplatesRoutes(site));
    routes.route('/face', appearanceRoutes(site));
  }
  mountOtherActions(routes, site, 'dashboard', {
    mode,
    back: { path: HOME_PATH, label: 'dashboard:nav.home' },
    names: {
      clientId: ownClientName,
      keyId: async (context, keyId) => nameOfKey(await context.get('as').run(getApiKey, { keyId })),
      userId: async (context, userId) => nameAndEmail(await findTeamMember(context, { userId })),
      verificationId: async (context, verificationId) =>
        referenceInWords(await context.get('as').run(readVerification, { verificationId }), context.get('page')),
    },
  });
  // The routes of live mode begin with the same path. Their gate would let the request in once more.
  if (mode === 'test') routes.all('*', notFoundPage);
  return routes;
}

/** @throws CountersignError `CLIENT_NOT_FOUND` for another client */
const ownClientName: NameOfId = async (context, clientId) => {
  const { client } = await context.get('as').run(getOwnClient, {});
  if (client.id !== clientId) throw new CountersignError('CLIENT_NOT_FOUND');
  return client.name;
};
