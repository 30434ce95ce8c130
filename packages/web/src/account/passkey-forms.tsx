import {
  PASSKEY_NAME_MAX,
  PASSKEYS_MAX,
  type Passkey,
  type PasskeyPurpose,
  type PasskeyRequest,
} from '@countersign/domain/staff';
import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import { fieldId } from '../forms/form-state.ts';
import { Card } from '../parts/blocks.tsx';
import { Facts, LinkTo, Moment, Result } from '../parts/page-parts.tsx';
import type { MessageKey } from '../site/messages.ts';
import type { Page, WebEnv } from '../site/page.ts';
import { redirectTo } from '../staff/area.tsx';
import { visitorOf } from '../staff/gate.ts';
import {
  type AccountForm,
  type AccountSite,
  CONFIRM_PATH,
  leave,
  PASSKEY_PATH,
  PASSKEYS_PATH,
  refused,
  returnPathOf,
  SECOND_FACTOR_PATH,
  SECURITY_PATH,
  SIGN_IN_PATH,
  sessionOr,
  TO_SECURITY,
  visitorOn,
  withReturn,
} from './account-form.tsx';

export const PASSKEY_SCRIPT = 'passkey.js';
export const SECOND_FACTOR_PASSKEY_PATH: string = `${SECOND_FACTOR_PATH}/passkey`;

/** A link to sign in with a passkey. It stays hidden where the browser has none. */
export const PasskeyLink: FC<{ path: string; returnTo: string | null; page: Page }> = ({
  path,
  returnTo,
  page: { t, href },
}) => (
  <p data-passkey-link hidden>
    <a href={href(withReturn(path, returnTo))} class="button secondary">
      {t('account:passkey.link')}
    </a>
  </p>
);

/** What the module passes to the browser. */
function dataOf(kind: 'get' | 'create', options: string): Readonly<Record<`data-${string}`, string>> {
  return { 'data-passkey': kind, 'data-options': options };
}

/** The answer that the module fills in, and the place of its message. */
const AnswerField: FC<{ failed: MessageKey; page: Page }> = ({ failed, page: { t } }) => (
  <>
    <input type="hidden" name="response" value="" />
    <p id={fieldId('response')} tabindex={-1} role="status" data-passkey-status data-failed={t(failed)} />
  </>
);

function keepCookies(context: Context<WebEnv>, { setCookies }: PasskeyRequest): void {
  for (const line of setCookies) context.header('Set-Cookie', line, { append: true });
}

/** Signs in with a passkey, or enters it in place of a code. */
function formFor(purpose: PasskeyPurpose, path: string, intro: MessageKey): AccountForm<PasskeyRequest> {
  return {
    title: (_, { t }) => t('account:passkey.title'),
    async load(context, site) {
      const { as } = await visitorOf(context, site);
      const request = await as.account(site.accounts).beginPasskey(visitorOn(context, site), purpose);
      if (request === null) return redirectTo(context, SIGN_IN_PATH);
      keepCookies(context, request);
      return request;
    },
    scripts: [PASSKEY_SCRIPT],
    intro: ({ page: { t } }) => (
      <>
        <p>{t(intro)}</p>
        <noscript>
          <p>{t('account:passkey.needsScript')}</p>
        </noscript>
      </>
    ),
    action: () => path,
    data: ({ options }) => dataOf('get', options),
    top: ({ page }) => <AnswerField failed="account:passkey.failed" page={page} />,
    fields: [],
    submit: () => ({ label: 'account:passkey.submit' }),
    outro: ({ page, context, values }) => (
      <LinkTo
        path={withReturn(SIGN_IN_PATH, returnPathOf(context, values))}
        label="account:passkey.again"
        page={page}
      />
    ),
    refused: ['response', 'account:passkey.refused'],
    send: ({ account, visitor, values }) =>
      account.enterPasskey(visitor, { purpose, response: values.raw('response') }),
  };
}

export const signInPasskey: AccountForm<PasskeyRequest> = formFor(
  'sign_in',
  PASSKEY_PATH,
  'account:passkey.intro',
);

export const secondFactorPasskey: AccountForm<PasskeyRequest> = formFor(
  'second_factor',
  SECOND_FACTOR_PASSKEY_PATH,
  'account:passkey.introSecond',
);

interface OwnPasskeys {
  readonly passkeys: readonly Passkey[];
  readonly request: PasskeyRequest;
}

