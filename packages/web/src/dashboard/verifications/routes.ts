import {
  createVerification as createVerificationAction,
  exportVerifications,
  withdrawVerification,
} from '@countersign/domain';
import { Hono } from 'hono';
import { requireAction } from '../../actions/action-page.tsx';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { createPage, createVerification } from './create.ts';
import { detailPage } from './detail-page.tsx';
import { exportFile } from './export-file.ts';
import { exportPage } from './export-page.tsx';
import { listPage } from './list-page.tsx';
import { MOVES, makeMove, movePage } from './move-pages.tsx';

/** A client's verifications; to be mounted at `/dashboard/verifications`, behind the gate of the dashboard. */
export function verificationRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  routes.get('/', listPage(site));
  routes.get('/new', requireAction(site, createVerificationAction), createPage(site));
  routes.post('/new', createVerification(site));
  routes.get('/export', requireAction(site, exportVerifications), exportPage(site));
  routes.get('/export.csv', exportFile(site));
  routes.get('/:id', detailPage(site));
  for (const move of MOVES) {
    routes.get(`/:id/${move}`, requireAction(site, withdrawVerification), movePage(site, move));
    routes.post(`/:id/${move}`, makeMove(site, move));
  }
  return routes;
}
