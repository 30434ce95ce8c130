import {
  type CountersignError,
  type ErrorCode,
  type Issue,
  isCountersignError,
  type JsonObject,
} from '@countersign/domain';
import { type Action, type ActionEntry, isAvailable } from '@countersign/domain/actions';
import { isWithin, type PlacedField } from '@countersign/domain/flows';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { EnterButton, Field, type FieldProps } from '../forms/draw-field.tsx';
import { ErrorSummary } from '../forms/field-parts.tsx';
import { changedForm, fillFields, readFields } from '../forms/form-answers.ts';
import { formState } from '../forms/form-state.ts';
import { type FormValues, readForm } from '../forms/form-values.ts';
import { inPageOrder, issueMessages } from '../forms/issue-messages.ts';
import { type KeptForm, keepForm, statusOfKept, takeKeptForm } from '../forms/kept-form.ts';
import { Notice } from '../parts/blocks.tsx';
import { CancelButton, type Link, LinkTo } from '../parts/page-parts.tsx';
import { PageError } from '../site/errors.ts';
import { momentInWords } from '../site/formats.ts';
import type { Page } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import { answerStaffPage, redirectTo, type StaffEnv, withAreaQuery } from '../staff/area.tsx';
import { answerNotAllowed, recordRefusal, toConfirm } from '../staff/refusals.tsx';
import { actionTexts } from './action-texts.ts';

/** The page of one action: what it is about, its form, and what follows. Everything else comes from the entry. */
export interface ActionPage<I, O, S = undefined> {
  readonly action: Action<I, O>;
  /** Path below the routes it is mounted on. Its parameters fill the `by: 'page'` fields: `/:userId/role`. */
  readonly path: string;
  /** The page that the user returns to. */
  readonly back: Link | ((subject: S) => Link);
  /**
   * Loads what the action is about. A form that succeeds loads it only for `shows` and `complete`.
   * @throws CountersignError when it is not found
   */
  readonly load?: (context: Context<StaffEnv>, params: Readonly<Record<string, string>>) => Promise<S>;
  /** Shows what the action is about. */
  readonly about?: (subject: S, page: Page) => Child;
  /** Shown above the form, beside the text `explain`. */
  readonly intro?: (subject: S, page: Page) => Child;
  /** Replaces the texts `explain` and `intro` where users receive their one-time links by e-mail. */
  readonly mailed?: (subject: S, page: Page) => string;
  /** What the form holds at first. */
  readonly initial?: (subject: S, context: Context<StaffEnv>) => JsonObject;
  /** Why there is no form now: the subject's state, the caller's own account. */
  readonly closed?: (subject: S, context: Context<StaffEnv>) => string | null;
  /** The fields that the form shows. Default: every field that no page supplies. */
  readonly shows?: readonly string[] | ((subject: S) => readonly string[]);
  /** Completes what was typed before it is sent: with values that follow from the subject or from other controls. */
  readonly complete?: (
    typed: JsonObject,
    values: FormValues,
    subject: () => Promise<S>,
  ) => JsonObject | Promise<JsonObject>;
  /** Controls that replace those of the field's kind. */
  readonly controls?: Readonly<Record<string, FC<FieldProps & { subject: S }>>>;
  /** Fields beside which a refusal is shown, by outcome. Other refusals are shown above the form. */
  readonly fieldOf?: Readonly<Partial<Record<ErrorCode, string>>>;
  /** Messages by field that replace those of the issues: what only the page can explain. */
  readonly findings?: (issues: readonly Issue[], values: FormValues, page: Page) => ReadonlyMap<string, string>;
  /** A page that helps after a refusal. */
  readonly help?: (refusal: CountersignError) => Link | null;
  /** Buttons beside the one that runs the action. */
  readonly buttons?: (page: Page) => Child;
  /** Whether a button of `buttons` sent the form: the page shows what was typed and `below`, and the action does not run. */
  readonly isPreview?: (values: FormValues) => boolean;
  /** Shown below the form, from what it holds. */
  readonly below?: (subject: S, values: FormValues, page: Page) => Child;
  /** Stylesheets in assets/, beside those of the area. */
  readonly styles?: readonly string[];
  /** Stylesheets for it (`PageParts.sheets`). */
  readonly sheets?: (subject: S, values: FormValues) => readonly string[];
  /** Whether the button warns that something ends. */
  readonly isDangerous?: true;
  /** Returns the path to redirect to, or answers with a page: with a value that is shown once. */
  readonly done: (
    result: O,
    context: Context<StaffEnv>,
    input: JsonObject,
    values: FormValues,
  ) => string | Response | Promise<string | Response>;
}

