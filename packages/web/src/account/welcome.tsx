import { type Invitation, PASSWORD_MAX, PASSWORD_MIN } from '@countersign/domain';
import type { Context, Handler } from 'hono';
import { readForm } from '../forms/form-values.ts';
import { TextField } from '../forms/text-fields.tsx';
import { answerPage } from '../site/layout.tsx';
import type { Page, WebEnv } from '../site/page.ts';
import { answerAccountPage } from './account-page.tsx';
import {
  ACCOUNT_PATH,
  type AccountSite,
  accountActions,
  formOf,
  leave,
  type Refusal,
  refused,
  SECOND_FACTOR_PATH,
  SIGN_IN_PATH,
  throttled,
  visitorOf,
} from './account-site.ts';

const GONE = 410;

/** Shows the page of a one-time link. Only its form uses the link up, because browsers may prefetch the page. */
export function welcomePage({ accounts }: AccountSite): Handler<WebEnv, '/welcome/:token'> {
  return async (context) => {
    const invitation = await accounts.invitationOf(context.req.param('token'));
    return invitation === null ? answerEnded(context) : answer(context, invitation, null);
  };
}

export function acceptInvitation(site: AccountSite): Handler<WebEnv, '/welcome/:token'> {
  const { accounts } = site;
  return async (context) => {
    const page = context.get('page');
    const { t } = page;
    const token = context.req.param('token');
    const invitation = await accounts.invitationOf(token);
    const { as, account } = await accountActions(context, site);
    if (invitation === null) {
      await as.recordRefusal({ action: 'account.join', detail: { code: 'LINK_INVALID' } });
      return answerEnded(context);
    }
    const values = await readForm(context);
    const password = values.raw('password');
    const again = (refusal: Refusal) => answer(context, invitation, refusal);

    if (password !== values.raw('repeat')) return again(refused('repeat', t('account:welcome.different')));
    const outcome = await account.acceptInvitation(visitorOf(context, site), { token, password });
    switch (outcome.outcome) {
      case 'signed_in':
        return leave(context, ACCOUNT_PATH, outcome);
      case 'second_factor_needed':
        return leave(context, SECOND_FACTOR_PATH, outcome);
      case 'password_refused':
        return again(refused('password', reasonInWords(outcome.reason, page)));
      case 'refused':
        return answerEnded(context);
      case 'throttled':
        return again(throttled('password', outcome, page));
      default:
        return outcome satisfies never;
    }
  };
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

function answer(
  context: Context<WebEnv>,
  { name, email }: Invitation,
  refusal: Refusal | null,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href, path } = page;
  const form = formOf(page, undefined, refusal?.errors);
  return answerAccountPage(
    context,
    t('account:welcome.title', { name }),
    refusal,
    <>
      <p>{t('account:welcome.intro', { email })}</p>
      <form method="post" action={href(path)} novalidate>
        {/* Tells a password manager which account the password is for. */}
        <input type="hidden" name="username" value={email} autocomplete="username" />
        <TextField
          form={form}
          name="password"
          type="password"
          label={t('account:welcome.password')}
          hint={t('account:welcome.passwordHint', { min: PASSWORD_MIN })}
          autocomplete="new-password"
        />
        <TextField
          form={form}
          name="repeat"
          type="password"
          label={t('account:welcome.repeat')}
          autocomplete="new-password"
        />
        <button type="submit">{t('account:welcome.submit')}</button>
      </form>
    </>,
  );
}

function answerEnded(context: Context<WebEnv>): Response | Promise<Response> {
  const { t, href } = context.get('page');
  const title = t('account:welcome.endedTitle');
  return answerPage(
    context,
    { title, status: GONE },
    <>
      <h1>{title}</h1>
      <p>{t('account:welcome.endedText')}</p>
      <p>
        <a href={href(SIGN_IN_PATH)}>{t('account:signIn.title')}</a>
      </p>
    </>,
  );
}
