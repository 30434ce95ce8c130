import { CountersignError } from '@countersign/domain';
import { type Context, Hono } from 'hono';
import { PageError } from '../site/page-error.ts';
import type { Site } from '../site/site.ts';
import { showCheckPage, takeCheckPage } from './check-page.tsx';
import { showFormPage, takeFormPage } from './form-page.tsx';
import { phoneRoutes } from './handoff/phone-routes.tsx';
import { CHECK, type FlowPage, findPage, isOpen, isUploadPage } from './navigation.ts';
import { openLink, requireSession } from './session.ts';
import { showStatePage } from './state-page.tsx';
import { answerTrouble } from './trouble-pages.tsx';
import { drainUnread } from './upload/drain-unread.ts';
import { fileRoutes } from './upload/file-routes.ts';
import { showUploadPage, takeUploadPage } from './upload/upload-page.tsx';
import type { VerifyEnv } from './verify-env.ts';

/** The pages on which subjects complete their verification. */
export function verifyRoutes(site: Site): Hono<VerifyEnv> {
  const app = new Hono<VerifyEnv>();
  app.onError(answerTrouble);
  app.get('/:reference{[^/.]*\\.[^/]*}', openLink(site));
  app.post('/:id/:slug', drainUnread);
  app.use('/:id', requireSession(site));
  app.use('/:id/*', requireSession(site));
  app.get('/:id', (context) => showStatePage(context, site));
  app.get(`/:id/${CHECK}`, (context) => {
    requireStepsOpen(context);
    return showCheckPage(context);
  });
  app.post(`/:id/${CHECK}`, (context) => {
    if (context.get('verification').status !== 'submitted') requireStepsOpen(context);
    return takeCheckPage(context, site);
  });
  app.route('/:id', fileRoutes(site));
  app.route('/:id', phoneRoutes(site));
  app.get('/:id/:slug', (context) => {
    const page = openPage(context, context.req.param('slug'));
    return isUploadPage(page) ? showUploadPage(context, page) : showFormPage(context, site, page);
  });
  app.post('/:id/:slug', (context) => {
    const page = openPage(context, context.req.param('slug'));
    return isUploadPage(page) ? takeUploadPage(context, site, page) : takeFormPage(context, site, page);
  });
  return app;
}

/** @throws PageError 404, CountersignError `ILLEGAL_TRANSITION` once nothing can be answered any more, `STEP_OUT_OF_TURN` */
function openPage(context: Context<VerifyEnv>, slug: string): FlowPage {
  const verification = context.get('verification');
  const page = findPage(verification.flow, slug);
  if (page === null) throw new PageError(404);
  requireStepsOpen(context);
  if (!isOpen(verification, page.step)) throw new CountersignError('STEP_OUT_OF_TURN', 'The step is not open now');
  return page;
}

function requireStepsOpen(context: Context<VerifyEnv>): void {
  const { status } = context.get('verification');
  if (status === 'pending' || status === 'action_needed') return;
  throw new CountersignError('ILLEGAL_TRANSITION', `Nothing can be answered in the state ${status}`);
}