/** Mounts the pages of actions on the routes of an area, in place of those that are drawn from an entry alone. */
export function actionPages(routes: Hono<StaffEnv>, site: Site): <I, O, S>(page: ActionPage<I, O, S>) => void {
  return (page) => {
    site.actionPages.add(page.action.id);
    mountPage(routes, page);
  };
}

/** Mounts a page and its form, which is posted to the page's own address. */
export function mountPage<I, O, S>(routes: Hono<StaffEnv>, page: ActionPage<I, O, S>): void {
  routes.get(page.path, async (context) => {
    if (needsMissing(context, page.action)) throw new PageError(404);
    const may = context.get('as').may(page.action);
    if (may === 'no') return refuseByRole(context);
    const subject = await subjectOf(context, page)();
    if (closedBy(context, page, subject) === null && may === 'after_confirmation') return toConfirm(context);
    const owner = context.get('user').id;
    const kept = takeKeptForm<KeptRefusal>(context, context.get('site'), { owner });
    if (kept !== null) return answerActionPage(context, page, { subject, ...shownAgain(kept) });
    const fields = fieldsOnPage(page, subject);
    const values = fillFields(fields, page.initial?.(subject, context) ?? {}, true);
    return answerActionPage(context, page, { subject, values });
  });

  routes.post(page.path, async (context) => {
    if (needsMissing(context, page.action)) throw new PageError(404);
    if (context.get('as').may(page.action) === 'no') return refuseByRole(context);
    const values = await readForm(context);
    const subject = subjectOf(context, page);
    const changed = changedForm(values);
    if (changed !== null || page.isPreview?.(values)) {
      const shown = changed ?? values;
      return (
        keptFor(context, shown) ?? answerActionPage(context, page, { subject: await subject(), values: shown })
      );
    }
    const fields = typeof page.shows === 'function' ? fieldsOnPage(page, await subject()) : fieldsOnPage(page);
    const typed = readFields(fields, values);
    const completed = (await page.complete?.(typed, values, subject)) ?? typed;
    const input = { ...completed, ...pageInput(context, page), ...keyOf(page.action, values) };
    let result: O;
    try {
      result = await context.get('as').runUnchecked(page.action, input);
    } catch (error) {
      if (!isCountersignError(error)) throw error;
      const refusal = refusalOf(context, page, { fields, values }, error);
      if (refusal === null) throw error;
      const kept = keptFor(context, values, refusal);
      if (kept !== null) return kept;
      return answerActionPage(context, page, { subject: await subjectOf(context, page)(), values, refusal });
    }
    const next = await page.done(result, context, input, values);
    return typeof next === 'string' ? redirectTo(context, withAreaQuery(context, next)) : next;
  });
}

/** Returns what the action is about, loaded once and only if asked. */
function subjectOf<I, O, S>(context: Context<StaffEnv>, { load }: ActionPage<I, O, S>): () => Promise<S> {
  let loaded: Promise<S> | undefined;
  return () => {
    // Without `load`, `S` is undefined.
    loaded ??= load === undefined ? Promise.resolve(undefined as S) : load(context, context.req.param());
    return loaded;
  };
}

function closedBy<I, O, S>(context: Context<StaffEnv>, page: ActionPage<I, O, S>, subject: S): string | null {
  return page.closed?.(subject, context) ?? null;
}

/** The fields that the user fills in. Without a subject, those that every subject has. */
function fieldsOnPage<I, O, S>({ action, shows }: ActionPage<I, O, S>, subject?: S): readonly PlacedField[] {
  const shown = typeof shows === 'function' ? shows(subject as S) : shows;
  return placed(action)
    .filter(({ field }) => field.by === undefined || field.by === 'subject')
    .filter(({ key }) => shown === undefined || shown.includes(key));
}

