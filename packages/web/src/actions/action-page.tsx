import {
  type Action,
  type ActionEntry,
  type ErrorCode,
  isCountersignError,
  type JsonObject,
  type PlacedField,
} from '@countersign/domain';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { Field } from '../fields/draw-field.tsx';
import type { FieldProps } from '../fields/draw-group.tsx';
import { fillFields, readFields } from '../fields/form-answers.ts';
import { issueMessages } from '../fields/issue-messages.ts';
import { ErrorSummary } from '../forms/error-summary.tsx';
import { readForm } from '../forms/form-body.ts';
import type { FormValues } from '../forms/form-values.ts';
import { formState } from '../forms/form-words.ts';
import type { PageParts } from '../site/layout.tsx';
import type { MessageKey } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import { toConfirm } from '../staff/confirmed.ts';
import { answerForbidden } from '../staff/forbidden-page.tsx';
import { noteRefusal } from '../staff/note-refusal.ts';
import type { StaffEnv } from '../staff/staff-env.ts';
import { actionTexts } from './action-texts.ts';

/** Answers with a page of an area, such as the dashboard: its navigation around the content. */
export type AnswerAreaPage = (
  context: Context<StaffEnv>,
  site: Site,
  parts: PageParts,
  content: Child,
) => Response | Promise<Response>;

/** The page of one action: what it is about, its form, and what follows. Everything else comes from the entry. */
export interface ActionPage<I, O, S = undefined> {
  readonly action: Action<I, O>;
  /** Path below the routes it is mounted on. Its parameters fill the `by: 'page'` fields: `/:userId/role`. */
  readonly path: string;
  /** The page that the reader returns to. */
  readonly back: { readonly path: (subject: S) => string; readonly label: MessageKey };
  /** Loads what the action is about. @throws CountersignError when it is not found */
  readonly load?: (context: Context<StaffEnv>, params: Readonly<Record<string, string>>) => Promise<S>;
  /** Shows what the action is about. */
  readonly about?: (subject: S, page: Page) => Child;
  /** Shown above the form, beside the text `explain`. */
  readonly intro?: (subject: S, page: Page) => Child;
  /** What the form holds at first. */
  readonly initial?: (subject: S, context: Context<StaffEnv>) => JsonObject;
  /** Why there is no form now: the subject's state, the caller's own account. */
  readonly closed?: (subject: S, context: Context<StaffEnv>) => string | null;
  /** The fields that the form shows, where they depend on the subject. Default: every field that no page supplies. */
  readonly shows?: (subject: S) => readonly string[];
  /** Completes what was typed before it is sent: with values that follow from the subject. */
  readonly complete?: (typed: JsonObject, subject: S, values: FormValues) => JsonObject;
  /** Controls that replace those of the field's kind. */
  readonly controls?: Readonly<Record<string, FC<FieldProps & { subject: S }>>>;
  /** Fields beside which a refusal is shown, by outcome. Other refusals are shown above the form. */
  readonly fieldOf?: Readonly<Partial<Record<ErrorCode, string>>>;
  /** Whether the button warns that something ends. */
  readonly isDangerous?: true;
  /** Answers when it is done: a redirect, or a page with a value that is shown once. */
  readonly done: (context: Context<StaffEnv>, site: Site, result: O, subject: S) => Response | Promise<Response>;
}

/** Mounts the page of an action, in place of the one that is drawn from its entry alone. */
export function mountActionPage<I, O, S>(
  routes: Hono<StaffEnv>,
  site: Site,
  answerArea: AnswerAreaPage,
  page: ActionPage<I, O, S>,
): void {
  site.actionPages.add(page.action.id);
  mountPage(routes, site, answerArea, page);
}

/** Mounts a page and its form, which is posted to the page's own address. */
export function mountPage<I, O, S>(
  routes: Hono<StaffEnv>,
  site: Site,
  answerArea: AnswerAreaPage,
  page: ActionPage<I, O, S>,
): void {
  routes.get(page.path, async (context) => {
    const may = context.get('as').may(page.action);
    if (may === 'no') return refuseByRole(context, site);
    const subject = await subjectOf(context, page);
    if (isClosed(context, page, subject) === null && may === 'after_confirmation') return toConfirm(context, site);
    const values = fillFields(fieldsOnPage(page, subject), page.initial?.(subject, context) ?? {}, true);
    return answerActionPage(context, site, answerArea, page, { subject, values });
  });

  routes.post(page.path, async (context) => {
    if (context.get('as').may(page.action) === 'no') return refuseByRole(context, site);
    const values = await readForm(context);
    const subject = await subjectOf(context, page);
    const typed = readFields(fieldsOnPage(page, subject), values);
    const input = { ...(page.complete?.(typed, subject, values) ?? typed), ...pageInput(context, page) };
    let result: O;
    try {
      result = await context.get('as').runUnchecked(page.action, input);
    } catch (error) {
      const refusal = refusalOf(context, page, subject, error);
      if (refusal === null) throw error;
      const now = refusal.status === 409 ? await subjectOf(context, page) : subject;
      return answerActionPage(context, site, answerArea, page, { subject: now, values, ...refusal });
    }
    return page.done(context, site, result, subject);
  });
}

