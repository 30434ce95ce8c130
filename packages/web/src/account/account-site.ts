import type {
  AccountDesk,
  Accounts,
  CookieChange,
  Desks,
  StaffSession,
  Throttled,
  Visitor,
} from '@countersign/domain';
import type { Context } from 'hono';
import type { FormState } from '../forms/form-state.ts';
import type { FormValues } from '../forms/form-values.ts';
import { formState } from '../forms/form-words.ts';
import { isOwnPath } from '../site/base-path.ts';
import type { Page } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import type { WebEnv } from '../site/web-env.ts';
import { visitorDesks } from '../staff/visitor-desks.ts';

/** What the account pages share: the site, of one that has accounts. */
export interface AccountSite extends Site {
  readonly accounts: Accounts;
}

export const SIGN_IN_PATH = '/account/sign-in';
export const SECOND_FACTOR_PATH = '/account/second-factor';
export const CONFIRM_PATH = '/account/confirm';
export const SECURITY_PATH = '/account/security';
/** Leads on to the home of whoever is signed in. */
export const ACCOUNT_PATH = '/account';

export function visitorOf(context: Context<WebEnv>, { options }: Site): Visitor {
  return { cookies: context.req.header('Cookie'), clientAddress: options.clientAddress(context) };
}

/** Whoever asks, and what they may do with their own account: recorded. */
export async function accountDesk(
  context: Context<WebEnv>,
  site: AccountSite,
): Promise<{ readonly session: StaffSession | null; readonly desks: Desks; readonly account: AccountDesk }> {
  const { session, desks } = await visitorDesks(context, site);
  return { session, desks, account: desks.account(site.accounts) };
}

export function sessionOf(context: Context<WebEnv>, { accounts }: AccountSite): Promise<StaffSession | null> {
  return accounts.identify(context.req.header('Cookie'));
}

/** Redirects after a form, with the cookies that came of it. */
export function leave(context: Context<WebEnv>, path: string, { setCookies }: CookieChange): Response {
  for (const cookie of setCookies) context.header('Set-Cookie', cookie, { append: true });
  return context.redirect(context.get('page').href(path), 303);
}

/** The path that somebody wanted before they were asked to sign in; null where there is none that may be trusted. */
export function returnPath(text: string | undefined): string | null {
  return text !== undefined && text !== '' && isOwnPath(text) ? text : null;
}

/** A path with `returnTo`, for the next page to carry on. */
export function withReturn(path: string, returnTo: string | null): string {
  return returnTo === null ? path : `${path}?returnTo=${encodeURIComponent(returnTo)}`;
}

/** What is wrong with a form, by field. */
export type Errors = ReadonlyMap<string, string>;

export function formOf({ t }: Page, values?: FormValues, errors?: Errors): FormState {
  return formState(t, values, errors);
}

const TOO_MANY = 429;
const UNPROCESSABLE = 422;
const MINUTE_SECONDS = 60;

/** Status and headers of a form that comes back with errors. */
export interface Refusal {
  readonly errors: Errors;
  readonly status: typeof TOO_MANY | typeof UNPROCESSABLE;
  readonly headers: Readonly<Record<string, string>>;
}

export function refused(field: string, message: string): Refusal {
  return { errors: new Map([[field, message]]), status: UNPROCESSABLE, headers: {} };
}

/** Too many attempts: how long to wait is told in minutes, rounded up, and to programs in seconds. */
export function throttled(field: string, { retryAfterSeconds }: Throttled, { t }: Page): Refusal {
  const count = Math.max(1, Math.ceil(retryAfterSeconds / MINUTE_SECONDS));
  return {
    errors: new Map([[field, t('account:throttled.message', { count })]]),
    status: TOO_MANY,
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  };
}
