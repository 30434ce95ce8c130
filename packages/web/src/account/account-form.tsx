import type { As } from '@countersign/domain';
import type { AccountActions } from '@countersign/domain/actions';
import {
  type Accounts,
  type CookieChange,
  lacksSecondFactor,
  PASSWORD_MIN,
  type SignInOutcome,
  type StaffSession,
  type Throttled,
  type Visitor,
} from '@countersign/domain/staff';
import type { Context, Handler } from 'hono';
import type { Child } from 'hono/jsx';
import { ErrorSummary } from '../forms/field-parts.tsx';
import { formState } from '../forms/form-state.ts';
import { createFormValues, type FormValues, readForm } from '../forms/form-values.ts';
import { keepForm, statusOfKept, takeKeptForm } from '../forms/kept-form.ts';
import { TextField, type TextFieldProps } from '../forms/text-fields.tsx';
import { CancelButton, type Link } from '../parts/page-parts.tsx';
import { answerPage, type PageParts } from '../site/layout.tsx';
import type { MessageKey } from '../site/messages.ts';
import type { Page, WebEnv } from '../site/page.ts';
import { isOwnPath } from '../site/paths.ts';
import type { Site } from '../site/site.ts';
import { answerStaffPage, areaOf, enterArea, redirectTo, type StaffAreas, type StaffEnv } from '../staff/area.tsx';
import { countRequest, isNotRead, visitorOf } from '../staff/gate.ts';
import { recordRefusal } from '../staff/refusals.tsx';

/** A site with accounts. */
export interface AccountSite extends Site {
  readonly accounts: Accounts;
  readonly areas: StaffAreas;
}

/** Redirects to the signed-in user's area. */
export const ACCOUNT_PATH = '/account';
export const SIGN_IN_PATH = '/account/sign-in';
export const SECOND_FACTOR_PATH = '/account/second-factor';
export const FORGOT_PATH = '/account/forgot-password';
export const CONFIRM_PATH = '/account/confirm';
export const SECURITY_PATH = '/account/security';
export const PASSKEYS_PATH = '/account/security/passkeys';
export const PROVIDERS_PATH = '/account/security/providers';
export const PASSKEY_PATH = '/account/passkey';

/** The link back of the pages below it. */
export const TO_SECURITY: Link = { path: SECURITY_PATH, label: 'account:passkeys.back' };

/** A field of one line. */
export interface AccountField
  extends Pick<TextFieldProps, 'type' | 'inputmode' | 'autocomplete' | 'size' | 'maxlength'> {
  readonly name: string;
  readonly label: MessageKey;
  /** The message if it is empty. Without it, the field may be sent empty. */
  readonly needed?: MessageKey;
  readonly hint?: MessageKey;
}

/** What a form shows: the user or invitation that it is about, what was typed, and what is wrong. */
export interface Shown<S> {
  readonly context: Context<WebEnv>;
  readonly page: Page;
  readonly subject: S;
  readonly values: FormValues;
  readonly refusal: Refusal | null;
}

/** What was sent. */
export interface Sent<S> extends Pick<Shown<S>, 'context' | 'page' | 'subject' | 'values'> {
  /** The user's actions on their own account, which are recorded. */
  readonly account: AccountActions;
  readonly site: AccountSite;
  readonly visitor: Visitor;
}

type Outcome = SignInOutcome | ({ readonly outcome: 'confirmed' } & CookieChange);

