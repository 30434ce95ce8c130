import { type CountersignError, isCountersignError } from '@countersign/domain';
import type { ExportPage } from '@countersign/domain/exports';
import { type Context, Hono } from 'hono';
import { ErrorSummary } from '../forms/field-parts.tsx';
import { formState } from '../forms/form-state.ts';
import { createFormValues, type FormValues, readForm } from '../forms/form-values.ts';
import { keepForm, statusOfKept, takeKeptForm } from '../forms/kept-form.ts';
import { TextField } from '../forms/text-fields.tsx';
import { EncryptedLine } from '../parts/encrypted-line.tsx';
import { withAppearance } from '../site/appearance.ts';
import { untilInWords } from '../site/days.ts';
import { answerDownload } from '../site/download.ts';
import { requireAllowed } from '../site/errors.ts';
import { chosenLanguage, knownLanguage } from '../site/language.ts';
import { answerPage } from '../site/layout.tsx';
import { inLanguage, type Page, type WebEnv } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import { exportZip } from './export-zip.ts';

const CODE = 'code';

/** Only a message is kept, for the holder of the link. */
const HOLDER = 'holder';

const NOT_FOUND = 404;
const UNPROCESSABLE = 422;

/** The page on which a person downloads the copy of their data. */
export function exportRoutes(site: Site): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.onError((error, context) => {
    // The last wrong code has ended the export.
    const hasEnded =
      isCountersignError(error, 'EXPORT_NOT_FOUND') || isCountersignError(error, 'EXPORT_CODE_WRONG');
    if (hasEnded) return answerEnded(context);
    throw error;
  });
  app.get('/:link', async (context) => {
    const opened = await openPage(context, site);
    return answerForm(context, site, opened, takeKeptForm(context, site, { owner: HOLDER })?.errors);
  });
  app.post('/:link', async (context) => {
    // Counted before the form is read, and before the code is.
    const opened = await openPage(context, site);
    const values = await readForm(context);
    return download(context, site, opened, values);
  });
  return app;
}

/**
 * Opens the page of a link. Counts a valid link by export, so that others at the same address cannot block it, and an invalid one by
 * address.
 * @throws PageError 429, CountersignError `EXPORT_NOT_FOUND`
 */
async function openPage(context: Context<WebEnv, '/:link'>, { options }: Site): Promise<ExportPage> {
  const { countersign, clock, clientAddress } = options;
  const { exports, rateLimits } = countersign;
  const link = context.req.param('link');
  const opening = exports.openPage(link);
  const isInvalid = await opening.then(
    () => false,
    (error: unknown) => isCountersignError(error, 'EXPORT_NOT_FOUND'),
  );
  const decision = isInvalid
    ? rateLimits.forInvalidLink(clientAddress(context))
    : rateLimits.forSubject(exportIdIn(link));
  requireAllowed(await decision, clock.now());
  const opened = await opening;
  context.set(
    'page',
    withAppearance(context.get('page'), async () => opened.appearance),
  );
  return opened;
}

function exportIdIn(link: string): string {
  return link.slice(0, link.indexOf('.'));
}

/** Answers the right code with the zip, and a wrong one with the form. */
async function download(
  context: Context<WebEnv, '/:link'>,
  site: Site,
  opened: ExportPage,
  values: FormValues,
): Promise<Response> {
  const page = context.get('page');
  const entry = { link: context.req.param('link'), code: values.text(CODE) };
  try {
    return await answerDownload(context, site, { subject: exportIdIn(entry.link) }, async () => {
      const found = await site.options.countersign.exports.download(entry);
      return exportZip(found, inReadersLanguage(context, found.data.verification.locale));
    });
  } catch (error) {
    const problem = isCountersignError(error) ? problemOf(error, page) : null;
    if (problem === null) throw error;
    const errors = new Map([[CODE, problem]]);
    const kept = keepForm(context, site, { values: createFormValues([]), errors }, { owner: HOLDER });
    return kept ?? answerForm(context, site, opened, errors, values);
  }
}

/** The language that the person chose on a page, otherwise the one of the verification, otherwise the browser's. */
function inReadersLanguage(context: Context<WebEnv>, locale: string | undefined): Page {
  const page = context.get('page');
  return inLanguage(page, chosenLanguage(context) ?? knownLanguage(locale) ?? page.language);
}

/** Says why a code was refused; null for an error that is not about the code, and for the last wrong one. */
function problemOf({ code, data }: CountersignError, { t }: Page): string | null {
  if (code === 'INVALID_PARAMETERS') return t('exports:download.codeNeeded');
  if (code !== 'EXPORT_CODE_WRONG') return null;
  const count = data?.attemptsLeft ?? 0;
  return count === 0 ? null : t('exports:download.codeWrong', { count });
}

/** Asks for the code. Shows nothing of the person: the link alone gives no data. */
function answerForm(
  context: Context<WebEnv>,
  site: Site,
  { appearance: { name: clientName }, expiresAt }: ExportPage,
  errors: ReadonlyMap<string, string> = new Map(),
  values?: FormValues,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href, path } = page;
  const title = t('exports:download.title');
  const until = untilInWords(page, expiresAt, site.options.clock.now());
  return answerPage(
    context,
    { title, hasErrors: errors.size > 0, status: statusOfKept(context, errors.size > 0 ? UNPROCESSABLE : 200) },
    <>
      <ErrorSummary title={t('site:error.summary')} errors={errors} />
      <h1>{title}</h1>
      <p class="lead">{t('exports:download.lead', { client: clientName, until })}</p>
      <form method="post" action={href(path)} novalidate>
        <TextField
          form={formState(t, values, errors)}
          name={CODE}
          label={t('exports:download.code')}
          hint={t('exports:download.codeHint', { client: clientName })}
          autocomplete="one-time-code"
          size="medium"
        />
        <div class="next">
          <button type="submit">{t('exports:download.submit')}</button>
        </div>
      </form>
      <p>{t('exports:download.content')}</p>
      <p class="quiet">{t('exports:download.keep')}</p>
      <EncryptedLine page={page} client={clientName} />
    </>,
  );
}

/** One page for a link that is unknown, replaced or over: a guess reveals nothing. */
function answerEnded(context: Context<WebEnv>): Response | Promise<Response> {
  const { t } = context.get('page');
  const title = t('exports:download.ended.title');
  return answerPage(
    context,
    { title, status: NOT_FOUND },
    <>
      <h1>{title}</h1>
      <p class="lead">{t('exports:download.ended.text')}</p>
      <p>{t('exports:download.ended.next')}</p>
    </>,
  );
}