function placed({ fields }: ActionEntry): readonly PlacedField[] {
  return Object.entries(fields).map(([key, field]) => ({ path: key, key, field }));
}

/** The values that the page's address supplies. */
function pageInput<I, O, S>(context: Context<StaffEnv>, { action }: ActionPage<I, O, S>): JsonObject {
  const params: Readonly<Record<string, string>> = context.req.param();
  return Object.fromEntries(Object.entries(params).filter(([key]) => action.fields[key]?.by === 'page'));
}

/** The `id` of the form, for controls that stand outside of it. */
export const ACTION_FORM_ID = 'action-form';

/** Name of the hidden field that makes a form run its action once, if the action takes an idempotency key. */
const FORM_ID = 'formId';
const FORM_ID_BYTES = 16;

/** The idempotency key of a form. A form id that no page made is refused. */
function keyOf({ fields }: ActionEntry, values: FormValues): JsonObject {
  if (fields.idempotencyKey === undefined) return {};
  const id = formIdIn(values);
  return { idempotencyKey: id === null ? null : `dashboard-form:${id}` };
}

function formIdIn(values: FormValues): string | null {
  const id = values.raw(FORM_ID);
  return /^[0-9a-f]{32}$/.test(id) ? id : null;
}

interface Refusal {
  readonly code: ErrorCode;
  readonly status: 409 | 422;
  readonly errors: ReadonlyMap<string, string>;
  readonly notice?: string;
  readonly help: Link | null;
}

/** The part of a refusal that is kept beside the messages of fields. */
type KeptRefusal = Omit<Refusal, 'errors'>;

/** Keeps what was typed, and why it was refused, for the page of the form. Null if it is answered directly. */
function keptFor(context: Context<StaffEnv>, values: FormValues, refusal?: Refusal): Response | null {
  const { errors, ...more } = refusal ?? { errors: new Map<string, string>() };
  const form = { values, errors, more: refusal === undefined ? undefined : more };
  const query = withAreaQuery(context, '');
  return keepForm(context, context.get('site'), form, { owner: context.get('user').id, query });
}

function shownAgain({ values, errors, more }: KeptForm<KeptRefusal>): { values: FormValues; refusal?: Refusal } {
  return { values, ...(more !== undefined && { refusal: { ...more, errors } }) };
}

/** What the page says about an expected refusal; null for everything that the area answers. */
function refusalOf<I, O, S>(
  context: Context<StaffEnv>,
  { action, fieldOf, findings, help }: ActionPage<I, O, S>,
  { fields, values }: { readonly fields: readonly PlacedField[]; readonly values: FormValues },
  error: CountersignError,
): Refusal | null {
  const { code, data } = error;
  const page = context.get('page');
  const texts = actionTexts(page.t, action);
  const about = { code, help: help?.(error) ?? null };
  if (code === 'INVALID_PARAMETERS') {
    const issues = data?.issues ?? [];
    const isShown = (issue: Issue): boolean => fields.some(({ path }) => isWithin(issue.path, path));
    const messages = issueMessages(texts, fields, issues.filter(isShown));
    const errors = inPageOrder(fields, new Map([...messages, ...(findings?.(issues, values, page) ?? [])]));
    // No control of the form belongs to these issues, so nothing can link to it.
    const others = issueMessages(
      texts,
      placed(action),
      issues.filter((issue) => !isShown(issue)),
    );
    const notice = [...new Set(others.values())].join('. ');
    return { ...about, status: 422, errors, ...(notice !== '' && { notice }) };
  }
  if (!action.outcomes.includes(code)) return null;
  const field = fieldOf?.[code];
  const retryAt = data?.retryAt;
  const text = texts.outcome(
    code,
    retryAt === undefined ? {} : { retryAt: momentInWords(new Date(retryAt), page.language) },
  );
  if (field !== undefined) return { ...about, status: 409, errors: new Map([[field, text]]) };
  return isAnsweredByArea(code) ? null : { ...about, status: 409, errors: new Map(), notice: text };
}

/** Whether an outcome gets the area's own page instead of the form: 404, 429. */
export function isAnsweredByArea(code: ErrorCode): boolean {
  return code.endsWith('_NOT_FOUND') || code === 'RATE_LIMIT_EXCEEDED';
}