async function subjectOf<I, O, S>(context: Context<StaffEnv>, { load }: ActionPage<I, O, S>): Promise<S> {
  // Without `load`, `S` is undefined.
  return load === undefined ? (undefined as S) : load(context, context.req.param());
}

function isClosed<I, O, S>(context: Context<StaffEnv>, page: ActionPage<I, O, S>, subject: S): string | null {
  return page.closed?.(subject, context) ?? null;
}

/** The fields that the person fills in. */
function fieldsOnPage<I, O, S>({ action, shows }: ActionPage<I, O, S>, subject: S): readonly PlacedField[] {
  const shown = shows?.(subject);
  return Object.entries(action.fields)
    .filter(([, field]) => field.by === undefined || field.by === 'subject')
    .filter(([key]) => shown === undefined || shown.includes(key))
    .map(([key, field]) => ({ path: key, key, field }));
}

/** The values that the page's address supplies. */
function pageInput<I, O, S>(context: Context<StaffEnv>, { action }: ActionPage<I, O, S>): JsonObject {
  const params: Readonly<Record<string, string>> = context.req.param();
  return Object.fromEntries(Object.entries(params).filter(([key]) => action.fields[key]?.by === 'page'));
}

interface Refusal {
  readonly status: 409 | 422;
  readonly errors: ReadonlyMap<string, string>;
  readonly notice?: string;
}

/** What the page says about an expected refusal; null for everything that the pages around it answer. */
function refusalOf<I, O, S>(
  context: Context<StaffEnv>,
  page: ActionPage<I, O, S>,
  subject: S,
  error: unknown,
): Refusal | null {
  if (!isCountersignError(error)) return null;
  const texts = actionTexts(context.get('page').t, page.action);
  if (error.code === 'INVALID_PARAMETERS') {
    return { status: 422, errors: issueMessages(texts, fieldsOnPage(page, subject), error.data?.issues ?? []) };
  }
  const field = page.fieldOf?.[error.code];
  if (!page.action.outcomes.includes(error.code)) return null;
  if (field === undefined && isAnsweredByArea(error.code)) return null;
  const text = texts.outcome(error.code);
  return field === undefined
    ? { status: 409, errors: new Map(), notice: text }
    : { status: 409, errors: new Map([[field, text]]) };
}

/** Whether an outcome gets the area's own page instead of the form: 404, 429. */
export function isAnsweredByArea(code: ErrorCode): boolean {
  return code.endsWith('_NOT_FOUND') || code === 'RATE_LIMIT_EXCEEDED';
}

function answerActionPage<I, O, S>(
  context: Context<StaffEnv>,
  site: Site,
  answerArea: AnswerAreaPage,
  page: ActionPage<I, O, S>,
  shown: { readonly subject: S; readonly values: FormValues } & Partial<Refusal>,
): Response | Promise<Response> {
  const { subject, values, errors = new Map(), status } = shown;
  const words = context.get('page');
  const { t, href, path } = words;
  const texts = actionTexts(t, page.action);
  const form = formState(t, values, errors);
  const closed = isClosed(context, page, subject);
  const notice = shown.notice ?? closed ?? undefined;
  return answerArea(
    context,
    site,
    { title: texts.title, hasErrors: status !== undefined, status: status ?? 200 },
    <>
      {errors.size > 0 ? <ErrorSummary title={t('site:error.summary')} errors={errors} /> : null}
      <h1>{texts.title}</h1>
      {page.about === undefined ? null : <p>{page.about(subject, words)}</p>}
      {notice === undefined ? null : (
        <p class="notice warn" role={status === undefined ? undefined : 'alert'}>
          {notice}
        </p>
      )}
      {closed === null ? (
        <form method="post" action={href(path)} class="narrow-form" novalidate>
          {texts.explain === undefined ? null : <p>{texts.explain}</p>}
          {page.intro?.(subject, words)}
          {fieldsOnPage(page, subject).map(({ path: name, field }) => {
            const Control = page.controls?.[name];
            const props = { page: words, form, texts, field, name, isAboutOther: true };
            return Control === undefined ? <Field {...props} /> : <Control {...props} subject={subject} />;
          })}
          <div class="buttons">
            <button type="submit" class={page.isDangerous ? 'danger' : undefined}>
              {texts.submit}
            </button>
            <a href={href(page.back.path(subject))}>{t(page.back.label)}</a>
          </div>
        </form>
      ) : (
        <p>
          <a href={href(page.back.path(subject))}>{t(page.back.label)}</a>
        </p>
      )}
    </>,
  );
}

/** Guards a page without a form by the action that it runs or leads to. */
export function requireAction(site: Site, action: ActionEntry): MiddlewareHandler<StaffEnv> {
  return async (context, next) => {
    if (context.get('as').may(action) === 'no') return refuseByRole(context, site);
    await next();
    return;
  };
}

/** Refuses a page or a form, and records the request. */
async function refuseByRole(context: Context<StaffEnv>, site: Site): Promise<Response> {
  await noteRefusal(context, context.get('as'), 'role');
  return answerNotAllowed(context, site);
}

function answerNotAllowed(context: Context<StaffEnv>, site: Site): Response | Promise<Response> {
  return answerForbidden(context, site, context.get('user'), {
    title: 'staff:notAllowed.title',
    text: 'staff:notAllowed.text',
  });
}
