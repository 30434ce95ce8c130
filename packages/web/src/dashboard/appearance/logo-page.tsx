import { isCountersignError } from '@countersign/domain';
import { changeLogo, getOwnAppearance } from '@countersign/domain/actions';
import type { Upload } from '@countersign/domain/evidence';
import type { Context, Hono } from 'hono';
import { requireAction } from '../../actions/action-page.tsx';
import { actionTexts } from '../../actions/action-texts.ts';
import { ErrorSummary } from '../../forms/field-parts.tsx';
import { createFormValues, type FormValues } from '../../forms/form-values.ts';
import { keepForm, statusOfKept, takeKeptForm } from '../../forms/kept-form.ts';
import { drainUnread, FormRefused, receiveFormFile, wasReadWhole } from '../../forms/receive-file.ts';
import { Notice } from '../../parts/blocks.tsx';
import type { Site } from '../../site/site.ts';
import { answerStaffPage, redirectTo, type StaffEnv } from '../../staff/area.tsx';
import { beginUpload } from '../../staff/gate.ts';
import { toConfirm } from '../../staff/refusals.tsx';
import { APPEARANCE_PATH, SETTINGS_PATH } from '../paths.ts';
import { standardColour, toUnsavedDetails, unsavedDetails } from './details-form.ts';
import { LOGO_FIELD, LogoForm } from './logo-form.tsx';

const UNPROCESSABLE = 422;
const TOO_LARGE = 413;
const TOO_MANY = 429;

/** Mounts the page on which owners upload a logo. */
export function mountLogoPage(routes: Hono<StaffEnv>, site: Site): void {
  site.actionPages.add(changeLogo.id);
  const standard = standardColour(site);
  /** The details that were sent beside the logo and are not saved; null if there are none. */
  async function unsavedIn(context: Context<StaffEnv>, sent: readonly Field[]): Promise<FormValues | null> {
    const appearance = await context.get('as').run(getOwnAppearance, {});
    return unsavedDetails(createFormValues(sent), appearance, standard);
  }
  routes.post('/logo', drainUnread);
  routes.use('/logo', requireAction(changeLogo));
  routes.get('/logo', (context) => {
    if (context.get('as').may(changeLogo) === 'after_confirmation') return toConfirm(context);
    const { values, errors } = takeKeptForm(context, site, { owner: context.get('user').id }) ?? {};
    return askForLogo(context, { errors, details: values?.names.length ? values : null });
  });
  routes.post('/logo', async (context) => {
    const sent: Field[] = [];
    try {
      await takeLogo(context, site, (name, value) => void sent.push([name, value]));
    } catch (error) {
      const refusal = refusalOf(context, error);
      if (refusal === null) throw error;
      if (error instanceof FormRefused) await recordBrokenForm(context, error);
      const errors = new Map([[LOGO_FIELD, refusal.message]]);
      const details = await unsavedIn(context, sent);
      const form = { values: details ?? createFormValues([]), errors };
      const owner = context.get('user').id;
      const kept = wasReadWhole(context.req.raw) ? keepForm(context, site, form, { owner }) : null;
      return kept ?? askForLogo(context, { errors, details, refusal });
    }
    const details = await unsavedIn(context, sent);
    if (details === null) return redirectTo(context, `${SETTINGS_PATH}?done=logo`);
    return toUnsavedDetails(context, site, details, 'logo') ?? askForLogo(context, { details });
  });
}

type Field = readonly [name: string, value: string];

/** Passes the file on while it arrives. */
async function takeLogo(
  context: Context<StaffEnv>,
  site: Site,
  onField: (...field: Field) => void,
): Promise<void> {
  const { may, run } = context.get('as');
  // Refuses before the file is read, and leaves an entry.
  if (may(changeLogo) !== 'yes') await run(changeLogo, { upload: NO_UPLOAD });
  const end = await beginUpload(context.get('session'), site);
  try {
    const request = context.req.raw;
    const requireSender = (): void => {
      if (request.signal.aborted) throw new FormRefused('UPLOAD_BROKEN');
    };
    const take = (content: Upload['content']) => run(changeLogo, { upload: { content, requireSender } });
    await receiveFormFile(request, take, { onField });
  } finally {
    end();
  }
}

/** Records a form whose file never reached the action. */
async function recordBrokenForm(context: Context<StaffEnv>, { code }: FormRefused): Promise<void> {
  await context.get('as').recordRefusal({ action: changeLogo.id, detail: { code } });
}

const NO_UPLOAD: Upload = { content: { [Symbol.asyncIterator]: () => ({ next: async () => DONE }) } };
const DONE = { done: true, value: undefined } as const;

interface Refusal {
  readonly status: typeof UNPROCESSABLE | typeof TOO_LARGE | typeof TOO_MANY;
  readonly message: string;
  readonly retryAfterSeconds: number;
}

/** Returns why the file was refused, or null if the error is not about the file. */
function refusalOf(context: Context<StaffEnv>, error: unknown): Refusal | null {
  const { t } = context.get('page');
  if (error instanceof FormRefused) {
    return { status: UNPROCESSABLE, message: t(`capture:refused.${error.code}`), retryAfterSeconds: 0 };
  }
  if (!isCountersignError(error)) return null;
  const { code, data } = error;
  const retryAfterSeconds = data?.retryAfterSeconds ?? 0;
  if (code === 'TOO_MANY_UPLOADS') {
    return { status: TOO_MANY, message: t('capture:refused.TOO_MANY_UPLOADS'), retryAfterSeconds };
  }
  if (!changeLogo.outcomes.includes(code)) return null;
  const status = code === 'FILE_TOO_LARGE' ? TOO_LARGE : code === 'UPLOADS_PAUSED' ? TOO_MANY : UNPROCESSABLE;
  return { status, message: actionTexts(t, changeLogo).outcome(code), retryAfterSeconds };
}

interface Asking {
  readonly errors?: ReadonlyMap<string, string> | undefined;
  readonly details: FormValues | null;
  readonly refusal?: Refusal | undefined;
}

function askForLogo(
  context: Context<StaffEnv>,
  { errors = new Map(), details, refusal }: Asking,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t } = page;
  const texts = actionTexts(t, changeLogo);
  const wait = refusal?.retryAfterSeconds ?? 0;
  return answerStaffPage(
    context,
    {
      title: texts.title,
      // A link would lose the details. A button of the form leads back with them.
      ...(details === null && { back: { path: APPEARANCE_PATH, label: 'dashboard:settings.appearance' } }),
      hasErrors: errors.size > 0,
      status: statusOfKept(context, refusal?.status),
      headers: wait > 0 ? { 'Retry-After': String(wait) } : undefined,
    },
    <>
      <ErrorSummary title={t('site:error.summary')} errors={errors} />
      <h1>{texts.title}</h1>
      {details === null ? null : <Notice>{t('dashboard:appearance.detailsUnsaved')}</Notice>}
      <LogoForm page={page} errors={errors} details={details} />
    </>,
  );
}
