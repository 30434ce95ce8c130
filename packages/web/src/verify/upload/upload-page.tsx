import { acceptsPdf, isCountersignError } from '@countersign/domain';
import type { Context } from 'hono';
import { readForm } from '../../forms/form-body.ts';
import { requireAllowed } from '../../site/page-error.ts';
import type { Site } from '../../site/site.ts';
import { answerFlowPage } from '../flow-frame.tsx';
import { keepAnswers } from '../keep-answers.ts';
import type { UploadPage } from '../step-page.ts';
import { withValueAt } from '../value-at.ts';
import type { VerifyEnv } from '../verify-env.ts';
import { CHECK, verifyPath } from '../way.ts';
import { receiveFormFile } from './form-file.ts';
import { FormRefused } from './form-refused.ts';
import { type UploadPlace, uploadPlace } from './places.ts';
import { type Refusal, refusalOf } from './refusal.ts';
import { TakenPicture, takenTitle } from './taken-picture.tsx';
import { UPLOAD_FIELD, UploadForm } from './upload-form.tsx';
import { uploadTitle } from './upload-title.ts';
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
  const { slug, step, evidence } = page;
  return answerFlowPage(
    context,
    { title: t(takenTitle(file)), step, slug, styles: STYLES },
    <TakenPicture
      page={context.get('page')}
      evidence={evidence}
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
    const refusal = refusalOf(reason, acceptsPdf(page.evidence));
    if (refusal === null) throw error;
    return askForFile(context, page, refusal);
  }
}

async function takeFile(context: Context<VerifyEnv>, { options }: Site, page: UploadPage): Promise<Response> {
  const { subject, rateLimits } = options.countersign;
  const { step, evidence: kind } = page;
  const access = context.get('access');
  requireAllowed(await rateLimits.forUpload(access.verificationId), options.clock.now());
  await receiveFormFile(context.req.raw, (upload) => subject.uploadFile(access, { step, kind }, upload));
  return context.redirect(addressOf(context, page), 303);
}

async function takeDecision(context: Context<VerifyEnv>, site: Site, page: UploadPage): Promise<Response> {
  const form = await readForm(context);
  const { field, isOptional } = placeOf(context, page);
  const fileId = form.text('fileId');
  if (fileId === '' && !isOptional) throw new FormRefused('FILE_MISSING');
  return keepAnswers(context, site, page, withValueAt({}, field, fileId === '' ? undefined : fileId));
}

/** The form, and why the last file was not taken. */
function askForFile(context: Context<VerifyEnv>, page: UploadPage, refusal: Refusal | null): Answer {
  const { slug, step, evidence } = page;
  const { t } = context.get('page');
  const verification = context.get('verification');
  const title = t(uploadTitle(verification, page));
  const errors = new Map(refusal === null ? [] : [[UPLOAD_FIELD, t(refusal.message)]]);
  return answerFlowPage(
    context,
    { title, step, slug, errors, status: refusal?.status, scripts: ['capture.js'], styles: STYLES },
    <UploadForm
      page={context.get('page')}
      evidence={evidence}
      action={addressOf(context, page)}
      phone={verifyPath(verification, 'phone')}
      errors={errors}
      canKeep={uploadedOn(verification, page).file !== null}
      canSkip={placeOf(context, page).isOptional}
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

function placeOf(context: Context<VerifyEnv>, { step, evidence }: UploadPage): UploadPlace {
  const place = uploadPlace(context.get('verification').type, step, evidence);
  if (place === null) throw new Error(`The page of ${evidence} is in no place of the step ${step}`);
  return place;
}
