import { isCountersignError, mayShowZone, type Verification } from '@countersign/domain';
import { acceptsPdf, EVIDENCE_KINDS, type EvidenceFile, type EvidenceKind } from '@countersign/domain/evidence';
import { type PlannedScreen, plannedScreens, valueAt, withValueAt } from '@countersign/domain/flows';
import type { Context } from 'hono';
import { readForm } from '../../forms/form-values.ts';
import { statusOfKept } from '../../forms/kept-form.ts';
import { FormRefused, receiveFormFile, wasReadWhole } from '../../forms/receive-file.ts';
import type { DrawingName } from '../../parts/drawing.tsx';
import { requireAllowed } from '../../site/errors.ts';
import type { MessageKey } from '../../site/messages.ts';
import type { Site } from '../../site/site.ts';
import {
  addressOf,
  answerFlowPage,
  cameFromCheck,
  isFileAsked,
  phoneAddressOf,
  reasonsInWords,
} from '../flow-frame.tsx';
import { keep, takeKept } from '../kept.ts';
import { CHECK, pagesNeeded, type UploadScreen, uploadOf, verifyPath } from '../navigation.ts';
import { saveScreen } from '../save-page.ts';
import { shownIn, type VerifyEnv } from '../session.ts';
import { pictureFormats } from './picture-formats.ts';
import { pictureFlawsIn, TakenPicture, takenTitle, type Uploaded } from './taken-picture.tsx';
import { EARLIER, UPLOAD_FIELD, UploadForm } from './upload-form.tsx';

type Answer = Response | Promise<Response>;

const STYLES = ['capture.css'];

/** Parameter with what the browser said about the picture before it was sent (capture-upload.js). */
const CAMERA = 'camera';

/** Returns the page of a screen that takes a file. The routes have checked that it does. */
function uploadIn(screen: PlannedScreen): UploadScreen {
  const upload = uploadOf(screen);
  if (upload === null) throw new Error(`The screen ${screen.slug} takes no file`);
  return upload;
}

/**
 * Asks for a file, or shows the uploaded one. With `?again`, asks for another; so it does for a file that a reviewer asks to replace,
 * unless `?earlier` asks for that one. Changes nothing.
 */
export function showUploadPage(context: Context<VerifyEnv>, site: Site, screen: PlannedScreen): Answer {
  const page = uploadIn(screen);
  const kept = takeKept(context, site);
  if (kept !== null) return askForFile(context, page, kept.errors);
  const verification = context.get('verification');
  const uploaded = uploadedOn(verification, page);
  const { file } = uploaded;
  if (file === null || context.req.query('again') !== undefined) return askForFile(context, page);
  const asksAtOnce = uploaded.isFromBefore && isFileAsked(verification, page);
  if (asksAtOnce && context.req.query(EARLIER) === undefined) return askForFile(context, page);
  const { slug, step, upload } = page;
  return answerFlowPage(
    context,
    { title: context.get('page').t(takenTitle(file)), steps: [step], parts: [page], slug, styles: STYLES },
    <TakenPicture
      page={context.get('page')}
      evidence={upload.evidence}
      uploaded={{ ...uploaded, file }}
      source={context.get('page').href(verifyPath(verification, `files/${file.id}`))}
      seen={pictureFlawsIn(context.req.query(CAMERA) ?? '')}
      action={addressOf(context, slug)}
      from={cameFromCheck(context) ? CHECK : undefined}
    />,
  );
}

/**
 * Takes a file (multipart), or the decision to use the one shown or to continue without one (urlencoded). Shows a refusal
 * on the page that asks for the file.
 */
export async function takeUploadPage(
  context: Context<VerifyEnv>,
  site: Site,
  screen: PlannedScreen,
): Promise<Response> {
  const page = uploadIn(screen);
  try {
    return isMultipart(context) ? await takeFile(context, site, page) : await takeDecision(context, site, screen);
  } catch (error) {
    // The form names a file that was not uploaded on this page. The page itself never sends that.
    const isForeign = isCountersignError(error, 'INVALID_PARAMETERS');
    const reason = isForeign ? new FormRefused('FILE_MISSING') : error;
    const refusal = refusalOf(reason, page.upload.evidence);
    if (refusal === null) throw error;
    const errors = new Map([[UPLOAD_FIELD, inWords(context, page, refusal)]]);
    const kept = wasReadWhole(context.req.raw) ? keep(context, site, { errors }) : null;
    return kept ?? askForFile(context, page, errors, refusal);
  }
}