/** A page with one form about the visitor's own account. */
export interface AccountForm<S = null> {
  readonly title: (subject: S, page: Page) => string;
  /** Loads what the form is about, or answers in its place. */
  readonly load?: (context: Context<WebEnv>, site: AccountSite, values: FormValues) => Promise<S | Response>;
  readonly intro?: (shown: Shown<S>) => Child;
  /** Modules in assets/ that the page loads. */
  readonly scripts?: readonly string[];
  /** Path that the form is posted to. Default: the path of the page. */
  readonly action?: (subject: S) => string;
  /** Path of the page that shows a refusal. Default: the path of the page; null where the page holds secrets, which are never kept. */
  readonly refusedAt?: string | null;
  /** Attributes of the form that a module reads. It stays hidden until the module runs. */
  readonly data?: (subject: S) => Readonly<Record<`data-${string}`, string>>;
  /** Shown before the fields. */
  readonly top?: (shown: Shown<S>) => Child;
  readonly fields: readonly AccountField[] | ((subject: S) => readonly AccountField[]);
  /** Whether the page has no form, because the subject has nothing to fill in. */
  readonly hidesForm?: (subject: S) => boolean;
  readonly submit: (subject: S) => { readonly label: MessageKey; readonly kind?: 'secondary' | 'danger' };
  /** Puts the form into a part of the page. */
  readonly around?: (shown: Shown<S>, form: Child) => Child;
  readonly outro?: (shown: Shown<S>) => Child;
  /** Whether the page stands beside the menu of the user's area. */
  readonly isInArea?: true;
  /** The page that it belongs to. */
  readonly back?: Link;
  readonly send: (sent: Sent<S>) => Promise<Outcome | Refusal | Response>;
  /** The field that a refusal marks, and its text. */
  readonly refused: readonly [field: string, text: MessageKey];
}

/** Errors, status and headers of a form that comes back. */
export interface Refusal {
  readonly outcome: 'again';
  readonly errors: ReadonlyMap<string, string>;
  readonly status: 422 | 429;
  readonly headers: Readonly<Record<string, string>>;
}

/** Shows a form. */
export function showForm<S>(site: AccountSite, form: AccountForm<S>): Handler<WebEnv> {
  return async (context) => {
    const kept = takeKeptForm(context, site, { owner: VISITOR });
    const values = kept?.values ?? createFormValues([]);
    const subject = await subjectOf(context, site, form, values);
    if (subject instanceof Response) return subject;
    return answerForm(context, form, subject, values, kept && refusedFields(kept.errors));
  };
}

/** Handles a form: checks the fields, runs the action and answers with its outcome. */
export function sendForm<S>(site: AccountSite, form: AccountForm<S>): Handler<WebEnv> {
  return async (context) => {
    const page = context.get('page');
    const { as } = await visitorOf(context, site);
    const values = await readRecorded(context, as);
    const subject = await subjectOf(context, site, form, values);
    if (subject instanceof Response) return subject;
    const again = (refusal: Refusal) =>
      keptFor(context, site, form, { subject, values, refusal }) ??
      answerForm(context, form, subject, values, refusal);
    const missing = missingFields(fieldsOf(form, subject), values, page);
    if (missing.size > 0) {
      await recordRefusal(context, as, 'form_incomplete');
      return again(refusedFields(missing));
    }

    const account = as.account(site.accounts);
    const visitor = visitorOn(context, site);
    const outcome = await form.send({ context, page, subject, values, site, account, visitor });
    if (outcome instanceof Response) return outcome;
    const returnTo = returnPathOf(context, values);
    switch (outcome.outcome) {
      case 'signed_in':
      case 'confirmed':
        return leave(context, returnTo ?? ACCOUNT_PATH, outcome);
      case 'second_factor_needed':
        return leave(context, withReturn(SECOND_FACTOR_PATH, returnTo), outcome);
      case 'refused':
        return again(refused(form.refused[0], page.t(form.refused[1])));
      case 'throttled':
        return again(throttled(form.refused[0], outcome, page));
      case 'again':
        return again(outcome);
      default:
        return outcome satisfies never;
    }
  };
}

/** What is kept of these forms may be seen by anyone who uses the browser: no password, no code and nothing of the account. */
const VISITOR = 'visitor';

