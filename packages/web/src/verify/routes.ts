import { CountersignError } from '@countersign/domain';
import type { FilePartName } from '@countersign/domain/evidence';
import type { PlannedScreen } from '@countersign/domain/flows';
import { type Context, Hono } from 'hono';
import { drainUnread } from '../forms/receive-file.ts';
import { answerDownload } from '../site/download.ts';
import { PageError } from '../site/errors.ts';
import { fileDownload } from '../site/file-answer.ts';
import type { Site } from '../site/site.ts';
import { showCheckPage, takeCheckPage } from './check-page.tsx';
import { showDataCopyPage, takeDataCopyPage } from './data-copy.tsx';
import { showFormPage, takeFormPage } from './form-page.tsx';
import { HAND_OVER_PATH, showHandOverPage, takeHandOverPage } from './hand-over-page.tsx';
import { showPhonePage, showPhoneProgress, takePhonePage } from './handoff.tsx';
import { CHECK, DATA_COPY, hasScreen, openScreen, PHONE, requireAnswerable, uploadOf } from './navigation.ts';
import { openLink } from './open-link.ts';
import { requireSession, shownIn, type VerifyEnv } from './session.ts';
import { showStatePage } from './state-page.tsx';
import { answerTrouble } from './trouble-pages.tsx';
import { showUploadPage, takeUploadPage } from './upload/upload-page.tsx';

/** The pages on which subjects complete their verification. */
export function verifyRoutes(site: Site): Hono<VerifyEnv> {
  const { parts } = site;
  const { subject } = site.options.countersign;
  const app = new Hono<VerifyEnv>();
  app.onError((error, context) => answerTrouble(error, context, site));
  app.get('/:reference{[^/.]*\\.[^/]*}', openLink(site));
  if (parts.has('handOvers')) {
    app.get(HAND_OVER_PATH, showHandOverPage(site));
    app.post(HAND_OVER_PATH, takeHandOverPage(site));
  }
  app.post('/:id/:slug', drainUnread);
  app.use('/:id', requireSession(site));
  // Not `/:id/*`, which also matches `/:id`.
  app.use('/:id/:slug/*', requireSession(site));
  app.get('/:id', (context) => showStatePage(context, site));
  app.get(`/:id/${CHECK}`, (context) => showCheckPage(context, site));
  app.post(`/:id/${CHECK}`, (context) => takeCheckPage(context, site));
  const showFile = (context: Context<VerifyEnv>, fileId: string, part?: FilePartName) => {
    const access = context.get('access');
    return answerDownload(context, site, { subject: access.verificationId }, async () =>
      fileDownload(await subject.readFile(access, fileId, part)),
    );
  };
  app.get('/:id/files/:fileId', (context) => showFile(context, context.req.param('fileId')));
  app.get('/:id/files/:fileId/thumbnail', (context) =>
    showFile(context, context.req.param('fileId'), 'thumbnail'),
  );
  if (parts.has('handOvers')) {
    app.get(`/:id/${PHONE}`, (context) => showPhonePage(context, site));
    app.post(`/:id/${PHONE}`, (context) => takePhonePage(context, site));
    app.get(`/:id/${PHONE}/progress`, (context) => showPhoneProgress(context, site));
  }
  if (parts.has('exports')) {
    app.get(`/:id/${DATA_COPY}`, (context) => showDataCopyPage(context, site));
    app.post(`/:id/${DATA_COPY}`, (context) => takeDataCopyPage(context, site));
  }
  app.get('/:id/:slug', (context) => {
    const screen = requireOpenScreen(context, context.req.param('slug'));
    return uploadOf(screen) === null ? showFormPage(context, site, screen) : showUploadPage(context, site, screen);
  });
  app.post('/:id/:slug', (context) => {
    const screen = requireOpenScreen(context, context.req.param('slug'));
    return uploadOf(screen) === null ? takeFormPage(context, site, screen) : takeUploadPage(context, site, screen);
  });
  return app;
}

/** @throws PageError 404, CountersignError `ILLEGAL_TRANSITION` when nothing can be answered any more, `STEP_OUT_OF_TURN` */
function requireOpenScreen(context: Context<VerifyEnv>, slug: string): PlannedScreen {
  const verification = context.get('verification');
  if (!hasScreen(verification, slug)) throw new PageError(404);
  requireAnswerable(verification);
  const screen = openScreen(shownIn(context), slug);
  if (screen === null) throw new CountersignError('STEP_OUT_OF_TURN');
  return screen;
}
