import {
  type ActionEntry,
  getClient,
  isAvailable,
  listAudit,
  listExports,
  listReviewQueue,
  readServiceState,
  searchClients,
  searchUsers,
} from '@countersign/domain/actions';
import type { Hono } from 'hono';
import { requireAction } from '../actions/action-page.tsx';
import { exportList } from '../actions/exports/export-list.tsx';
import { mountOtherActions, otherItems } from '../actions/other-actions.ts';
import type { Site } from '../site/site.ts';
import { AREAS, type MenuItem, type StaffArea, type StaffEnv } from '../staff/area.tsx';
import { areaRoutes } from '../staff/gate.ts';
import { listPage } from '../staff/list-page.tsx';
import { nameAndEmail } from '../staff/users.tsx';
import { auditList } from './audit/audit-list.tsx';
import { clientRoutes } from './clients/client-actions.tsx';
import { clientList } from './clients/client-list.tsx';
import { AUDIT_PATH, auditPathFor, CLIENTS_PATH, DATA_COPIES_PATH, STATUS_PATH, USERS_PATH } from './paths.ts';
import { statusPage } from './status-page.tsx';
import { userRoutes } from './users/user-actions.tsx';
import { findUser } from './users/user-page.tsx';

/** Requests for copies of people's data. The page of a verification is in the console. */
const dataCopies = exportList({
  path: DATA_COPIES_PATH,
  pathOf: (verificationId) => `${AREAS.review.path}/${encodeURIComponent(verificationId)}`,
  ofAllClients: true,
});

/** `needs` are the parts of the storage without which an item is left out, beside those of its action. */
const MENU: readonly (MenuItem & Partial<Pick<ActionEntry, 'needs'>>)[] = [
  { path: CLIENTS_PATH, label: 'admin:nav.clients', action: searchClients, icon: 'building-2' },
  { path: USERS_PATH, label: 'admin:nav.users', action: searchUsers, icon: 'users' },
  { path: AUDIT_PATH, label: 'admin:nav.audit', action: listAudit, icon: 'scroll-text' },
  { path: STATUS_PATH, label: 'admin:nav.status', action: readServiceState, icon: 'activity' },
  {
    path: DATA_COPIES_PATH,
    label: 'exports:list.nav',
    // Owners may run `listExports` too: with it, the item would let them into the area.
    action: searchClients,
    needs: listExports.needs,
    icon: 'download',
  },
  { path: AREAS.review.path, label: 'admin:nav.review', action: listReviewQueue, icon: 'inbox' },
];

export function adminArea(site: Site): StaffArea {
  const menu = MENU.filter(({ needs = [] }) => isAvailable({ needs }, site.parts));
  return { name: 'admin', styles: [], menu: () => [...menu, ...otherItems(site, 'admin')] };
}

/** The pages of operators. */
export function adminRoutes(site: Site): Hono<StaffEnv> {
  const routes = areaRoutes(site, adminArea(site));
  routes.get('/', listPage(clientList));
  routes.route('/clients', clientRoutes(site));
  routes.route('/users', userRoutes(site));
  routes.get('/audit', listPage(auditList));
  routes.get('/status', requireAction(readServiceState), statusPage);
  routes.get('/data-copies', requireAction(listExports), listPage(dataCopies));
  // The audit log shows what was done.
  mountOtherActions(routes, site, 'admin', {
    back: { path: CLIENTS_PATH, label: 'admin:nav.clients' },
    next: ({ id }) => auditPathFor({ action: id }),
    names: {
      clientId: async (context, clientId) => (await context.get('as').run(getClient, { clientId })).client.name,
      userId: async (context, userId) => nameAndEmail(await findUser(context, userId)),
    },
  });
  return routes;
}
