import { Hono } from 'hono';
import type { Site } from '../site/site.ts';
import { AREAS } from '../staff/areas.ts';
import { domainErrors } from '../staff/domain-errors.ts';
import type { StaffEnv } from '../staff/staff-env.ts';
import { type StaffArea, staffGate } from '../staff/staff-gate.tsx';
import { homePage } from './home/home-page.tsx';
import { keyRoutes } from './keys/key-actions.tsx';
import { teamRoutes } from './team/team-actions.tsx';
import { usagePage } from './usage/usage-page.tsx';
import { verificationRoutes } from './verifications/verification-actions.tsx';

const AREA: StaffArea = {
  roles: AREAS.dashboard.roles,
  forbidden: { title: 'dashboard:gate.forbiddenTitle', text: 'dashboard:gate.forbiddenText' },
};

/** What a client's staff does. */
export function dashboardRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  routes.onError(domainErrors(site));
  routes.use(staffGate(site, AREA));
  routes.get('/', homePage(site));
  routes.get('/usage', usagePage(site));
  routes.route('/keys', keyRoutes(site));
  routes.route('/verifications', verificationRoutes(site));
  routes.route('/team', teamRoutes(site));
  return routes;
}
