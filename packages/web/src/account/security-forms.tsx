import { isConfirmed, type SecondFactorSetup, type StaffSession } from '@countersign/domain/staff';
import { CheckboxField } from '../forms/choice-fields.tsx';
import { formState } from '../forms/form-state.ts';
import type { FormValues } from '../forms/form-values.ts';
import { StateBadge } from '../parts/badge.tsx';
import { Card, Notice } from '../parts/blocks.tsx';
import { COPY_SCRIPT, CopyButton } from '../parts/copy.tsx';
import { ButtonTo, Result } from '../parts/page-parts.tsx';
import { QrCode } from '../site/qr-code.tsx';
import { redirectTo } from '../staff/area.tsx';
import {
  type AccountField,
  type AccountForm,
  answerForm,
  CONFIRM_PATH,
  leave,
  PASSKEYS_PATH,
  PROVIDERS_PATH,
  refused,
  SECURITY_PATH,
  type Sent,
  sessionOr,
  TO_SECURITY,
  visitorOn,
  withReturn,
} from './account-form.tsx';

interface Security {
  readonly session: StaffSession;
  /** Whether a second factor is set up. */
  readonly isOn: boolean;
  readonly hasPassword: boolean;
  /** Whether the service offers passkeys. */
  readonly offersPasskeys: boolean;
  /** Whether identity providers are set up. */
  readonly offersProviders: boolean;
}

const OWN_PASSWORD: AccountField = {
  name: 'password',
  type: 'password',
  label: 'account:security.password',
  needed: 'account:security.passwordNeeded',
  autocomplete: 'current-password',
};

/** Shows whether a second factor is set up, with the form to set it up or remove it. */
export const security: AccountForm<Security> = {
  title: (_, { t }) => t('account:security.title'),
  async load(context, site) {
    const session = await sessionOr(context, site, SECURITY_PATH);
    if (session instanceof Response) return session;
    const visitor = visitorOn(context, site);
    const { password: hasPassword } = await site.accounts.waysToConfirm(visitor);
    // Their password protects the settings of others.
    if (!hasPassword && !isConfirmed(session, site.options.clock.now())) {
      return redirectTo(context, withReturn(CONFIRM_PATH, SECURITY_PATH));
    }
    const isOn = await site.accounts.hasSecondFactor(visitor);
    const offersPasskeys = site.accounts.passkeys !== undefined;
    const offersProviders = site.accounts.singleSignOn !== undefined;
    return { session, isOn, hasPassword, offersPasskeys, offersProviders };
  },
  isInArea: true,
  intro: ({ page: { t }, context, subject: { session, isOn } }) => (
    <>
      <Result context={context} texts="account:security.done" />
      {context.req.query('needed') !== undefined && !isOn ? (
        <Notice tone="warn">{t('account:security.needed')}</Notice>
      ) : null}
      <p class="lead">
        {t('account:security.signedInAs', { name: session.user.name, email: session.user.email })}
      </p>
    </>
  ),
  around: ({ page, page: { t }, subject: { isOn, hasPassword } }, form) => (
    <Card
      id="second-factor"
      title={t('account:security.secondFactor')}
      more={<StateBadge of={isOn ? 'factor.on' : 'factor.off'} page={page} />}
    >
      <p>{t(isOn ? 'account:security.onText' : 'account:security.offText')}</p>
      {isOn ? (
        <p>{t(hasPassword ? 'account:security.removeHint' : 'account:security.removeHintProvider')}</p>
      ) : null}
      {form}
    </Card>
  ),
  action: ({ isOn }) => `${SECURITY_PATH}/${isOn ? 'remove' : 'begin'}`,
  refusedAt: SECURITY_PATH,
  fields: ({ hasPassword }) => (hasPassword ? [OWN_PASSWORD] : []),
  submit: ({ isOn }) =>
    isOn ? { label: 'account:security.remove', kind: 'danger' } : { label: 'account:security.begin' },
  outro: ({ page, subject: { isOn, offersPasskeys, offersProviders } }) => (
    <>
      {offersPasskeys ? (
        <Card id="passkeys" title={page.t('account:passkeys.title')}>
          <p>{page.t(isOn ? 'account:passkeys.what' : 'account:passkeys.factorFirst')}</p>
          {isOn ? <ButtonTo path={PASSKEYS_PATH} label="account:passkeys.manage" page={page} /> : null}
        </Card>
      ) : null}
      {offersProviders ? (
        <Card id="providers" title={page.t('account:providers.title')}>
          <p>{page.t('account:providers.what')}</p>
          <ButtonTo path={PROVIDERS_PATH} label="account:providers.manage" page={page} />
        </Card>
      ) : null}
    </>
  ),
  refused: ['password', 'account:security.passwordRefused'],
  send: begin,
};