/** Keeps what was typed, except passwords and codes, and why it was refused. Null if it is answered directly. */
function keptFor<S>(
  context: Context<WebEnv>,
  site: AccountSite,
  form: AccountForm<S>,
  { subject, values, refusal }: Pick<Shown<S>, 'subject' | 'values'> & { readonly refusal: Refusal },
): Response | null {
  const path = form.refusedAt === undefined ? context.get('page').path : form.refusedAt;
  if (path === null) return null;
  const names = fieldsOf(form, subject)
    .filter(isKept)
    .map(({ name }) => name);
  const entries = values.entries.filter(([name]) => names.includes(name));
  const kept = { values: createFormValues(entries), errors: refusal.errors };
  const query = withReturn('', returnPathOf(context, values));
  return keepForm(context, site, kept, { path, query, owner: VISITOR });
}

function isKept({ type, autocomplete }: AccountField): boolean {
  return type !== 'password' && autocomplete !== 'one-time-code';
}

function fieldsOf<S>({ fields }: AccountForm<S>, subject: S): readonly AccountField[] {
  return typeof fields === 'function' ? fields(subject) : fields;
}

/** Returns a message for each empty field that must not be empty. */
function missingFields(fields: readonly AccountField[], values: FormValues, { t }: Page): Map<string, string> {
  return new Map(
    fields.flatMap(({ name, needed }) =>
      needed === undefined || values.text(name) !== '' ? [] : [[name, t(needed)] as const],
    ),
  );
}

/** Reads the form. A form that cannot be read is recorded, because no action sees it. @throws PageError as `readForm` */
async function readRecorded(context: Context<WebEnv>, as: As): Promise<FormValues> {
  try {
    return await readForm(context);
  } catch (error) {
    if (isNotRead(error)) await recordRefusal(context, as, 'form_not_read');
    throw error;
  }
}

async function subjectOf<S>(
  context: Context<WebEnv>,
  site: AccountSite,
  { load }: AccountForm<S>,
  values: FormValues,
): Promise<S | Response> {
  // Without `load`, `S` is null.
  return load === undefined ? (null as S) : load(context, site, values);
}

/** Answers with the page of a form. */
export function answerForm<S>(
  context: Context<WebEnv>,
  form: AccountForm<S>,
  subject: S,
  values: FormValues = createFormValues([]),
  refusal: Refusal | null = null,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const title = form.title(subject, page);
  const shown = { context, page, subject, values, refusal };
  const state = formState(t, values, refusal?.errors);
  const returnTo = returnPathOf(context, values);
  const { label, kind } = form.submit(subject);
  const parts: PageParts = {
    title,
    hasErrors: refusal !== null,
    status: statusOfKept(context, refusal?.status),
    headers: refusal?.headers,
    scripts: form.scripts,
  };
  const drawn = form.hidesForm?.(subject) ? null : (
    <form
      method="post"
      action={href(form.action?.(subject) ?? page.path)}
      novalidate
      hidden={form.data !== undefined}
      {...form.data?.(subject)}
    >
      {returnTo === null ? null : <input type="hidden" name={RETURN_TO} value={returnTo} />}
      {form.top?.(shown)}
      {fieldsOf(form, subject).map(({ label: name, hint, needed: _, ...field }) => (
        <TextField
          form={state}
          {...field}
          label={t(name)}
          hint={hint === undefined ? undefined : t(hint, { min: PASSWORD_MIN })}
        />
      ))}
      {form.isInArea && form.back !== undefined ? (
        <div class="buttons">
          <button type="submit" class={kind}>
            {t(label)}
          </button>
          <CancelButton path={form.back.path} page={page} />
        </div>
      ) : (
        <button type="submit" class={kind}>
          {t(label)}
        </button>
      )}
    </form>
  );
  const content = (
    <>
      <ErrorSummary title={t('account:problem')} errors={state.errors} />
      <h1>{title}</h1>
      {form.intro?.(shown)}
      {form.around === undefined ? drawn : form.around(shown, drawn)}
      {form.outro?.(shown)}
    </>
  );
  if (!form.isInArea) return answerAlone(context, parts, content);
  // `load` has entered the area (`sessionOr`).
  return answerStaffPage(
    context as Context as Context<StaffEnv>,
    { ...parts, ...(form.back !== undefined && { back: form.back }) },
    <div class="narrow-form">{content}</div>,
  );
}

