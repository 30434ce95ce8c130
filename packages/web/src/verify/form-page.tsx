import { CountersignError, type Issue, isCountersignError, type JsonObject } from '@countersign/domain';
import type { Context } from 'hono';
import { readForm } from '../forms/form-body.ts';
import type { FormValues } from '../forms/form-values.ts';
import { formState } from '../forms/form-words.ts';
import { hasMessage } from '../site/messages.ts';
import type { Site } from '../site/site.ts';
import { answersSoFar, isDrafted } from './answers.ts';
import { CONSENT_VERSION, ConsentText } from './consent-text.tsx';
import { changedRows } from './fields/change-rows.ts';
import { Field } from './fields/draw-field.tsx';
import { filledIn } from './fields/filled-in.ts';
import { issueMessages } from './fields/issue-messages.ts';
import { readFields, sameOrOther } from './fields/read-field.ts';
import { answerFlowPage, PageForm } from './flow-frame.tsx';
import { keepAnswers } from './keep-answers.ts';
import type { FormPage } from './step-page.ts';
import type { VerifyEnv } from './verify-env.ts';

/** Shows a page with what was answered so far. */
export function showFormPage(context: Context<VerifyEnv>, site: Site, page: FormPage): Promise<Response> {
  const verification = context.get('verification');
  const answers = answersSoFar(verification, page.step);
  const answered = verification.steps[page.step] !== undefined || isDrafted(verification, page);
  return answerForm(context, site, page, { values: filledIn(page.fields, answers, answered) });
}

/** Takes what a page was filled in with: keeps it and goes on, or shows the page again and says what is wrong. */
export async function takeFormPage(context: Context<VerifyEnv>, site: Site, page: FormPage): Promise<Response> {
  const values = await readForm(context);
  const changed = changedRows(values);
  if (changed !== null) return answerForm(context, site, page, { values: changed });

  const { language, t } = context.get('page');
  const input = readFields(page.fields, values);
  try {
    requireChoice(page, values);
    const consent = page.intro === 'consent' ? { version: CONSENT_VERSION, locale: language } : {};
    return await keepAnswers(context, site, page, { ...input, ...consent });
  } catch (error) {
    if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
    const errors = issueMessages(t, page.fields, error.data?.issues ?? []);
    return answerForm(context, site, page, { values: compacted(page, values, input), errors });
  }
}

/** Whether an address is the same as another one is no field of the answers, so it is asked for here. */
function requireChoice({ fields }: FormPage, values: FormValues): void {
  const issues: Issue[] = fields
    .filter(({ as, name }) => as === 'other_address' && !/^(same|other)$/.test(values.text(sameOrOther(name))))
    .map(({ name }) => ({ path: name, message: 'needed', code: 'required' }));
  if (issues.length > 0)
    throw new CountersignError('INVALID_PARAMETERS', 'A choice is needed', { data: { issues } });
}

/** Rows that were left empty are not there any more, so that each message stands at the row it is about. */
function compacted({ fields }: FormPage, values: FormValues, input: JsonObject): FormValues {
  const hasRows = fields.some(({ as }) => as === 'rows' || as === 'countries');
  return hasRows ? filledIn(fields, input, true) : values;
}

async function answerForm(
  context: Context<VerifyEnv>,
  site: Site,
  page: FormPage,
  shown: { values: FormValues; errors?: ReadonlyMap<string, string> },
): Promise<Response> {
  const words = context.get('page');
  const { t } = words;
  const { slug, step, fields, intro } = page;
  const form = formState(t, shown.values, shown.errors);
  const text = `verify:pages.${slug}.text`;
  const title = t(`verify:pages.${slug}.title`);
  const content = (
    <>
      {intro === 'consent' ? <ConsentText page={words} client={await clientName(context, site)} /> : null}
      {hasMessage(text) ? <p>{t(text)}</p> : null}
      <PageForm context={context} slug={slug}>
        {/* What the Enter key presses, ahead of the buttons that add and remove rows. */}
        <button type="submit" class="visually-hidden" tabindex={-1}>
          {t('site:continue')}
        </button>
        {fields.map((field) => (
          <Field page={words} form={form} field={field} />
        ))}
        <button type="submit">{intro === 'consent' ? t('verify:consent.agree') : t('site:continue')}</button>
      </PageForm>
    </>
  );
  const status = form.errors.size > 0 ? 422 : 200;
  const scripts = fields.some(({ as }) => as === 'rows' || as === 'countries') ? ['htmx.js'] : [];
  return answerFlowPage(context, { title, step, slug, errors: form.errors, status, scripts }, content);
}

/** For whom it is all asked; null where it cannot be told. */
async function clientName(context: Context<VerifyEnv>, { options }: Site): Promise<string | null> {
  try {
    const { client } = await options.countersign.clients.get(context.get('verification').clientId);
    return client.name;
  } catch (error) {
    if (isCountersignError(error, 'CLIENT_NOT_FOUND')) return null;
    throw error;
  }
}