/** The form of `security` that removes the second factor. */
export const removal: AccountForm<Security> = {
  ...security,
  async send({ context, account, visitor, values }) {
    const outcome = await account.removeSecondFactor(visitor, values.raw('password'));
    return outcome.outcome === 'removed' ? redirectTo(context, `${SECURITY_PATH}?done=removed`) : outcome;
  },
};

async function begin({ context, account, visitor, values }: Sent<Security>): ReturnType<AccountForm['send']> {
  const outcome = await account.beginSecondFactor(visitor, values.raw('password'));
  return outcome.outcome === 'begun' ? answerForm(context, setup, outcome) : outcome;
}

/** The page of a set-up that was begun. It is shown once: its secret cannot be read again. */
export const setup: AccountForm<SecondFactorSetup> = {
  title: (_, { t }) => t('account:security.setupTitle'),
  async load(context, site, values) {
    const session = await sessionOr(context, site, SECURITY_PATH);
    if (session instanceof Response) return session;
    return setupIn(values) ?? redirectTo(context, `${SECURITY_PATH}?done=expired`);
  },
  scripts: [COPY_SCRIPT, 'print.js'],
  isInArea: true,
  back: TO_SECURITY,
  intro: ({ page, page: { t }, subject }) => (
    <>
      <Card id="scan" class="not-printed" title={t('account:security.scan')}>
        <QrCode text={subject.uri} alt={t('account:security.qr')} />
        <p>
          {t('account:security.type')} <code class="secret">{inGroups(subject.secret)}</code>
        </p>
      </Card>
      <Card id="save" title={t('account:security.save')}>
        <p>{t('account:security.saveHint')}</p>
        <ul class="backup-codes" id="backup-codes">
          {subject.backupCodes.map((code) => (
            <li>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div class="copy-line not-printed">
          <CopyButton page={page} of="backup-codes" what={t('account:security.backupCodes')} />
          <button type="button" class="secondary" data-print hidden>
            {t('account:security.print')}
          </button>
        </div>
      </Card>
    </>
  ),
  around: ({ page: { t } }, form) => (
    <Card id="confirm" title={t('account:security.confirm')}>
      {form}
    </Card>
  ),
  action: () => `${SECURITY_PATH}/confirm`,
  refusedAt: null,
  top: ({ page: { t }, subject, values, refusal }) => (
    <>
      <input type="hidden" name="uri" value={subject.uri} />
      <input type="hidden" name="secret" value={subject.secret} />
      {subject.backupCodes.map((code) => (
        <input type="hidden" name="backupCodes" value={code} />
      ))}
      <CheckboxField
        form={formState(t, values, refusal?.errors)}
        name="saved"
        label={t('account:security.saved')}
      />
    </>
  ),
  fields: [
    {
      name: 'code',
      label: 'account:security.code',
      autocomplete: 'one-time-code',
      inputmode: 'numeric',
      size: 'medium',
    },
  ],
  submit: () => ({ label: 'account:security.submit' }),
  refused: ['code', 'account:security.codeRefused'],
  async send({ context, page: { t }, account, visitor, values }) {
    if (values.text('saved') !== 'true') return refused('saved', t('account:security.savedNeeded'));
    const code = values.text('code').replaceAll(' ', '');
    if (code === '') return refused('code', t('account:security.codeNeeded'));
    const outcome = await account.confirmSecondFactor(visitor, code);
    return outcome.outcome === 'signed_in' ? leave(context, `${SECURITY_PATH}?done=added`, outcome) : outcome;
  },
};

/** A set-up's address is ASCII, so that it has as many bytes as characters: a QR code holds 2,331 bytes. */
const SETUP_URI = /^otpauth:\/\/totp\/[!-~]{1,1000}$/;

/** Reads the set-up that the page carries. Only the user who was shown it can send it. */
function setupIn(values: FormValues): SecondFactorSetup | null {
  const uri = values.text('uri');
  const secret = values.text('secret');
  const backupCodes = values.all('backupCodes');
  const isWhole =
    SETUP_URI.test(uri) &&
    /^[A-Z2-7=]{16,200}$/i.test(secret) &&
    backupCodes.length > 0 &&
    backupCodes.every((code) => /^[\w-]{4,64}$/.test(code));
  return isWhole ? { uri, secret, backupCodes } : null;
}

/** Writes a secret in groups of four, to be typed. */
function inGroups(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
}
