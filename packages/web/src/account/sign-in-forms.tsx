import {
  type Invitation,
  PASSWORD_MAX,
  PASSWORD_MIN,
  passwordLengthRefusal,
  type StaffSession,
} from '@countersign/domain';
import type { Context } from 'hono';
import { answerPage } from '../site/layout.tsx';
import type { Page, WebEnv } from '../site/page.ts';
import { visitorOf } from '../staff/gate.ts';
import { LinkTo } from '../staff/page-parts.tsx';
import {
  ACCOUNT_PATH,
  type AccountForm,
  CONFIRM_PATH,
  refused,
  returnPathOf,
  SIGN_IN_PATH,
  sessionOr,
  withReturn,
} from './account-form.tsx';

/** Signs in. One message covers a wrong e-mail address and a wrong password. */
export const signIn: AccountForm = {
  title: (_, { t }) => t('account:signIn.title'),
  fields: [
    {
      name: 'email',
      type: 'email',
      inputmode: 'email',
      label: 'account:signIn.email',
      needed: 'account:signIn.emailNeeded',
      autocomplete: 'username',
    },
    {
      name: 'password',
      type: 'password',
      label: 'account:signIn.password',
      needed: 'account:signIn.passwordNeeded',
      autocomplete: 'current-password',
    },
  ],
  submit: () => ({ label: 'account:signIn.submit' }),
  outro: ({ page: { t } }) => <p class="quiet">{t('account:signIn.lost')}</p>,
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
  fields: [
    {
      name: 'password',
      type: 'password',
      label: 'account:confirm.password',
      needed: 'account:confirm.passwordNeeded',
      autocomplete: 'current-password',
    },
  ],
  submit: () => ({ label: 'account:confirm.submit' }),
  outro: ({ page }) => <LinkTo path={ACCOUNT_PATH} label="account:confirm.cancel" page={page} />,
  refused: ['password', 'account:confirm.refused'],
  send: ({ account, visitor, values }) => account.confirmIdentity(visitor, values.raw('password')),
};

/** The page of a one-time link. Only its form uses the link up, because browsers may prefetch the page. */
export const welcome: AccountForm<Invitation> = {
  title: ({ name }, { t }) => t('account:welcome.title', { name }),
  async load(context, site) {
    const invitation = await site.accounts.invitationOf(tokenOf(context));
    if (invitation !== null) return invitation;
    if (context.req.method === 'POST') {
      const { as } = await visitorOf(context, site);
      await as.recordRefusal({ action: 'account.join', detail: { code: 'LINK_INVALID' } });
    }
    return answerEnded(context);
  },
  intro: ({ page: { t }, subject: { email } }) => <p>{t('account:welcome.intro', { email })}</p>,
  // Tells a password manager which account the password is for.
  top: ({ subject: { email } }) => <input type="hidden" name="username" value={email} autocomplete="username" />,
  fields: [
    {
      name: 'password',
      type: 'password',
      label: 'account:welcome.password',
      hint: 'account:welcome.passwordHint',
      autocomplete: 'new-password',
    },
    { name: 'repeat', type: 'password', label: 'account:welcome.repeat', autocomplete: 'new-password' },
  ],
  submit: () => ({ label: 'account:welcome.submit' }),
  refused: ['password', 'account:welcome.endedTitle'],
  async send({ context, page, account, visitor, values }) {
    const password = values.raw('password');
    // First, because a second password of the right length would not help.
    const ofLength = passwordLengthRefusal(password);
    if (ofLength !== null) return refused('password', reasonInWords(ofLength, page));
    if (password !== values.raw('repeat')) return refused('repeat', page.t('account:welcome.different'));
    const outcome = await account.acceptInvitation(visitor, { token: tokenOf(context), password });
    switch (outcome.outcome) {
      case 'password_refused':
        return refused('password', reasonInWords(outcome.reason, page));
      case 'refused':
        return answerEnded(context);
      default:
        return outcome;
    }
  },
};

function tokenOf(context: Context<WebEnv>): string {
  return context.req.param('token') ?? '';
}

function reasonInWords(reason: 'too_short' | 'too_long' | 'too_common', { t }: Page): string {
  switch (reason) {
    case 'too_short':
      return t('account:welcome.tooShort', { min: PASSWORD_MIN });
    case 'too_long':
      return t('account:welcome.tooLong', { max: PASSWORD_MAX });
    case 'too_common':
      return t('account:welcome.tooCommon');
    default:
      return reason satisfies never;
  }
}

const GONE = 410;

function answerEnded(context: Context<WebEnv>): Response | Promise<Response> {
  const page = context.get('page');
  const title = page.t('account:welcome.endedTitle');
  return answerPage(
    context,
    { title, status: GONE },
    <>
      <h1>{title}</h1>
      <p>{page.t('account:welcome.endedText')}</p>
      <LinkTo path={SIGN_IN_PATH} label="account:signIn.title" page={page} />
    </>,
  );
}
