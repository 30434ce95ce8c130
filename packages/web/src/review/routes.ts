import { Hono } from 'hono';
import type { Site } from '../site/site.ts';
import { AREAS } from '../staff/areas.ts';
import { domainErrors } from '../staff/domain-errors.ts';
import type { StaffEnv } from '../staff/staff-env.ts';
import { type StaffArea, staffGate } from '../staff/staff-gate.tsx';
import { actOn } from './acts.ts';
import { caseFile, casePage, toCase } from './cases.ts';
import { keysPage, switchKeys } from './keys-page.tsx';
import { nextCase, queuePage } from './queue-page.tsx';
import { ACTS } from './typed.ts';

const AREA: StaffArea = {
  roles: AREAS.review.roles,
  forbidden: { title: 'review:gate.forbiddenTitle', text: 'review:gate.forbiddenText' },
  // The forms of a case stand on its page.
  pageOfForm: (path) => path.split('/').slice(0, 3).join('/'),
};

/** The reviewer console. */
export function reviewRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  routes.onError(domainErrors(site));
  routes.use(staffGate(site, AREA));
  routes.get('/', queuePage(site));
  routes.get('/next', nextCase);
  routes.get('/keys', keysPage(site));
  routes.post('/keys', switchKeys(site));
  routes.get('/:id', casePage(site));
  routes.get('/:id/files/:fileId', caseFile);
  for (const act of ACTS) {
    routes.post(`/:id/${act}`, actOn(site, act));
    // A form that came back with errors has this address: whoever switches the language there asks for it again.
    routes.get(`/:id/${act}`, toCase);
  }
  return routes;
}
