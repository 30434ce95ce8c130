import { acceptsPdf, isCountersignError, type Verification, withValueAt } from '@countersign/domain';
import type { Context } from 'hono';
import { readForm } from '../../forms/form-body.ts';
import type { MessageKey } from '../../site/messages.ts';
import { requireAllowed } from '../../site/page-error.ts';
import type { Site } from '../../site/site.ts';
import { answerFlowPage } from '../flow-frame.tsx';
import { CHECK, pagesNeeded, type UploadPage, verifyPath } from '../navigation.ts';
import { savePage } from '../save-page.ts';
import type { VerifyEnv } from '../verify-env.ts';
import { receiveFormFile } from './receive-file.ts';
import { FormRefused } from './form-refused.ts';
import { type Refusal, refusalOf } from './refusal.ts';
import { TakenPicture, takenTitle } from './taken-picture.tsx';
import { UPLOAD_FIELD, UploadForm } from './upload-form.tsx';
import { uploadedOn } from './uploaded-files.ts';

type Answer = Response | Promise<Response>;

const STYLES = ['capture.css'];

/** Asks for a file, or shows the one that is there; with `?again`, asks for another. Changes nothing. */
export function showUploadPage(context: Context<VerifyEnv>, page: UploadPage): Answer {
  const verification = context.get('verification');
  const uploaded = uploadedOn(verification, page);
  const { file } = uploaded;
  if (file === null || context.req.query('again') !== undefined) return askForFile(context, page, null);
  const { t, href } = context.get('page');
  const { slug, step, upload } = page;
  return answerFlowPage(
    context,
    { title: t(takenTitle(file)), step, slug, styles: STYLES },
    <TakenPicture
      page={context.get('page')}
      evidence={upload.evidence}
      uploaded={{ ...uploaded, file }}
      source={href(verifyPath(verification, `files/${file.id}`))}
      action={addressOf(context, page)}
      cameFrom={cameFrom(context)}
    />,
  );
}

/**
 * Takes a file (multipart), or the decision to use the one shown or to go on without one (urlencoded). What is refused
 * is told on the page that asks for it, with everything else as it was.
 */
export async function takeUploadPage(
  context: Context<VerifyEnv>,
  site: Site,
  page: UploadPage,
): Promise<Response> {
  try {
    return await (isMultipart(context) ? takeFile : takeDecision)(context, site, page);
  } catch (error) {
    // A file that was not uploaded here: nothing that the page itself sends.
    const isForeign = isCountersignError(error, 'INVALID_PARAMETERS');
    const reason = isForeign ? new FormRefused('FILE_MISSING') : error;
    const refusal = refusalOf(reason, acceptsPdf(page.upload.evidence));
    if (refusal === null) throw error;
    return askForFile(context, page, refusal);
  }
}

async function takeFile(context: Context<VerifyEnv>, { options }: Site, page: UploadPage): Promise<Response> {
  const { subject, rateLimits } = options.countersign;
  const {
    step,
    upload: { evidence: kind },
  } = page;
  const access = context.get('access');
  requireAllowed(await rateLimits.forUpload(access.verificationId), options.clock.now());
  await receiveFormFile(context.req.raw, (content) => subject.uploadFile(access, { step, kind }, content));
  return context.redirect(addressOf(context, page), 303);
}

async function takeDecision(context: Context<VerifyEnv>, site: Site, page: UploadPage): Promise<Response> {
  const form = await readForm(context);
  const { path, optional } = page.upload;
  const fileId = form.text('fileId');
  if (fileId === '' && !optional) throw new FormRefused('FILE_MISSING');
  return savePage(context, site, page, withValueAt({}, path, fileId === '' ? undefined : fileId));
}

/** The form, and why the last file was not taken. */
function askForFile(context: Context<VerifyEnv>, page: UploadPage, refusal: Refusal | null): Answer {
  const { slug, step, upload } = page;
  const { t } = context.get('page');
  const verification = context.get('verification');
  const title = t(uploadTitle(verification, page));
  const errors = new Map(refusal === null ? [] : [[UPLOAD_FIELD, t(refusal.message)]]);
  return answerFlowPage(
    context,
    { title, step, slug, errors, status: refusal?.status, scripts: ['capture.js'], styles: STYLES },
    <UploadForm
      page={context.get('page')}
      evidence={upload.evidence}
      action={addressOf(context, page)}
      phone={verifyPath(verification, 'phone')}
      errors={errors}
      canKeep={uploadedOn(verification, page).file !== null}
      canSkip={upload.optional}
    />,
  );
}

function isMultipart({ req }: Context<VerifyEnv>): boolean {
  return /^multipart\//i.test(req.header('Content-Type') ?? '');
}

/** This page, also for somebody who came from another and is led back there. */
function addressOf(context: Context<VerifyEnv>, { slug }: UploadPage): string {
  const from = cameFrom(context) === undefined ? '' : `?from=${CHECK}`;
  return context.get('page').href(verifyPath(context.get('verification'), slug) + from);
}

/** The page of all answers, or none. */
function cameFrom({ req }: Context<VerifyEnv>): string | undefined {
  return req.query('from') === CHECK ? CHECK : undefined;
}

/** Returns what the page asks for. A document without a back, a passport, has a photo page instead of a front. */
function uploadTitle(verification: Verification, { step, upload: { evidence } }: UploadPage): MessageKey {
  const kinds = pagesNeeded(verification, step).map((page) => page.upload?.evidence);
  return evidence === 'document_front' && !kinds.includes('document_back')
    ? 'capture:kind.document_front.passportTitle'
    : `capture:kind.${evidence}.title`;
}
