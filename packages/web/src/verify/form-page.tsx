import { type Issue, invalidParameters, isCountersignError, type JsonObject } from '@countersign/domain';
import { answersSoFar, isDrafted, withValueAt } from '@countersign/domain/flows';
import type { Context } from 'hono';
import { Field } from '../forms/draw-field.tsx';
import { changedRows, fillFields, readFields, sameOrOther } from '../forms/form-answers.ts';
import { formState } from '../forms/form-state.ts';
import { type FormValues, readForm } from '../forms/form-values.ts';
import { issueMessages } from '../forms/issue-messages.ts';
import { type KeptForm, statusOfKept } from '../forms/kept-form.ts';
import { hasMessage } from '../site/messages.ts';
import type { Site } from '../site/site.ts';
import { CONSENT_VERSIONS, ConsentText } from './consent-text.tsx';
import { answerFlowPage, PageForm } from './flow-frame.tsx';
import { flowTexts, pageTitle } from './flow-texts.ts';
import { keep, takeKept } from './kept.ts';
import type { FlowPage } from './navigation.ts';
import { savePage } from './save-page.ts';
import type { VerifyEnv } from './session.ts';

/** Shows a page with what was sent and refused just now, otherwise with the answers so far. */
export function showFormPage(context: Context<VerifyEnv>, site: Site, page: FlowPage): Promise<Response> {
  const kept = takeKept(context, site);
  if (kept !== null) return answerForm(context, page, kept);
  const verification = context.get('verification');
  const { step, fields } = page;
  const isAnswered = verification.steps[step] !== undefined || isDrafted(page, verification.drafts[step]);
  const values = fillFields(fields, answersSoFar(verification, step), isAnswered);
  return answerForm(context, page, { values });
}

/** Saves a submitted page and continues, or shows the page again with messages. */
export async function takeFormPage(context: Context<VerifyEnv>, site: Site, page: FlowPage): Promise<Response> {
  const values = await readForm(context);
  const changed = changedRows(values);
  if (changed !== null) return answerAgain(context, site, page, { values: changed, errors: new Map() });

  const { language, t } = context.get('page');
  const { type } = context.get('verification');
  const version = CONSENT_VERSIONS[type];
  const input = readFields(page.fields, values);
  try {
    requireChoice(page, values);
    return await savePage(context, site, page, withPageValues(page, input, { language, version }));
  } catch (error) {
    if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
    const errors = issueMessages(flowTexts(t, page.step, type), page.fields, error.data?.issues ?? []);
    return answerAgain(context, site, page, { values: withoutEmptyRows(page, values, input), errors });
  }
}

/** Adds the values that the page supplies: the language and the version of the text that was shown. */
function withPageValues(
  { fields }: FlowPage,
  input: JsonObject,
  { language, version }: { readonly language: string; readonly version: string },
): JsonObject {
  return fields
    .filter(({ field }) => field.by === 'page')
    .reduce(
      (answers, { path, field }) => withValueAt(answers, path, field.kind === 'language' ? language : version),
      input,
    );
}

/** The choice "the same or another?" is not an answer, so the form requires it. */
function requireChoice({ fields }: FlowPage, values: FormValues): void {
  const issues: Issue[] = fields
    .filter(({ field }) => field.kind === 'group' && field.sameAs !== undefined)
    .filter(({ path }) => !/^(same|other)$/.test(values.text(sameOrOther(path))))
    .map(({ path }) => ({ path, message: 'is required', code: 'required' }));
  if (issues.length > 0) throw invalidParameters(issues);
}

/** Empty rows are dropped, so that each message stands at the row it is about. */
function withoutEmptyRows({ fields }: FlowPage, values: FormValues, input: JsonObject): FormValues {
  return hasRows(fields) ? fillFields(fields, input, true) : values;
}

function hasRows(fields: FlowPage['fields']): boolean {
  return fields.some(
    ({ field }) => field.kind === 'rows' || (field.kind === 'list' && field.each.kind === 'country'),
  );
}

function answerAgain(
  context: Context<VerifyEnv>,
  site: Site,
  page: FlowPage,
  form: KeptForm,
): Response | Promise<Response> {
  return keep(context, site, form) ?? answerForm(context, page, form);
}

async function answerForm(
  context: Context<VerifyEnv>,
  page: FlowPage,
  shown: { values: FormValues; errors?: ReadonlyMap<string, string> },
): Promise<Response> {
  const words = context.get('page');
  const { t } = words;
  const { type } = context.get('verification');
  const { slug, step, fields } = page;
  const texts = flowTexts(t, step, type);
  const form = formState(t, shown.values, shown.errors);
  const text = `verify:pages.${slug}.text`;
  const title = pageTitle(t, slug);
  // Only the consent has values that the page supplies: the version of its text and the language.
  const isConsent = fields.some(({ field }) => field.by === 'page');
  const hasNone = fields.some(
    ({ path, field }) => field.kind === 'statement' && form.values.text(path) === 'true',
  );
  const content = (
    <>
      {isConsent ? (
        <ConsentText page={words} type={type} appearance={(await words.appearance?.()) ?? null} />
      ) : null}
      {hasMessage(text) ? <p>{t(text)}</p> : null}
      <PageForm context={context} slug={slug}>
        {/* The Enter key presses this button, ahead of those that add and remove rows. */}
        <button type="submit" class="visually-hidden" tabindex={-1}>
          {t('site:continue')}
        </button>
        {fields.map(({ path, field }) => (
          <Field page={words} form={form} texts={texts} field={field} name={path} hasNone={hasNone} />
        ))}
        <div class="next">
          <button type="submit">{isConsent ? t('verify:consent.agree') : t('site:continue')}</button>
        </div>
      </PageForm>
    </>
  );
  const status = statusOfKept(context, form.errors.size > 0 ? 422 : 200);
  const scripts = hasRows(fields) ? ['htmx.js'] : [];
  return answerFlowPage(context, { title, step, slug, errors: form.errors, status, scripts }, content);
}
