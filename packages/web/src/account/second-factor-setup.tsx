import type { SecondFactorSetup } from '@countersign/domain';
import type { Context, Handler } from 'hono';
import { CheckboxField } from '../forms/choice-fields.tsx';
import { type FormValues, readForm } from '../forms/form-values.ts';
import { TextField } from '../forms/text-fields.tsx';
import type { WebEnv } from '../site/page.ts';
import { QrCode } from '../site/qr-code.tsx';
import { answerAccountPage } from './account-page.tsx';
import {
  type AccountSite,
  accountActions,
  formOf,
  leave,
  type Refusal,
  refused,
  SECOND_FACTOR_PATH,
  SECURITY_PATH,
  throttled,
  visitorOf,
} from './account-site.ts';

const CONFIRM_PATH = `${SECURITY_PATH}/confirm`;

/** The page of a set-up that was begun. It is shown once: its secret is nowhere else to be read. */
export function answerSetup(
  context: Context<WebEnv>,
  setup: SecondFactorSetup,
  refusal: Refusal | null = null,
  values?: FormValues,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const form = formOf(page, values, refusal?.errors);
  return answerAccountPage(
    context,
    t('account:security.setupTitle'),
    refusal,
    <>
      <h2>{t('account:security.scan')}</h2>
      <QrCode text={setup.uri} alt={t('account:security.qr')} />
      <p>
        {t('account:security.type')} <code class="secret">{inGroups(setup.secret)}</code>
      </p>
      <h2>{t('account:security.save')}</h2>
      <p>{t('account:security.saveHint')}</p>
      <ul class="backup-codes">
        {setup.backupCodes.map((code) => (
          <li>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <form method="post" action={href(CONFIRM_PATH)} novalidate>
        <input type="hidden" name="uri" value={setup.uri} />
        <input type="hidden" name="secret" value={setup.secret} />
        {setup.backupCodes.map((code) => (
          <input type="hidden" name="backupCodes" value={code} />
        ))}
        <CheckboxField form={form} name="saved" label={t('account:security.saved')} />
        <h2>{t('account:security.confirm')}</h2>
        <TextField
          form={form}
          name="code"
          label={t('account:security.code')}
          autocomplete="one-time-code"
          inputmode="numeric"
          size="medium"
        />
        <button type="submit">{t('account:security.submit')}</button>
      </form>
      <p>
        <a href={href(SECURITY_PATH)}>{t('account:security.cancel')}</a>
      </p>
    </>,
  );
}

/** Turns the second factor on, once a code of it was right and the backup codes are safe. */
export function confirmSecondFactor(site: AccountSite): Handler<WebEnv> {
  return async (context) => {
    const page = context.get('page');
    const { t } = page;
    const values = await readForm(context);
    const setup = setupIn(values);
    if (setup === null) return context.redirect(page.href(`${SECURITY_PATH}?done=expired`), 303);
    const again = (refusal: Refusal) => answerSetup(context, setup, refusal, values);

    if (values.text('saved') !== 'true') return again(refused('saved', t('account:security.savedNeeded')));
    const code = values.text('code').replaceAll(' ', '');
    if (code === '') return again(refused('code', t('account:security.codeNeeded')));
    const { account } = await accountActions(context, site);
    const outcome = await account.confirmSecondFactor(visitorOf(context, site), code);
    switch (outcome.outcome) {
      case 'signed_in':
        return leave(context, `${SECURITY_PATH}?done=added`, outcome);
      case 'second_factor_needed':
        return leave(context, SECOND_FACTOR_PATH, outcome);
      case 'refused':
        return again(refused('code', t('account:security.codeRefused')));
      case 'throttled':
        return again(throttled('code', outcome, page));
      default:
        return outcome satisfies never;
    }
  };
}

/** The set-up as the page carries it. Only whoever was shown it can send it, so it tells nothing new. */
function setupIn(values: FormValues): SecondFactorSetup | null {
  const uri = values.text('uri');
  const secret = values.text('secret');
  const backupCodes = values.all('backupCodes');
  const isWhole =
    /^otpauth:\/\/totp\/\S{1,1000}$/.test(uri) &&
    /^[A-Z2-7=]{16,200}$/i.test(secret) &&
    backupCodes.length > 0 &&
    backupCodes.every((code) => /^[\w-]{4,64}$/.test(code));
  return isWhole ? { uri, secret, backupCodes } : null;
}

/** In fours, to be typed. */
function inGroups(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
}
