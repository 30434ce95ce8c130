import { listApiKeys } from '@countersign/domain';
import { Hono } from 'hono';
import type { Site } from '../../site/site.ts';
import { confirmFirst } from '../../staff/confirmed.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { requireAction } from '../require-right.ts';
import { keysPage } from './keys-page.tsx';
import { createKey, newKeyPage } from './new-key.ts';
import { revokeKey, revokePage } from './revoke-key.tsx';
import { rotateKey, rotatePage } from './rotate-key.tsx';

/** A client's keys, for those of its staff who manage them. */
export function keyRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  routes.use(requireAction(site, listApiKeys));
  routes.get('/', keysPage(site));
  routes.get('/new', confirmFirst(site), newKeyPage(site));
  routes.post('/new', createKey(site));
  routes.get('/:id/rotate', rotatePage(site));
  routes.post('/:id/rotate', rotateKey(site));
  routes.get('/:id/revoke', revokePage(site));
  routes.post('/:id/revoke', revokeKey(site));
  return routes;
}
