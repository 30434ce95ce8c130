import type { Hono } from 'hono';
import { accountRoutes } from './account/routes.ts';
import { adminRoutes } from './admin/routes.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { reviewRoutes } from './review/routes.ts';
import type { Site } from './site/site.ts';
import type { WebEnv } from './site/web-env.ts';
import { verifyRoutes } from './verify/routes.ts';

/** Where each area of the pages is mounted. */
export function mountAreas(app: Hono<WebEnv>, site: Site): void {
  const { accounts } = site.options;
  app.route('/verify', verifyRoutes(site));
  app.route('/review', reviewRoutes(site));
  app.route('/dashboard', dashboardRoutes(site));
  app.route('/admin', adminRoutes(site));
  if (accounts !== undefined) app.route('/account', accountRoutes(site, accounts));
}
