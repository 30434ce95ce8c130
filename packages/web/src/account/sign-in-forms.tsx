import type { ProviderName, StaffSession, WaysToConfirm } from '@countersign/domain/staff';
import { LinkTo, Result } from '../parts/page-parts.tsx';
import { visitorOf } from '../staff/gate.ts';
import {
  ACCOUNT_PATH,
  type AccountForm,
  CONFIRM_PATH,
  FORGOT_PATH,
  PASSKEY_PATH,
  returnPathOf,
  SIGN_IN_PATH,
  sessionOr,
  visitorOn,
  withReturn,
} from './account-form.tsx';
import { CURRENT_PASSWORD, EMAIL } from './fields.ts';
import { PASSKEY_SCRIPT, PasskeyLink, SECOND_FACTOR_PASSKEY_PATH } from './passkey-forms.tsx';
import { ProviderLinks } from './sign-on.tsx';

/** Signs in. One message covers a wrong e-mail address and a wrong password. */
export const signIn: AccountForm<{
  readonly mailsLinks: boolean;
  readonly providers: readonly ProviderName[];
  readonly hasPasskeys: boolean;
}> = {
  title: (_, { t }) => t('account:signIn.title'),
  load: async (_, site) => ({
    mailsLinks: site.mailsUsers,
    providers: site.accounts.singleSignOn?.policies ?? [],
    hasPasskeys: site.accounts.passkeys !== undefined,
  }),
  fields: [
    EMAIL,
    {
      name: 'password',
      type: 'password',
      label: 'account:signIn.password',
      needed: 'account:signIn.passwordNeeded',
      autocomplete: 'current-password',
    },
  ],
  scripts: [PASSKEY_SCRIPT],
  submit: () => ({ label: 'account:signIn.submit' }),
  intro: ({ context, page, values, subject: { providers } }) => (
    <>
      <Result context={context} texts="account:signIn.done" />
      {providers.length === 0 ? null : (
        <>
          <ProviderLinks
            providers={providers}
            label="account:signOn.signIn"
            returnTo={returnPathOf(context, values)}
            page={page}
          />
          <h2 class="or">{page.t('account:signOn.orPassword')}</h2>
        </>
      )}
    </>
  ),
  outro: ({ page, context, values, subject: { mailsLinks, hasPasskeys } }) => (
    <>
      {hasPasskeys ? (
        <PasskeyLink path={PASSKEY_PATH} returnTo={returnPathOf(context, values)} page={page} />
      ) : null}
      {mailsLinks ? (
        <LinkTo path={FORGOT_PATH} label="account:forgot.link" page={page} />
      ) : (
        <p class="quiet">{page.t('account:signIn.lost')}</p>
      )}
    </>
  ),
  refused: ['email', 'account:signIn.refused'],
  send: ({ account, visitor, values }) =>
    account.signIn(visitor, { email: values.text('email'), password: values.raw('password') }),
};

/** The second half of signing in: a code of the device, or a backup code. */
export const secondFactor: AccountForm<{ readonly hasPasskeys: boolean }> = {
  title: (_, { t }) => t('account:secondFactor.title'),
  async load(context, site) {
    const { as } = await visitorOf(context, site);
    const begun = await as.account(site.accounts).beginPasskey(visitorOn(context, site), 'second_factor');
    return { hasPasskeys: begun !== null };
  },
  scripts: [PASSKEY_SCRIPT],
  intro: ({ page: { t } }) => <p>{t('account:secondFactor.intro')}</p>,
  fields: [
    {
      name: 'code',
      label: 'account:secondFactor.code',
      needed: 'account:secondFactor.codeNeeded',
      autocomplete: 'one-time-code',
      size: 'medium',
    },
  ],
  submit: () => ({ label: 'account:secondFactor.submit' }),
  outro: ({ page, context, values, subject: { hasPasskeys } }) => (
    <>
      {hasPasskeys ? (
        <PasskeyLink path={SECOND_FACTOR_PASSKEY_PATH} returnTo={returnPathOf(context, values)} page={page} />
      ) : null}
      <LinkTo
        path={withReturn(SIGN_IN_PATH, returnPathOf(context, values))}
        label="account:secondFactor.again"
        page={page}
      />
    </>
  ),
  refused: ['code', 'account:secondFactor.refused'],
  send: ({ account, visitor, values }) => account.enterSecondFactor(visitor, values.text('code')),
};

/** Asks for the password again before a change of who has access. */
export const confirm: AccountForm<{ readonly session: StaffSession; readonly ways: WaysToConfirm }> = {
  title: (_, { t }) => t('account:confirm.title'),
  async load(context, site, values) {
    const session = await sessionOr(context, site, withReturn(CONFIRM_PATH, returnPathOf(context, values)));
    if (session instanceof Response) return session;
    return { session, ways: await site.accounts.waysToConfirm(visitorOn(context, site)) };
  },
  intro: ({ page, context, values, subject: { session, ways } }) => (
    <>
      <p>{page.t('account:confirm.why')}</p>
      <p>{page.t(ways.password ? 'account:confirm.byPassword' : 'account:confirm.byProvider')}</p>
      <p>{page.t('account:security.signedInAs', { name: session.user.name, email: session.user.email })}</p>
      <ProviderLinks
        providers={ways.providers}
        label="account:signOn.confirm"
        query={{ confirm: '1' }}
        returnTo={returnPathOf(context, values)}
        page={page}
      />
    </>
  ),
  fields: [CURRENT_PASSWORD],
  hidesForm: ({ ways }) => !ways.password,
  submit: () => ({ label: 'account:confirm.submit' }),
  outro: ({ page }) => <LinkTo path={ACCOUNT_PATH} label="site:cancel" page={page} />,
  refused: ['password', 'account:confirm.refused'],
  send: ({ account, visitor, values }) => account.confirmIdentity(visitor, values.raw('password')),
};
