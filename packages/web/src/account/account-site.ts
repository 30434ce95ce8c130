import type {
  AccountActions,
  Accounts,
  As,
  CookieChange,
  StaffSession,
  Throttled,
  Visitor,
} from '@countersign/domain';
import type { Context } from 'hono';
import { type FormState, formState } from '../forms/form-state.ts';
import type { FormValues } from '../forms/form-values.ts';
import type { Page, WebEnv } from '../site/page.ts';
import { isOwnPath } from '../site/paths.ts';
import type { Site } from '../site/site.ts';
import { visitorOf as callerOf } from '../staff/gate.ts';

/** A site with accounts. */
export interface AccountSite extends Site {
  readonly accounts: Accounts;
}

export const SIGN_IN_PATH = '/account/sign-in';
export const SECOND_FACTOR_PATH = '/account/second-factor';
export const CONFIRM_PATH = '/account/confirm';
export const SECURITY_PATH = '/account/security';
/** Redirects to the signed-in user's area. */
export const ACCOUNT_PATH = '/account';

export function visitorOf(context: Context<WebEnv>, { options }: Site): Visitor {
  return { cookies: context.req.header('Cookie'), clientAddress: options.clientAddress(context) };
}

/** The visitor, and the recorded actions on their own account. */
export async function accountActions(
  context: Context<WebEnv>,
  site: AccountSite,
): Promise<{ readonly session: StaffSession | null; readonly as: As; readonly account: AccountActions }> {
  const { session, as } = await callerOf(context, site);
  return { session, as, account: as.account(site.accounts) };
}

export function sessionOf(context: Context<WebEnv>, { accounts }: AccountSite): Promise<StaffSession | null> {
  return accounts.identify(context.req.header('Cookie'));
}

/** Redirects after a form and sets its cookies. */
export function leave(context: Context<WebEnv>, path: string, { setCookies }: CookieChange): Response {
  for (const cookie of setCookies) context.header('Set-Cookie', cookie, { append: true });
  return context.redirect(context.get('page').href(path), 303);
}

/** Returns the path to return to after sign-in; null if it is missing or leads to another site. */
export function returnPath(text: string | undefined): string | null {
  return text !== undefined && text !== '' && isOwnPath(text) ? text : null;
}

/** Adds `returnTo` to a path. */
export function withReturn(path: string, returnTo: string | null): string {
  return returnTo === null ? path : `${path}?returnTo=${encodeURIComponent(returnTo)}`;
}

/** Errors of a form, by field. */
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

/** Refuses an attempt: the text gives the wait in minutes, rounded up, `Retry-After` in seconds. */
export function throttled(field: string, { retryAfterSeconds }: Throttled, { t }: Page): Refusal {
  const count = Math.max(1, Math.ceil(retryAfterSeconds / MINUTE_SECONDS));
  return {
    errors: new Map([[field, t('account:throttled.message', { count })]]),
    status: TOO_MANY,
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  };
}
