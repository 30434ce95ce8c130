import type { Verification } from '@countersign/domain';
import { currentStepOf, stepsOf } from '@countersign/domain/flows';
import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import { Notice } from '../parts/blocks.tsx';
import { EncryptedLine } from '../parts/encrypted-line.tsx';
import { answerPage } from '../site/layout.tsx';
import type { Page } from '../site/page.ts';
import { QrCode } from '../site/qr-code.tsx';
import type { Site } from '../site/site.ts';
import { clientName } from './consent-text.tsx';
import { addressOf, BackLink } from './flow-frame.tsx';
import { isAnswerable, PHONE } from './navigation.ts';
import type { VerifyEnv } from './session.ts';

/** Shows the QR code with which the subject continues on a phone, and the progress there. */
export async function showPhonePage(context: Context<VerifyEnv>, { options }: Site): Promise<Response> {
  const verification = context.get('verification');
  if (!isAnswerable(verification)) return context.redirect(addressOf(context), 303);
  const page = context.get('page');
  const { t } = page;
  const path = addressOf(context, PHONE);
  const link = await options.countersign.subject.linkOf(context.get('access'));
  return answerPage(
    context,
    { title: t('capture:phone.title'), scripts: ['htmx.js', 'handoff.js'], styles: ['capture.css'] },
    <>
      <div class="flow-head">
        <BackLink page={page} address={addressOf(context)} />
      </div>
      <h1>{t('capture:phone.title')}</h1>
      <p>{t('capture:phone.intro')}</p>
      <p>{t('capture:phone.scan')}</p>
      <QrCode text={link} alt={t('capture:phone.alt')} />
      <div class="field">
        <label for="phone-link">{t('capture:phone.link')}</label>
        <input
          id="phone-link"
          data-handoff-link
          type="text"
          value={link}
          readonly
          autocomplete="off"
          spellcheck={false}
        />
      </div>
      <Notice tone="warn">
        <p>{t('capture:phone.personal')}</p>
      </Notice>
      <h2 id="phone-progress-title">{t('capture:phone.follow')}</h2>
      <div
        data-handoff
        role="status"
        aria-labelledby="phone-progress-title"
        hx-get={`${path}/progress`}
        hx-trigger="handoff-ask"
        hx-swap="innerHTML"
      >
        <PhoneProgress page={page} verification={verification} />
      </div>
      <form method="get" action={path}>
        <div class="buttons">
          <button type="submit" class="outline">
            {t('capture:phone.check')}
          </button>
          <a href={addressOf(context)}>{t('capture:phone.here')}</a>
        </div>
      </form>
      <EncryptedLine page={page} client={await clientName(page)} />
    </>,
  );
}

/** Answers the part of the phone page that the browser polls. Sends it on once nothing is left to answer. */
export function showPhoneProgress(context: Context<VerifyEnv>): Response | Promise<Response> {
  const verification = context.get('verification');
  // htmx leaves the page for the address in this header.
  if (!isAnswerable(verification)) return context.body(null, 200, { 'HX-Redirect': addressOf(context) });
  return context.html(<PhoneProgress page={context.get('page')} verification={verification} />);
}

const PhoneProgress: FC<{ page: Page; verification: Verification }> = ({ page: { t }, verification }) => {
  const steps = stepsOf(verification.flow);
  const done = currentStepOf(verification);
  const step = steps[done];
  return (
    <>
      <progress value={done} max={steps.length} aria-hidden="true" />
      <p>
        {done === 0 ? t('capture:phone.started') : t('capture:phone.done', { count: done, total: steps.length })}{' '}
        {step === undefined
          ? t('capture:phone.ready')
          : t('capture:phone.now', { step: t(`verify:steps.${step}`) })}
      </p>
    </>
  );
};
