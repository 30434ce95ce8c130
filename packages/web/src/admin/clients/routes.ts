import { Hono } from 'hono';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { clientPage } from './client-page.tsx';
import { createClient, newClientPage } from './new-client.tsx';
import { sandboxPage, switchSandbox } from './sandbox.tsx';
import { changeSubscription } from './subscription.ts';
import { clientUsagePage } from './usage-page.tsx';

/** One client and its subscription. */
export function clientRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  routes.get('/new', newClientPage(site));
  routes.post('/new', createClient(site));
  routes.get('/:id', clientPage(site));
  // The form stands on the client's page.
  routes.get('/:id/subscription', clientPage(site));
  routes.post('/:id/subscription', changeSubscription(site));
  routes.get('/:id/sandbox', sandboxPage(site));
  routes.post('/:id/sandbox', switchSandbox(site));
  routes.get('/:id/usage', clientUsagePage(site));
  return routes;
}
