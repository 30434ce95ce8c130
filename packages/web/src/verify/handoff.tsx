import { type HandOver, isCountersignError, type Verification } from '@countersign/domain';
import { currentStepOf, stepsOf } from '@countersign/domain/flows';
import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import { ErrorSummary, HintAndError } from '../forms/field-parts.tsx';
import { fieldId, formState } from '../forms/form-state.ts';
import { statusOfKept } from '../forms/kept-form.ts';
import { stepName } from '../forms/step-name.ts';
import { Notice } from '../parts/blocks.tsx';
import { COPY_SCRIPT, CopyField } from '../parts/copy.tsx';
import { EncryptedLine } from '../parts/encrypted-line.tsx';
import { BackLink } from '../parts/page-parts.tsx';
import { untilInWords } from '../site/days.ts';
import { answerPage } from '../site/layout.tsx';
import type { Page } from '../site/page.ts';
import { QrCode } from '../site/qr-code.tsx';
import type { Site } from '../site/site.ts';
import { clientName } from './consent-text.tsx';
import { addressOf } from './flow-frame.tsx';
import { keepCode, keptCode } from './hand-over-cookie.ts';
import { keep, takeKept } from './kept.ts';
import { isAnswerable, PHONE, verifyPath } from './navigation.ts';
import type { VerifyEnv } from './session.ts';

/** What the page shows of the code. `none`: it was not asked for. `ended` also says that a later code replaced it. */
type CodeState = 'none' | 'open' | 'used' | 'ended';

/** Shows the QR code with which the subject continues on a phone, and the progress there. Issues no code. */
export async function showPhonePage(context: Context<VerifyEnv>, site: Site): Promise<Response> {
  const verification = context.get('verification');
  if (!isAnswerable(verification)) return context.redirect(addressOf(context), 303);
  return answerPhonePage(context, site, takeKept(context, site)?.errors);
}

/** Issues a code, unless this browser has one that works, and redirects to the page that shows it. */
export async function takePhonePage(context: Context<VerifyEnv>, site: Site): Promise<Response> {
  if (!isAnswerable(context.get('verification'))) return context.redirect(addressOf(context), 303);
  try {
    if (codeState(await keptCode(context, site)) !== 'open') {
      keepCode(context, site, await site.options.countersign.subject.issueHandOver(context.get('access')));
    }
  } catch (error) {
    const retryAt = isCountersignError(error, 'TOO_MANY_HAND_OVERS') ? error.data?.retryAt : undefined;
    if (retryAt === undefined) throw error;
    const minutes = Math.ceil((new Date(retryAt).getTime() - site.options.clock.now().getTime()) / MINUTE_MS);
    const errors = new Map([[BUTTON, context.get('page').t('capture:phone.limit', { count: minutes })]]);
    return keep(context, site, { errors }) ?? answerPhonePage(context, site, errors);
  }
  return context.redirect(addressOf(context, PHONE), 303);
}

const MINUTE_MS = 60 * 1000;

/** Name of the button to which the limit of codes belongs. */
const BUTTON = 'code';

async function answerPhonePage(
  context: Context<VerifyEnv>,
  site: Site,
  errors: ReadonlyMap<string, string> = new Map(),
): Promise<Response> {
  const page = context.get('page');
  const { t } = page;
  const path = addressOf(context, PHONE);
  const code = await keptCode(context, site);
  const state = codeState(code);
  return answerPage(
    context,
    {
      title: t('capture:phone.title'),
      hasErrors: errors.size > 0,
      status: statusOfKept(context, errors.size > 0 ? TOO_MANY : undefined),
      scripts: ['htmx.js', 'handoff.js', COPY_SCRIPT],
      styles: ['capture.css'],
    },
    <>
      <div class="flow-head">
        <BackLink path={verifyPath(context.get('verification'))} label="site:back" page={page} />
      </div>
      <ErrorSummary title={t('site:error.summary')} errors={errors} />
      <h1>{t('capture:phone.title')}</h1>
      <p>{t('capture:phone.intro')}</p>
      {code === null || code === 'replaced' || state !== 'open' ? (
        <NewCode page={page} action={path} state={state} errors={errors} />
      ) : (
        <Code page={page} code={code} until={untilInWords(page, code.expiresAt, site.options.clock.now())} />
      )}
      <h2 id="phone-progress-title">{t('capture:phone.follow')}</h2>
      <div
        data-handoff
        role="status"
        aria-labelledby="phone-progress-title"
        hx-get={`${path.split('?', 1)[0]}/progress?${SHOWN}=${state}`}
        hx-trigger="handoff-ask"
        hx-swap="innerHTML"
      >
        <PhoneProgress page={page} verification={context.get('verification')} />
      </div>
      <form method="get" action={path}>
        <div class="buttons">
          <button type="submit" class="secondary">
            {t('capture:phone.check')}
          </button>
          <a href={addressOf(context)}>{t('capture:phone.here')}</a>
        </div>
      </form>
      <EncryptedLine page={page} client={await clientName(page)} />
    </>,
  );
}

const TOO_MANY = 429;

/** Query parameter of the polled part: the state of the code on the page that polls. */
const SHOWN = 'shown';

function codeState(code: HandOver | 'replaced' | null): CodeState {
  if (code === null) return 'none';
  if (code === 'replaced') return 'ended';
  if (code.end === null) return 'open';
  return code.end === 'used' ? 'used' : 'ended';
}

/** The code as a picture and as a link. */
const Code: FC<{ page: Page; code: HandOver; until: string }> = ({ page, page: { t }, code: { url }, until }) => (
  <>
    <p>{t('capture:phone.scan')}</p>
    <QrCode text={url} alt={t('capture:phone.alt')} />
    <p>{t('capture:phone.once', { until })}</p>
    <CopyField page={page} id="phone-link" label={t('capture:phone.link')} value={url} />
    <Notice tone="warn">{t('capture:phone.personal')}</Notice>
  </>
);

/** Says what became of the code, and offers another one. */
const NewCode: FC<{
  page: Page;
  action: string;
  state: CodeState;
  errors: ReadonlyMap<string, string>;
}> = ({ page: { t }, action, state, errors }) => (
  <>
    {state === 'used' || state === 'ended' ? <Notice>{t(`capture:phone.${state}`)}</Notice> : null}
    <form method="post" action={action} class={errors.size > 0 ? 'field has-error' : 'field'}>
      <HintAndError form={formState(t, undefined, errors)} name={BUTTON} />
      <button type="submit" id={fieldId(BUTTON)} class={state === 'used' ? 'secondary' : undefined}>
        {t(state === 'none' ? 'capture:phone.show' : 'capture:phone.again')}
      </button>
    </form>
  </>
);

/** Answers the part of the phone page that the browser polls. Redirects it once nothing is left to answer, or the code has ended. */
export async function showPhoneProgress(context: Context<VerifyEnv>, site: Site): Promise<Response> {
  const verification = context.get('verification');
  // htmx leaves the page for the address in this header.
  if (!isAnswerable(verification)) return context.body(null, 200, { 'HX-Redirect': addressOf(context) });
  const shown = context.req.query(SHOWN);
  const hasEnded = shown === 'open' && codeState(await keptCode(context, site)) !== 'open';
  if (hasEnded) return context.body(null, 200, { 'HX-Redirect': addressOf(context, PHONE) });
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
          : t('capture:phone.now', { step: stepName(t, step, verification.type) })}
      </p>
    </>
  );
};
