import type { SignOnOutcome, SignOnRefusal } from '@countersign/domain/actions';
import type {
  CookieChange,
  ProviderName,
  ProviderUnavailable,
  SignOnPurpose,
  StaffSession,
} from '@countersign/domain/staff';
import type { Context, Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { DeadEnd } from '../parts/blocks.tsx';
import { ButtonTo } from '../parts/page-parts.tsx';
import { PageError } from '../site/errors.ts';
import type { MessageKey } from '../site/messages.ts';
import type { Page, WebEnv } from '../site/page.ts';
import { redirectTo } from '../staff/area.tsx';
import { visitorOf } from '../staff/gate.ts';
import {
  ACCOUNT_PATH,
  type AccountSite,
  answerAlone,
  CONFIRM_PATH,
  leave,
  ownPathOf,
  PROVIDERS_PATH,
  SECOND_FACTOR_PATH,
  SIGN_IN_PATH,
  sessionOr,
  visitorOn,
  withReturn,
} from './account-form.tsx';

const SIGN_ON_PATH = '/account/sso';

/** Links to identity providers. */
export const ProviderLinks: FC<{
  providers: readonly ProviderName[];
  label: MessageKey;
  /** What the visitor does there, as the query of the link: `{ token }` for a one-time link, `{ confirm: '1' }`, `{ connect: '1' }`. */
  query?: Readonly<Record<string, string>>;
  returnTo: string | null;
  page: Page;
}> = ({ providers, label, query = {}, returnTo, page: { t, href } }) => (
  <ul class="provider-links">
    {providers.map(({ id, name }) => {
      const parameters = new URLSearchParams({ ...query, ...(returnTo !== null && { returnTo }) }).toString();
      const path = `${SIGN_ON_PATH}/${id}${parameters === '' ? '' : `?${parameters}`}`;
      return (
        <li>
          <a href={href(path)} class="button secondary">
            {t(label, { provider: name })}
          </a>
        </li>
      );
    })}
  </ul>
);

/** Sends the visitor to a provider. A link, not a form: browsers apply `form-action` to redirects of forms. */
export function beginSignOn(site: AccountSite): Handler<WebEnv> {
  return async (context) => {
    const provider = providerOf(context, site);
    const returnTo = ownPathOf(context.req.query('returnTo'));
    const { as, session } = await visitorOf(context, site);
    const purpose = purposeOf(context, session);
    if (purpose === null || purpose.kind === 'confirm') {
      const path = purpose === null ? PROVIDERS_PATH : withReturn(CONFIRM_PATH, returnTo);
      const present = await sessionOr(context, site, path);
      if (present instanceof Response) return present;
    }
    if (purpose === null) return redirectTo(context, PROVIDERS_PATH);
    const request = { providerId: provider.id, purpose, returnTo };
    const begun = await as.account(site.accounts).beginSignOn(visitorOn(context, site), request);
    if (begun === undefined) throw new PageError(404);
    if (begun.outcome === 'unavailable') return answerUnavailable(context, provider, begun.reason);
    if (begun.outcome === 'confirmation_needed') {
      return redirectTo(context, withReturn(CONFIRM_PATH, PROVIDERS_PATH));
    }
    setCookies(context, begun);
    return context.redirect(begun.location, 303);
  };
}

/** Receives the visitor from a provider, with its answer in the address. */
export function finishSignOn(site: AccountSite): Handler<WebEnv> {
  return async (context) => {
    const provider = providerOf(context, site);
    const { as } = await visitorOf(context, site);
    const query = new URL(context.req.url).search.slice(1);
    const answer = { providerId: provider.id, query };
    const outcome = await as.account(site.accounts).finishSignOn(visitorOn(context, site), answer);
    if (outcome === undefined) throw new PageError(404);
    return answerOutcome(context, provider, outcome);
  };
}

function answerOutcome(
  context: Context<WebEnv>,
  provider: ProviderName,
  outcome: SignOnOutcome,
): Response | Promise<Response> {
  switch (outcome.outcome) {
    case 'signed_in':
    case 'confirmed':
      return leave(context, outcome.returnTo ?? ACCOUNT_PATH, outcome);
    case 'connected':
      return leave(context, `${PROVIDERS_PATH}?done=connected`, outcome);
    case 'second_factor_needed':
      return leave(context, withReturn(SECOND_FACTOR_PATH, outcome.returnTo ?? null), outcome);
    case 'not_signed_on':
      setCookies(context, outcome);
      return answerRefused(context, provider, outcome);
    case 'unavailable':
      return answerUnavailable(context, provider, outcome.reason);
    case 'throttled':
      throw new PageError(429, { 'Retry-After': String(outcome.retryAfterSeconds) });
    default:
      return outcome satisfies never;
  }
}

const STATUSES: Readonly<Record<SignOnRefusal, 403 | 410>> = {
  not_accepted: 403,
  not_genuine: 403,
  no_account: 403,
  no_access: 403,
  link_ended: 410,
  taken: 403,
  changed: 403,
};

/** The title of a refusal, and where to go from there. */
const REFUSED: Readonly<Record<SignOnPurpose['kind'], { title: MessageKey; path: string; again: MessageKey }>> = {
  sign_in: { title: 'account:signOn.refused.title', path: SIGN_IN_PATH, again: 'account:signOn.again' },
  join: { title: 'account:signOn.refused.title', path: SIGN_IN_PATH, again: 'account:signOn.again' },
  confirm: {
    title: 'account:signOn.notConfirmed',
    path: CONFIRM_PATH,
    again: 'account:signOn.confirmAgain',
  },
  connect: {
    title: 'account:signOn.notConnected',
    path: PROVIDERS_PATH,
    again: 'account:providers.back',
  },
};

function answerRefused(
  context: Context<WebEnv>,
  { name }: ProviderName,
  { reason, purpose }: { readonly reason: SignOnRefusal; readonly purpose: SignOnPurpose['kind'] | null },
): Response | Promise<Response> {
  const page = context.get('page');
  const texts = REFUSED[purpose ?? 'sign_in'];
  const title = page.t(texts.title);
  return answerAlone(
    context,
    { title, status: STATUSES[reason] },
    <DeadEnd page={page} title={title} text={page.t(`account:signOn.refused.${reason}`, { provider: name })}>
      <ButtonTo path={texts.path} label={texts.again} page={page} />
    </DeadEnd>,
  );
}

const RETRY_AFTER_SECONDS = '30';

function answerUnavailable(
  context: Context<WebEnv>,
  { name }: ProviderName,
  reason: ProviderUnavailable['reason'],
): Response | Promise<Response> {
  const page = context.get('page');
  const title = page.t(`account:signOn.unavailable.${reason}.title`, { provider: name });
  return answerAlone(
    context,
    { title, status: 503, headers: { 'Retry-After': RETRY_AFTER_SECONDS } },
    <DeadEnd page={page} title={title} text={page.t(`account:signOn.unavailable.${reason}.text`)}>
      <ButtonTo path={SIGN_IN_PATH} label="account:signOn.again" page={page} />
    </DeadEnd>,
  );
}

/** @throws PageError 404 for an unknown provider */
function providerOf(context: Context<WebEnv>, { accounts }: AccountSite): ProviderName {
  const id = context.req.param('provider');
  const provider = accounts.singleSignOn?.policies.find((each) => each.id === id);
  if (provider === undefined) throw new PageError(404);
  return provider;
}

/** Returns what the visitor asks for; null to connect a provider without a session. */
function purposeOf(context: Context<WebEnv>, session: StaffSession | null): SignOnPurpose | null {
  const token = context.req.query('token');
  if (token !== undefined) return { kind: 'join', token };
  if (context.req.query('connect') !== undefined) {
    return session && { kind: 'connect', userId: session.user.id };
  }
  return context.req.query('confirm') === undefined ? { kind: 'sign_in' } : { kind: 'confirm' };
}

function setCookies(context: Context<WebEnv>, { setCookies: lines }: CookieChange): void {
  for (const line of lines) context.header('Set-Cookie', line, { append: true });
}
