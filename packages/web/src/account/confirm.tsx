import type { StaffSession } from '@countersign/domain';
import type { Context, Handler } from 'hono';
import { readForm } from '../forms/form-values.ts';
import { TextField } from '../forms/text-fields.tsx';
import type { WebEnv } from '../site/page.ts';
import { recordRefusal } from '../staff/refusals.tsx';
import { answerAccountPage } from './account-page.tsx';
import {
  ACCOUNT_PATH,
  type AccountSite,
  accountActions,
  CONFIRM_PATH,
  formOf,
  leave,
  type Refusal,
  refused,
  returnPath,
  SIGN_IN_PATH,
  sessionOf,
  throttled,
  visitorOf,
  withReturn,
} from './account-site.ts';

/** Asks for the password once more, before something that matters. */
export function confirmPage(site: AccountSite): Handler<WebEnv> {
  return async (context) => {
    const returnTo = returnPath(context.req.query('returnTo'));
    const session = await sessionOf(context, site);
    return session === null ? toSignIn(context, returnTo) : answer(context, session, returnTo, null);
  };
}

/** Goes on to what was wanted, where the password is right. */
export function confirmIdentity(site: AccountSite): Handler<WebEnv> {
  return async (context) => {
    const page = context.get('page');
    const values = await readForm(context);
    const returnTo = returnPath(values.text('returnTo'));
    const { session, as, account } = await accountActions(context, site);
    if (session === null) {
      await recordRefusal(context, as, 'no_session');
      return toSignIn(context, returnTo);
    }
    const password = values.raw('password');
    const again = (refusal: Refusal) => answer(context, session, returnTo, refusal);

    if (password === '') return again(refused('password', page.t('account:confirm.passwordNeeded')));
    const outcome = await account.confirmIdentity(visitorOf(context, site), password);
    switch (outcome.outcome) {
      case 'confirmed':
        return leave(context, returnTo ?? ACCOUNT_PATH, outcome);
      case 'refused':
        return again(refused('password', page.t('account:confirm.refused')));
      case 'throttled':
        return again(throttled('password', outcome, page));
      default:
        return outcome satisfies never;
    }
  };
}

/** Who has signed in is asked to confirm it nevertheless. */
function toSignIn(context: Context<WebEnv>, returnTo: string | null): Response {
  const path = withReturn(SIGN_IN_PATH, withReturn(CONFIRM_PATH, returnTo));
  return context.redirect(context.get('page').href(path), 303);
}

function answer(
  context: Context<WebEnv>,
  { user: { name, email } }: StaffSession,
  returnTo: string | null,
  refusal: Refusal | null,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  return answerAccountPage(
    context,
    t('account:confirm.title'),
    refusal,
    <>
      <p>{t('account:confirm.why')}</p>
      <p>{t('account:security.signedInAs', { name, email })}</p>
      <form method="post" action={href(CONFIRM_PATH)} novalidate>
        {returnTo === null ? null : <input type="hidden" name="returnTo" value={returnTo} />}
        <TextField
          form={formOf(page, undefined, refusal?.errors)}
          name="password"
          type="password"
          label={t('account:confirm.password')}
          autocomplete="current-password"
        />
        <button type="submit">{t('account:confirm.submit')}</button>
      </form>
      <p>
        <a href={href(ACCOUNT_PATH)}>{t('account:confirm.cancel')}</a>
      </p>
    </>,
  );
}