function answerActionPage<I, O, S>(
  context: Context<StaffEnv>,
  page: ActionPage<I, O, S>,
  shown: { readonly subject: S; readonly values: FormValues; readonly refusal?: Refusal },
): Response | Promise<Response> {
  const { subject, values, refusal } = shown;
  const words = context.get('page');
  const { t, href, path } = words;
  const texts = actionTexts(t, page.action);
  const form = formState(t, values, refusal?.errors);
  const closed = closedBy(context, page, subject);
  const notice = refusal?.notice ?? closed ?? undefined;
  const help = refusal?.help ?? null;
  const back = typeof page.back === 'function' ? page.back(subject) : page.back;
  return answerStaffPage(
    context,
    {
      title: texts.title,
      back,
      hasErrors: refusal !== undefined,
      status: statusOfKept(context, refusal?.status),
      styles: page.styles,
      sheets: page.sheets?.(subject, values),
    },
    <>
      <ErrorSummary title={t('site:error.summary')} errors={form.errors} />
      <h1>{texts.title}</h1>
      {page.about === undefined ? null : <p>{page.about(subject, words)}</p>}
      {notice === undefined ? null : (
        <Notice tone="warn" role={refusal === undefined ? undefined : 'alert'}>
          {notice}
        </Notice>
      )}
      {help === null ? null : <LinkTo {...help} page={words} />}
      {closed === null ? (
        <form
          id={ACTION_FORM_ID}
          method="post"
          action={href(withAreaQuery(context, path))}
          class="narrow-form"
          novalidate
        >
          {fieldsOnPage(page, subject).some(({ field }) => field.kind === 'rows') ? (
            <EnterButton label={texts.submit} />
          ) : null}
          <FormId context={context} page={page} values={values} refusal={refusal} />
          {page.mailed !== undefined && context.get('site').mailsUsers ? (
            <p>{page.mailed(subject, words)}</p>
          ) : (
            <>
              {texts.explain === undefined ? null : <p>{texts.explain}</p>}
              {page.intro?.(subject, words)}
            </>
          )}
          {fieldsOnPage(page, subject).map(({ path: name, field }) => {
            const Control = page.controls?.[name];
            const props = { page: words, form, texts, field, name, isAboutOther: true };
            return Control === undefined ? <Field {...props} /> : <Control {...props} subject={subject} />;
          })}
          <div class="buttons">
            <button type="submit" class={page.isDangerous ? 'danger' : undefined}>
              {texts.submit}
            </button>
            {page.buttons?.(words)}
            <CancelButton path={withAreaQuery(context, back.path)} page={words} />
          </div>
        </form>
      ) : null}
      {page.below?.(subject, values, words)}
    </>,
  );
}

/** Keeps the form id while the form is corrected; a form that has run its action gets a new one. */
function FormId<I, O, S>(props: {
  context: Context<StaffEnv>;
  page: ActionPage<I, O, S>;
  values: FormValues;
  refusal: Refusal | undefined;
}): Child {
  const { context, page, values, refusal } = props;
  if (page.action.fields.idempotencyKey === undefined) return null;
  const isKept = refusal !== undefined && refusal.code !== 'IDEMPOTENCY_KEY_REUSED';
  const kept = isKept ? formIdIn(values) : null;
  const id = kept ?? context.get('site').options.secrets.randomHex(FORM_ID_BYTES);
  return <input type="hidden" name={FORM_ID} value={id} />;
}

/** Guards a page without a form by the action that it runs or leads to. */
export function requireAction(action: ActionEntry): MiddlewareHandler<StaffEnv> {
  return async (context, next) => {
    if (needsMissing(context, action)) throw new PageError(404);
    if (context.get('as').may(action) === 'no') return refuseByRole(context);
    await next();
    return;
  };
}

/** Whether an action needs a part that the storage lacks. */
function needsMissing(context: Context<StaffEnv>, action: ActionEntry): boolean {
  return !isAvailable(action, context.get('site').parts);
}

/** Refuses a page or a form, and records the request. */
async function refuseByRole(context: Context<StaffEnv>): Promise<Response> {
  await recordRefusal(context, context.get('as'), 'role');
  return answerNotAllowed(context);
}