async function loadOwn(context: Context<WebEnv>, site: AccountSite): Promise<OwnPasskeys | Response> {
  const session = await sessionOr(context, site, PASSKEYS_PATH);
  if (session instanceof Response) return session;
  const { as } = await visitorOf(context, site);
  const account = as.account(site.accounts);
  const visitor = visitorOn(context, site);
  const access = await account.passkeyAccess(visitor);
  if (access === 'confirmation_needed') return redirectTo(context, withReturn(CONFIRM_PATH, PASSKEYS_PATH));
  const request = await account.beginAddingPasskey(visitor);
  if (request === null || site.accounts.passkeys === undefined) return redirectTo(context, SECURITY_PATH);
  keepCookies(context, request);
  return { passkeys: await site.accounts.passkeys.list(session.user.id), request };
}

/** Lists the user's passkeys, with the form that adds one. */
export const passkeys: AccountForm<OwnPasskeys> = {
  title: (_, { t }) => t('account:passkeys.title'),
  load: loadOwn,
  scripts: [PASSKEY_SCRIPT],
  isInArea: true,
  back: TO_SECURITY,
  intro: ({ context, page, subject }) => (
    <>
      <Result context={context} texts="account:passkeys.done" />
      <p class="lead">{page.t('account:passkeys.what')}</p>
      {subject.passkeys.length === 0 ? <p>{page.t('account:passkeys.none')}</p> : null}
      {subject.passkeys.map((passkey) => (
        <PasskeyItem passkey={passkey} page={page} />
      ))}
    </>
  ),
  around: ({ page, subject }, form) => (
    <Card id="add" title={page.t('account:passkeys.addTitle')}>
      <noscript>
        <p>{page.t('account:passkey.needsScript')}</p>
      </noscript>
      {isFull(subject) ? <p>{page.t('account:passkeys.tooMany', { max: PASSKEYS_MAX })}</p> : null}
      {form}
    </Card>
  ),
  action: () => PASSKEYS_PATH,
  refusedAt: PASSKEYS_PATH,
  data: ({ request }) => dataOf('create', request.options),
  top: ({ page }) => <AnswerField failed="account:passkeys.failed" page={page} />,
  fields: [
    {
      name: 'name',
      label: 'account:passkeys.name',
      hint: 'account:passkeys.nameHint',
      needed: 'account:passkeys.nameNeeded',
      maxlength: PASSKEY_NAME_MAX,
    },
  ],
  hidesForm: isFull,
  submit: () => ({ label: 'account:passkeys.submit' }),
  refused: ['response', 'account:passkeys.refused'],
  async send({ context, page: { t }, account, visitor, values }) {
    const answer = { name: values.text('name'), response: values.raw('response') };
    const outcome = await account.addPasskey(visitor, answer);
    if (outcome.outcome === 'too_many') {
      return refused('response', t('account:passkeys.tooMany', { max: PASSKEYS_MAX }));
    }
    return outcome.outcome === 'added' ? leave(context, `${PASSKEYS_PATH}?done=added`, outcome) : outcome;
  },
};

/** The forms of `passkeys` that remove one. */
export const passkeyRemoval: AccountForm<OwnPasskeys> = {
  ...passkeys,
  fields: [],
  refused: ['response', 'account:passkeys.notFound'],
  async send({ context, account, visitor, values }) {
    const outcome = await account.removePasskey(visitor, values.text('passkey'));
    return outcome.outcome === 'removed' ? redirectTo(context, `${PASSKEYS_PATH}?done=removed`) : outcome;
  },
};

function isFull({ passkeys: { length } }: OwnPasskeys): boolean {
  return length >= PASSKEYS_MAX;
}

const PasskeyItem: FC<{ passkey: Passkey; page: Page }> = ({ passkey: { id, name, createdAt, usedAt }, page }) => (
  <section class="card">
    <h2 class="as-typed">
      <bdi>{name}</bdi>
    </h2>
    <Facts
      items={[
        [page.t('account:passkeys.created'), <Moment at={createdAt} page={page} />],
        [
          page.t('account:passkeys.used'),
          usedAt === null ? page.t('account:passkeys.never') : <Moment at={usedAt} page={page} />,
        ],
      ]}
    />
    <form method="post" action={page.href(`${PASSKEYS_PATH}/remove`)}>
      <input type="hidden" name="passkey" value={id} />
      <button type="submit" class="danger">
        {page.t('account:passkeys.remove', { name })}
      </button>
    </form>
  </section>
);
