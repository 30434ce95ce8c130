import type { Context, Handler } from 'hono';
import { readForm } from '../forms/form-values.ts';
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
  SECOND_FACTOR_PATH,
  SIGN_IN_PATH,
  visitorOf,
  withReturn,
} from './account-site.ts';
import { afterSignIn } from './after-sign-in.ts';

export function secondFactorPage(): Handler<WebEnv> {
  return (context) => answer(context, returnPath(context.req.query('returnTo')), null);
}

/** The second half of signing in: a code of the device, or a backup code. */
export function enterSecondFactor(site: AccountSite): Handler<WebEnv> {
  return async (context) => {
    const page = context.get('page');
    const values = await readForm(context);
    const returnTo = returnPath(values.text('returnTo'));
    const code = values.text('code');
    const again = (refusal: Refusal) => answer(context, returnTo, refusal);

    if (code === '') return again(refused('code', page.t('account:secondFactor.codeNeeded')));
    const { account } = await accountActions(context, site);
    const outcome = await account.enterSecondFactor(visitorOf(context, site), code);
    return afterSignIn(context, outcome, {
      returnTo,
      field: 'code',
      refusedText: page.t('account:secondFactor.refused'),
      again,
    });
  };
}

function answer(
  context: Context<WebEnv>,
  returnTo: string | null,
  refusal: Refusal | null,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  return answerAccountPage(
    context,
    t('account:secondFactor.title'),
    refusal,
    <>
      <p>{t('account:secondFactor.intro')}</p>
      <form method="post" action={href(SECOND_FACTOR_PATH)} novalidate>
        {returnTo === null ? null : <input type="hidden" name="returnTo" value={returnTo} />}
        <TextField
          form={formOf(page, undefined, refusal?.errors)}
          name="code"
          label={t('account:secondFactor.code')}
          autocomplete="one-time-code"
          size="medium"
        />
        <button type="submit">{t('account:secondFactor.submit')}</button>
      </form>
      <p>
        <a href={href(withReturn(SIGN_IN_PATH, returnTo))}>{t('account:secondFactor.again')}</a>
      </p>
    </>,
  );
}
