import type { AuditAction } from '@countersign/domain';
import {
  type Invitation,
  PASSWORD_MAX,
  PASSWORD_MIN,
  type ProviderName,
  passwordLengthRefusal,
} from '@countersign/domain/staff';
import type { Context } from 'hono';
import { DeadEnd } from '../parts/blocks.tsx';
import { ButtonTo, LinkTo } from '../parts/page-parts.tsx';
import { PageError } from '../site/errors.ts';
import type { Page, WebEnv } from '../site/page.ts';
import { redirectTo } from '../staff/area.tsx';
import { visitorOf } from '../staff/gate.ts';
import {
  type AccountForm,
  type AccountSite,
  answerAlone,
  FORGOT_PATH,
  refused,
  SIGN_IN_PATH,
} from './account-form.tsx';
import { CURRENT_PASSWORD, EMAIL } from './fields.ts';
import { ProviderLinks } from './sign-on.tsx';

/** The user of a one-time link, and the providers at which they may join. */
type Joining = Invitation & { readonly providers: readonly ProviderName[] };

/** The page of a one-time link. Only its form uses the link up, because browsers may prefetch the page. */
export const welcome: AccountForm<Joining> = {
  title: ({ name, isReset }, { t }) =>
    isReset === true ? t('account:reset.title') : t('account:welcome.title', { name }),
  async load(context, site) {
    const { as } = await visitorOf(context, site);
    const invitation = await as.account(site.accounts).invitationOf(tokenOf(context));
    if (invitation === null) return refuseLink(context, site, 'account.join');
    return { ...invitation, providers: site.accounts.singleSignOn?.policies ?? [] };
  },
  intro: ({ context, page, subject: { email, isReset, mayUsePassword = true, providers } }) => (
    <>
      {providers.length === 0 ? null : (
        <>
          <p>{page.t('account:signOn.joinHint', { email })}</p>
          <ProviderLinks
            providers={providers}
            label="account:signOn.join"
            query={{ token: tokenOf(context) }}
            returnTo={null}
            page={page}
          />
        </>
      )}
      {mayUsePassword ? (
        <p>{page.t(isReset === true ? 'account:reset.intro' : 'account:welcome.intro', { email })}</p>
      ) : null}
    </>
  ),
  hidesForm: ({ mayUsePassword = true }) => !mayUsePassword,
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
  async send({ context, page, site, account, visitor, values }) {
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
        return answerEnded(context, site);
      default:
        return outcome;
    }
  },
};

/** Asks for a mail with a link to a new password. The answer is the same whether the address has an account or not. */
export const forgotPassword: AccountForm = {
  title: (_, { t }) => t('account:forgot.title'),
  async load(_, site) {
    if (!site.mailsUsers) throw new PageError(404);
    return null;
  },
  intro: ({ page: { t } }) => <p>{t('account:forgot.intro')}</p>,
  fields: [EMAIL],
  submit: () => ({ label: 'account:forgot.submit' }),
  outro: ({ page }) => <LinkTo path={SIGN_IN_PATH} label="account:forgot.back" page={page} />,
  refused: ['email', 'account:signIn.refused'],
  async send({ context, account, visitor, values }) {
    const outcome = await account.requestPasswordReset(visitor, { email: values.text('email') });
    return outcome.outcome === 'throttled' ? outcome : redirectTo(context, `${SIGN_IN_PATH}?done=requested`);
  },
};

/** The page of a mailed link that removes a second factor. Only its form uses the link up, and it needs the password. */
export const lostDevice: AccountForm<Invitation> = {
  title: (_, { t }) => t('account:lostDevice.title'),
  async load(context, site) {
    const { as } = await visitorOf(context, site);
    const found = await as.account(site.accounts).lostFactorOf(tokenOf(context));
    return found ?? refuseLink(context, site, 'account.reset_second_factor');
  },
  intro: ({ page: { t }, subject: { email } }) => <p>{t('account:lostDevice.intro', { email })}</p>,
  top: ({ subject: { email } }) => <input type="hidden" name="username" value={email} autocomplete="username" />,
  fields: [CURRENT_PASSWORD],
  submit: () => ({ label: 'account:lostDevice.submit' }),
  refused: ['password', 'account:confirm.refused'],
  async send({ context, account, visitor, values }) {
    const outcome = await account.removeLostFactor(visitor, {
      token: tokenOf(context),
      password: values.raw('password'),
    });
    return outcome.outcome === 'removed' ? redirectTo(context, `${SIGN_IN_PATH}?done=factor_removed`) : outcome;
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

/** Answers a link that opens nothing. One text for a link that is used, expired, forged or for something else. */
async function refuseLink(context: Context<WebEnv>, site: AccountSite, action: AuditAction): Promise<Response> {
  if (context.req.method === 'POST') {
    const { as } = await visitorOf(context, site);
    await as.recordRefusal({ action, detail: { code: 'LINK_INVALID' } });
  }
  return answerEnded(context, site);
}

const GONE = 410;

function answerEnded(context: Context<WebEnv>, { mailsUsers }: AccountSite): Response | Promise<Response> {
  const page = context.get('page');
  const title = page.t('account:welcome.endedTitle');
  const text = page.t(mailsUsers ? 'account:welcome.endedMailText' : 'account:welcome.endedText');
  return answerAlone(
    context,
    { title, status: GONE },
    <DeadEnd page={page} title={title} text={text}>
      {mailsUsers ? <ButtonTo path={FORGOT_PATH} label="account:forgot.link" page={page} /> : null}
      <ButtonTo path={SIGN_IN_PATH} label="account:signIn.title" page={page} />
    </DeadEnd>,
  );
}