/** Answers with a page that stands alone: one small card. */
export function answerAlone(
  context: Context<WebEnv>,
  parts: PageParts,
  content: Child,
): Response | Promise<Response> {
  return answerPage(context, { ...parts, frame: { name: 'subject', class: 'small' } }, content);
}

const RETURN_TO = 'returnTo';

/** Returns the path that a page or form returns to; null if it is missing or leads to another site. */
export function returnPathOf(context: Context<WebEnv>, values: FormValues): string | null {
  return ownPathOf(values.text(RETURN_TO) || context.req.query(RETURN_TO));
}

/** Returns a path of this service; null for anything else. */
export function ownPathOf(path = ''): string | null {
  return path !== '' && isOwnPath(path) ? path : null;
}

/** Adds `returnTo` to a path. */
export function withReturn(path: string, returnTo: string | null): string {
  return returnTo === null ? path : `${path}?${RETURN_TO}=${encodeURIComponent(returnTo)}`;
}

export function visitorOn(context: Context<WebEnv>, { options }: Site): Visitor {
  const { language: locale } = context.get('page');
  return { cookies: context.req.header('Cookie'), clientAddress: options.clientAddress(context), locale };
}

/**
 * Finds the visitor's session and counts the request, or redirects to sign-in and back to `path`. A form without a session
 * is recorded.
 * @throws PageError 429 above the user's request limit
 */
export async function sessionOr(
  context: Context<WebEnv>,
  site: AccountSite,
  path: string,
): Promise<StaffSession | Response> {
  const { session, as } = await visitorOf(context, site);
  if (session !== null) {
    await countRequest(session, site);
    enterOwnArea(context, site, { session, as });
    return session;
  }
  if (context.req.method === 'POST') await recordRefusal(context, as, 'no_session');
  return redirectTo(context, withReturn(SIGN_IN_PATH, path));
}

/** Puts a page beside the menu of the user's area; the menu is empty while a second factor is missing. */
function enterOwnArea(
  context: Context,
  site: AccountSite,
  visitor: { readonly session: StaffSession; readonly as: As },
): void {
  const { name, menu, about } = site.areas[areaOf(visitor.session.user)];
  const isClosed = lacksSecondFactor(visitor.session, { required: site.options.requireSecondFactor ?? false });
  const open = { menu, ...(about !== undefined && { about }) };
  enterArea(
    context as Context<StaffEnv>,
    site,
    { name, styles: [], ...(isClosed ? { menu: () => [] } : open) },
    visitor,
  );
}

/** Redirects after a form and sets its cookies. */
export function leave(context: Context<WebEnv>, path: string, { setCookies }: CookieChange): Response {
  for (const cookie of setCookies) context.header('Set-Cookie', cookie, { append: true });
  return redirectTo(context, path);
}

/** Sends the form back with a message at a field. */
export function refused(field: string, message: string): Refusal {
  return refusedFields(new Map([[field, message]]));
}

function refusedFields(errors: ReadonlyMap<string, string>): Refusal {
  return { outcome: 'again', errors, status: 422, headers: {} };
}

const MINUTE_SECONDS = 60;

/** Refuses an attempt: the text gives the wait in minutes, rounded up, `Retry-After` in seconds. */
function throttled(field: string, { retryAfterSeconds }: Throttled, { t }: Page): Refusal {
  const count = Math.max(1, Math.ceil(retryAfterSeconds / MINUTE_SECONDS));
  return {
    ...refused(field, t('account:throttled.message', { count })),
    status: 429,
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  };
}
