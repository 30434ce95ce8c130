import type { Context, Handler } from 'hono';
import { createFormValues, type FormValues, readForm } from '../forms/form-values.ts';
import { TextField } from '../forms/text-fields.tsx';
import type { WebEnv } from '../site/page.ts';
import { answerAccountPage } from './account-page.tsx';
import {
  type AccountSite,
  accountActions,
  formOf,
  type Refusal,
  refused,
  returnPath,
  SIGN_IN_PATH,
  visitorOf,
} from './account-site.ts';
import { afterSignIn } from './after-sign-in.ts';

export function signInPage(): Handler<WebEnv> {
  return (context) => {
    const returnTo = returnPath(context.req.query('returnTo'));
    return answer(context, returnTo, createFormValues([]), null);
  };
}

/** Signs in. One message covers a wrong e-mail address and a wrong password. */
export function signIn(site: AccountSite): Handler<WebEnv> {
  return async (context) => {
    const page = context.get('page');
    const values = await readForm(context);
    const returnTo = returnPath(values.text('returnTo'));
    const email = values.text('email');
    const password = values.raw('password');
    const again = (refusal: Refusal) => answer(context, returnTo, values, refusal);

    if (email === '') return again(refused('email', page.t('account:signIn.emailNeeded')));
    if (password === '') return again(refused('password', page.t('account:signIn.passwordNeeded')));
    const { account } = await accountActions(context, site);
    const outcome = await account.signIn(visitorOf(context, site), { email, password });
    return afterSignIn(context, outcome, {
      returnTo,
      field: 'email',
      refusedText: page.t('account:signIn.refused'),
      again,
    });
  };
}

function answer(
  context: Context<WebEnv>,
  returnTo: string | null,
  values: FormValues,
  refusal: Refusal | null,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const form = formOf(page, values, refusal?.errors);
  return answerAccountPage(
    context,
    t('account:signIn.title'),
    refusal,
    <>
      <form method="post" action={href(SIGN_IN_PATH)} novalidate>
        {returnTo === null ? null : <input type="hidden" name="returnTo" value={returnTo} />}
        <TextField
          form={form}
          name="email"
          type="email"
          inputmode="email"
          label={t('account:signIn.email')}
          autocomplete="username"
        />
        <TextField
          form={form}
          name="password"
          type="password"
          label={t('account:signIn.password')}
          autocomplete="current-password"
        />
        <button type="submit">{t('account:signIn.submit')}</button>
      </form>
      <p class="quiet">{t('account:signIn.lost')}</p>
    </>,
  );
}
