import { Hono } from 'hono';
import type { Site } from '../site/site.ts';
import { actOn } from './acts.ts';
import { caseFile, casePage, toCase } from './cases.ts';
import { reviewersOnly } from './gate.tsx';
import { keysPage, switchKeys } from './keys-page.tsx';
import { nextCase, queuePage } from './queue-page.tsx';
import type { ReviewEnv } from './review-env.ts';
import { ACTS } from './typed.ts';

/** The reviewer console. */
export function reviewRoutes(site: Site): Hono<ReviewEnv> {
  const routes = new Hono<ReviewEnv>();
  routes.use(reviewersOnly(site));
  routes.get('/', queuePage(site));
  routes.get('/next', nextCase(site));
  routes.get('/keys', keysPage(site));
  routes.post('/keys', switchKeys(site));
  routes.get('/:id', casePage(site));
  routes.get('/:id/files/:fileId', caseFile(site));
  for (const act of ACTS) {
    routes.post(`/:id/${act}`, actOn(site, act));
    // A form that came back with errors has this address: whoever switches the language there asks for it again.
    routes.get(`/:id/${act}`, toCase);
  }
  return routes;
}
