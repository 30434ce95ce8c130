import type { StaffSession } from '@countersign/domain/staff';
import { LinkTo, Result } from '../staff/page-parts.tsx';
import {
  ACCOUNT_PATH,
  type AccountForm,
  CONFIRM_PATH,
  FORGOT_PATH,
  returnPathOf,
  SIGN_IN_PATH,
  sessionOr,
  withReturn,
} from './account-form.tsx';
import { CURRENT_PASSWORD, EMAIL } from './fields.ts';

/** Signs in. One message covers a wrong e-mail address and a wrong password. */
export const signIn: AccountForm<{ readonly mailsLinks: boolean }> = {
  title: (_, { t }) => t('account:signIn.title'),
  load: async (_, site) => ({ mailsLinks: site.mailsUsers }),
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
  submit: () => ({ label: 'account:signIn.submit' }),
  intro: ({ context }) => <Result context={context} texts="account:signIn.done" />,
  outro: ({ page, subject: { mailsLinks } }) =>
    mailsLinks ? (
      <LinkTo path={FORGOT_PATH} label="account:forgot.link" page={page} />
    ) : (
      <p class="quiet">{page.t('account:signIn.lost')}</p>
    ),
  refused: ['email', 'account:signIn.refused'],
  send: ({ account, visitor, values }) =>
    account.signIn(visitor, { email: values.text('email'), password: values.raw('password') }),
};

/** The second half of signing in: a code of the device, or a backup code. */
export const secondFactor: AccountForm = {
  title: (_, { t }) => t('account:secondFactor.title'),
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
  outro: ({ page, context, values }) => (
    <LinkTo
      path={withReturn(SIGN_IN_PATH, returnPathOf(context, values))}
      label="account:secondFactor.again"
      page={page}
    />
  ),
  refused: ['code', 'account:secondFactor.refused'],
  send: ({ account, visitor, values }) => account.enterSecondFactor(visitor, values.text('code')),
};

/** Asks for the password again before a change of who has access. */
export const confirm: AccountForm<StaffSession> = {
  title: (_, { t }) => t('account:confirm.title'),
  load: (context, site, values) =>
    sessionOr(context, site, withReturn(CONFIRM_PATH, returnPathOf(context, values))),
  intro: ({ page: { t }, subject: { user } }) => (
    <>
      <p>{t('account:confirm.why')}</p>
      <p>{t('account:security.signedInAs', { name: user.name, email: user.email })}</p>
    </>
  ),
  fields: [CURRENT_PASSWORD],
  submit: () => ({ label: 'account:confirm.submit' }),
  outro: ({ page }) => <LinkTo path={ACCOUNT_PATH} label="account:confirm.cancel" page={page} />,
  refused: ['password', 'account:confirm.refused'],
  send: ({ account, visitor, values }) => account.confirmIdentity(visitor, values.raw('password')),
};