/**
 * Shows the file that a redo kept although a reviewer asked to replace it, with the reason. What a form of the same step sent is
 * saved as a draft.
 */
export async function refuseKeptFile(context: Context<VerifyEnv>, site: Site): Promise<Response> {
  const verification = await site.options.countersign.subject.read(context.get('access'));
  const places = verification.status === 'action_needed' ? (verification.refusedPlaces ?? []) : [];
  const uploads = plannedScreens(verification, context.get('asks')).flatMap((screen) => uploadOf(screen) ?? []);
  const page = uploads.find(({ step, upload }) =>
    places.some((place) => place.step === step && place.path === upload.path),
  );
  if (page === undefined) throw new Error(`The verification ${verification.id} has no refused file`);
  const refusal = { status: REFUSALS.FILE_UNCHANGED, message: 'capture:refused.FILE_UNCHANGED' } as const;
  const errors = new Map([[UPLOAD_FIELD, inWords(context, page, refusal)]]);
  const address = addressOf(context, page.slug);
  return keep(context, site, { errors }, verifyPath(verification, page.slug)) ?? context.redirect(address, 303);
}

async function takeFile(context: Context<VerifyEnv>, { options }: Site, page: UploadScreen): Promise<Response> {
  const { subject, rateLimits } = options.countersign;
  const { step, upload } = page;
  const access = context.get('access');
  const end = rateLimits.beginUpload(access.verificationId);
  try {
    requireAllowed(await rateLimits.forUpload(access.verificationId), options.clock.now());
    const request = context.req.raw;
    await receiveFormFile(request, (content) =>
      subject.uploadFile(access, { step, kind: upload.evidence }, content, () => requireSender(request)),
    );
  } finally {
    end();
  }
  return context.redirect(withSeen(context, addressOf(context, page.slug)), 303);
}

/** Adds to an address what the browser said about the picture. */
function withSeen({ req }: Context, address: string): string {
  const seen = pictureFlawsIn(req.query(CAMERA) ?? '');
  return seen.length === 0 ? address : `${address}${address.includes('?') ? '&' : '?'}${CAMERA}=${seen.join(',')}`;
}

/** @throws FormRefused once the browser has disconnected, as for a body that ends early */
function requireSender({ signal }: Request): void {
  if (signal.aborted) throw new FormRefused('UPLOAD_BROKEN');
}

async function takeDecision(context: Context<VerifyEnv>, site: Site, screen: PlannedScreen): Promise<Response> {
  const form = await readForm(context);
  const { path, optional } = uploadIn(screen).upload;
  const fileId = form.text('fileId');
  if (fileId === '' && !optional) throw new FormRefused('FILE_MISSING');
  return saveScreen(context, site, screen, withValueAt({}, path, fileId === '' ? undefined : fileId));
}

/** Shows the upload form, with the reason why the last file was refused. */
async function askForFile(
  context: Context<VerifyEnv>,
  page: UploadScreen,
  errors: ReadonlyMap<string, string> = new Map(),
  refusal?: Refusal,
): Promise<Response> {
  const { slug, step, upload } = page;
  const appearance = await context.get('page').appearance?.();
  const { t } = context.get('page');
  const verification = context.get('verification');
  const title = t(uploadTitle(context, page));
  const wait = refusal?.retryAfterSeconds ?? 0;
  const headers = wait > 0 ? { 'Retry-After': String(wait) } : undefined;
  return answerFlowPage(
    context,
    {
      title,
      steps: [step],
      parts: [page],
      slug,
      errors,
      status: statusOfKept(context, refusal?.status),
      headers,
      showsEarlier: true,
      scripts: ['capture.js'],
      styles: STYLES,
    },
    <UploadForm
      page={context.get('page')}
      evidence={upload.evidence}
      drawing={isPassport(context, page) ? 'passport' : EVIDENCE_DRAWINGS[upload.evidence]}
      hasLines={mayShowZone(verification, { step, kind: upload.evidence })}
      action={addressOf(context, slug)}
      phone={phoneAddressOf(context)}
      errors={errors}
      supportAddress={appearance?.supportAddress ?? null}
      canKeep={uploadedOn(verification, page).file !== null}
      canSkip={upload.optional}
    />,
  );
}

function inWords(context: Context<VerifyEnv>, part: UploadScreen, refusal: Refusal): string {
  const { message, retryAfterSeconds = 0, usedFor } = refusal;
  const page = context.get('page');
  return page.t(message, {
    count: Math.ceil(retryAfterSeconds / MINUTE_SECONDS),
    formats: pictureFormats(page),
    place: usedFor === undefined ? '' : page.t(`wording:kind.${usedFor}`),
    reason: reasonsInWords(page, context.get('verification'), part),
  });
}

