import { Hono } from 'hono';
import type { Site } from '../site/site.ts';
import { AREAS } from '../staff/areas.ts';
import { deskErrors } from '../staff/domain-errors.ts';
import type { StaffEnv } from '../staff/staff-env.ts';
import { type StaffArea, staffGate } from '../staff/staff-gate.tsx';
import { auditPage } from './audit/audit-page.tsx';
import { clientRoutes } from './clients/client-actions.tsx';
import { clientsPage } from './clients/clients-page.tsx';
import { userRoutes } from './users/user-actions.tsx';

const AREA: StaffArea = {
  roles: AREAS.admin.roles,
  forbidden: { title: 'admin:gate.forbiddenTitle', text: 'admin:gate.forbiddenText' },
};

/** What operators do. */
export function adminRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  routes.onError(deskErrors(site));
  routes.use(staffGate(site, AREA));
  routes.get('/', clientsPage(site));
  routes.route('/clients', clientRoutes(site));
  routes.route('/users', userRoutes(site));
  routes.get('/audit', auditPage(site));
  return routes;
}
