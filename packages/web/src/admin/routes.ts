import { Hono } from 'hono';
import { mountPage } from '../actions/action-page.tsx';
import { otherActions } from '../actions/other-actions.ts';
import type { Site } from '../site/site.ts';
import { AREAS } from '../staff/areas.ts';
import { domainErrors } from '../staff/domain-errors.ts';
import type { StaffEnv } from '../staff/staff-env.ts';
import { type StaffArea, staffGate } from '../staff/staff-gate.tsx';
import { answerAdminPage } from './admin-page.tsx';
import { auditPage } from './audit/audit-page.tsx';
import { clientRoutes } from './clients/client-actions.tsx';
import { clientsPage } from './clients/clients-page.tsx';
import { auditPathFor, CLIENTS_PATH } from './paths.ts';
import { userRoutes } from './users/user-actions.tsx';

const AREA: StaffArea = {
  roles: AREAS.admin.roles,
  forbidden: { title: 'admin:gate.forbiddenTitle', text: 'admin:gate.forbiddenText' },
};

/** The pages of operators. Actions without a page of their own get one that is drawn from entry and texts. */
export function adminRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  routes.onError(domainErrors(site));
  routes.use(staffGate(site, AREA));
  routes.get('/', clientsPage(site));
  routes.route('/clients', clientRoutes(site));
  routes.route('/users', userRoutes(site));
  routes.get('/audit', auditPage(site));
  for (const { action, path } of otherActions(site)) {
    mountPage(routes, site, answerAdminPage, {
      action,
      path,
      back: { path: () => CLIENTS_PATH, label: 'admin:clients.back' },
      // The log shows what was done.
      done: (context) => context.redirect(context.get('page').href(auditPathFor({ action: action.id })), 303),
    });
  }
  return routes;
}