function isMultipart({ req }: Context<VerifyEnv>): boolean {
  return /^multipart\//i.test(req.header('Content-Type') ?? '');
}

/** Returns what the page asks for. */
function uploadTitle(context: Context<VerifyEnv>, page: UploadScreen): MessageKey {
  return isPassport(context, page)
    ? 'capture:kind.document_front.passportTitle'
    : `capture:kind.${page.upload.evidence}.title`;
}

/** Whether the page asks for the photo page of a passport: the front of a document without a back. */
function isPassport(context: Context<VerifyEnv>, { step, upload: { evidence } }: UploadScreen): boolean {
  const kinds = pagesNeeded(shownIn(context), step).map(({ part }) => part.upload?.evidence);
  return evidence === 'document_front' && !kinds.includes('document_back');
}

/** What each page draws. */
export const EVIDENCE_DRAWINGS: Readonly<Record<EvidenceKind, DrawingName>> = {
  document_front: 'front',
  document_back: 'back',
  selfie: 'selfie',
  proof_of_address: 'proof',
  registration_extract: 'proof',
  articles: 'proof',
  ownership_chart: 'proof',
  authority: 'proof',
};

/** Why a file was refused, as the page says it. */
interface Refusal {
  readonly status: 409 | 413 | 422 | 429;
  readonly message: MessageKey;
  /** Only with 429. */
  readonly retryAfterSeconds?: number | undefined;
  /** What the file is used for already. */
  readonly usedFor?: EvidenceKind | undefined;
}

const MINUTE_SECONDS = 60;

const REFUSALS = {
  FILE_MISSING: 422,
  SEVERAL_FILES: 422,
  UPLOAD_BROKEN: 422,
  FILE_EMPTY: 422,
  FILE_TOO_LARGE: 413,
  DOCUMENT_TOO_LARGE: 413,
  FILE_TYPE_REFUSED: 422,
  HEIC_REFUSED: 422,
  FILE_DAMAGED: 422,
  PICTURE_TOO_LARGE: 422,
  PICTURE_TOO_SMALL: 422,
  FILE_TOO_COMPLEX: 422,
  FILE_ENCRYPTED: 422,
  UPLOADS_PAUSED: 429,
  TOO_MANY_UPLOADS: 429,
  FILE_USED_ELSEWHERE: 409,
  FILE_UNCHANGED: 409,
  FILE_LIMIT_REACHED: 409,
  EVENT_LIMIT_REACHED: 409,
  STEP_OUT_OF_TURN: 409,
} as const;

/** Returns the refusal for an error, or null if the error is not about the file. */
function refusalOf(error: unknown, evidence: EvidenceKind): Refusal | null {
  const code = error instanceof FormRefused || isCountersignError(error) ? error.code : '';
  if (!isRefused(code)) return null;
  const accepted = acceptsPdf(evidence) ? 'PDF' : 'PICTURE';
  const message =
    code === 'FILE_TYPE_REFUSED' || code === 'FILE_TOO_COMPLEX' ? (`${code}_${accepted}` as const) : code;
  const status = REFUSALS[code];
  const { retryAfterSeconds, usedFor } = (isCountersignError(error) ? error.data : undefined) ?? {};
  return { status, message: `capture:refused.${message}`, retryAfterSeconds, usedFor: kindIn(usedFor?.kind) };
}

function kindIn(name: string | undefined): EvidenceKind | undefined {
  return EVIDENCE_KINDS.find((kind) => kind === name);
}

function isRefused(code: string): code is keyof typeof REFUSALS {
  return Object.hasOwn(REFUSALS, code);
}

/** Finds what was uploaded on a page. */
function uploadedOn(verification: Verification, { step, upload }: UploadScreen): Uploaded<EvidenceFile | null> {
  const { drafts, steps } = verification;
  const since = verification.status === 'action_needed' ? verification.request.requestedAt : '';
  const files = verification.files.filter((file) => file.step === step && file.kind === upload.evidence);
  const recent = files.filter(({ uploadedAt }) => uploadedAt >= since);
  const named = valueAt(drafts[step], upload.path) ?? valueAt(steps[step]?.answers, upload.path);
  const file = recent.at(-1) ?? files.find(({ id }) => id === named) ?? null;
  return {
    file,
    isFromBefore: file !== null && !recent.includes(file),
  };
}
