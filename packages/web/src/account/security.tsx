import type { AccountActions, StaffSession, Throttled } from '@countersign/domain';
import type { Context, Handler } from 'hono';
import type { FC } from 'hono/jsx';
import type { FormState } from '../forms/form-state.ts';
import { readForm } from '../forms/form-values.ts';
import { TextField } from '../forms/text-fields.tsx';
import type { Page, WebEnv } from '../site/page.ts';
import { homeOf, SignOutForm } from '../staff/area.tsx';
import { recordRefusal } from '../staff/refusals.tsx';
import { answerAccountPage } from './account-page.tsx';
import {
  type AccountSite,
  accountActions,
  formOf,
  type Refusal,
  refused,
  SECURITY_PATH,
  SIGN_IN_PATH,
  sessionOf,
  throttled,
  visitorOf,
  withReturn,
} from './account-site.ts';
import { answerSetup } from './second-factor-setup.tsx';

const BEGIN_PATH = `${SECURITY_PATH}/begin`;
const REMOVE_PATH = `${SECURITY_PATH}/remove`;
const DONE = ['added', 'removed', 'expired'] as const;

/** Shows whether a second factor is set up, with the form to set it up or remove it. */
export function securityPage(site: AccountSite): Handler<WebEnv> {
  return async (context) => {
    const session = await sessionOf(context, site);
    return session === null ? toSignIn(context) : answer(context, site, session, null);
  };
}

export function beginSecondFactor(site: AccountSite): Handler<WebEnv> {
  return withPassword(site, async (context, account, password) => {
    const outcome = await account.beginSecondFactor(visitorOf(context, site), password);
    return outcome.outcome === 'begun' ? answerSetup(context, outcome) : outcome;
  });
}

export function removeSecondFactor(site: AccountSite): Handler<WebEnv> {
  return withPassword(site, async (context, account, password) => {
    const outcome = await account.removeSecondFactor(visitorOf(context, site), password);
    if (outcome.outcome !== 'removed') return outcome;
    return context.redirect(context.get('page').href(`${SECURITY_PATH}?done=removed`), 303);
  });
}

type NotDone = { readonly outcome: 'refused' } | Throttled;

/** Handles a form that asks the signed-in user for the password. A refused form comes back and says why. */
function withPassword(
  site: AccountSite,
  carryOut: (context: Context<WebEnv>, account: AccountActions, password: string) => Promise<Response | NotDone>,
): Handler<WebEnv> {
  return async (context) => {
    const page = context.get('page');
    const { session, as, account } = await accountActions(context, site);
    if (session === null) {
      await recordRefusal(context, as, 'no_session');
      return toSignIn(context);
    }
    const password = (await readForm(context)).raw('password');
    const again = (refusal: Refusal) => answer(context, site, session, refusal);

    if (password === '') return again(refused('password', page.t('account:security.passwordNeeded')));
    const outcome = await carryOut(context, account, password);
    if (outcome instanceof Response) return outcome;
    return again(
      outcome.outcome === 'refused'
        ? refused('password', page.t('account:security.passwordRefused'))
        : throttled('password', outcome, page),
    );
  };
}

export const toSecurity: Handler<WebEnv> = (context) =>
  context.redirect(context.get('page').href(SECURITY_PATH), 303);

function toSignIn(context: Context<WebEnv>): Response {
  return context.redirect(context.get('page').href(withReturn(SIGN_IN_PATH, SECURITY_PATH)), 303);
}

async function answer(
  context: Context<WebEnv>,
  site: AccountSite,
  { user }: StaffSession,
  refusal: Refusal | null,
): Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const isOn = await site.accounts.hasSecondFactor(visitorOf(context, site));
  const form = formOf(page, undefined, refusal?.errors);
  const done = DONE.find((name) => name === context.req.query('done'));
  const isNeeded = context.req.query('needed') !== undefined && !isOn;
  return answerAccountPage(
    context,
    t('account:security.title'),
    refusal,
    <>
      <p>{t('account:security.signedInAs', { name: user.name, email: user.email })}</p>
      {done === undefined ? null : (
        <div class="result" role="status" tabindex={-1} autofocus>
          <p>{t(`account:security.${done}`)}</p>
        </div>
      )}
      {isNeeded ? <p class="result">{t('account:security.needed')}</p> : null}
      <h2>{t('account:security.secondFactor')}</h2>
      <p>{t(isOn ? 'account:security.onText' : 'account:security.offText')}</p>
      <SecondFactorForm page={page} form={form} isOn={isOn} />
      <p>
        <a href={href(homeOf(user))}>{t('account:security.home')}</a>
      </p>
      <SignOutForm page={page} path={site.accounts.signOutPath} />
    </>,
  );
}

const SecondFactorForm: FC<{ page: Page; form: FormState; isOn: boolean }> = ({
  page: { t, href },
  form,
  isOn,
}) => (
  <form method="post" action={href(isOn ? REMOVE_PATH : BEGIN_PATH)} novalidate>
    <TextField
      form={form}
      name="password"
      type="password"
      label={t('account:security.password')}
      hint={isOn ? t('account:security.removeHint') : undefined}
      autocomplete="current-password"
    />
    <button type="submit" class={isOn ? 'secondary' : undefined}>
      {t(isOn ? 'account:security.remove' : 'account:security.begin')}
    </button>
  </form>
);
