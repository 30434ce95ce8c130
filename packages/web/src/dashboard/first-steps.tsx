import { createVerification, issueApiKey, readFirstSteps } from '@countersign/domain/actions';
import type { FirstStep } from '@countersign/domain/clients';
import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import { FirstRequest } from '../actions/keys/code-samples.tsx';
import { type Docs, GUIDES_PATH } from '../docs/docs.ts';
import { FIRST_REQUEST_LANGUAGES } from '../docs/first-request.ts';
import type { GuideSlug } from '../docs/guide.ts';
import { StateBadge } from '../parts/badge.tsx';
import { Icon } from '../parts/icon.tsx';
import { listInWords } from '../site/formats.ts';
import type { Page } from '../site/page.ts';
import { DOCS_PATH } from '../site/paths.ts';
import type { StaffEnv } from '../staff/area.tsx';
import { hrefInMode } from '../staff/mode.ts';
import { NEW_KEY_PATH, NEW_VERIFICATION_PATH, NEW_WEBHOOK_PATH, USAGE_PATH } from './paths.ts';

/** A first step with the address where the user does it; null for users who may not. */
type LinkedStep = FirstStep & { readonly href: string | null };

/** Reads the first steps of the client, and where its user does each: in test mode, but for the last. */
export async function firstStepsOf(context: Context<StaffEnv>): Promise<readonly LinkedStep[]> {
  const { may, run } = context.get('as');
  const site = context.get('site');
  const inTest = (path: string): string => hrefInMode(site, 'test', path);
  const newVerification = may(createVerification) === 'no' ? null : NEW_VERIFICATION_PATH;

  function hrefOf({ name, lacks }: FirstStep): string | null {
    switch (name) {
      case 'key':
        return inTest(NEW_KEY_PATH);
      case 'verification':
        return newVerification && inTest(newVerification);
      case 'webhook':
        return inTest(NEW_WEBHOOK_PATH);
      default:
        return hrefInMode(site, 'live', livePathOf(lacks));
    }
  }

  /** Users who may not do what lacks see the usage, which shows the subscription. */
  function livePathOf(lacks: FirstStep['lacks']): string {
    if (lacks === 'key' && may(issueApiKey) !== 'no') return NEW_KEY_PATH;
    return (lacks === 'verification' ? newVerification : null) ?? USAGE_PATH;
  }

  return (await run(readFirstSteps, {})).map((step) => ({ ...step, href: hrefOf(step) }));
}

/** Steps without which the client cannot use the API. Once they are done, the list is folded. */
const NEEDED: readonly FirstStep['name'][] = ['key', 'verification'];

const GUIDES = ['webhooks', 'test-mode'] as const satisfies readonly GuideSlug[];

/** Lists what to do first, as long as something is left to do. @param props.docs null without documentation */
export const FirstSteps: FC<{ steps: readonly LinkedStep[]; page: Page; docs: Docs | null }> = (props) => {
  const { steps, page, docs } = props;
  const { t, href, language } = page;
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  const isBeginning = steps.some(({ name, isDone }) => !isDone && NEEDED.includes(name));
  return (
    <section aria-labelledby="first-title" class="card">
      <details class="fold" open={isBeginning}>
        <summary>
          <h2 id="first-title">{t('dashboard:home.firstTitle')}</h2>{' '}
          <span class="quiet">{t('dashboard:home.firstDone', { done, all: steps.length })}</span>
          <Icon page={page} name="chevron-down" />
        </summary>
        <ol class="first-steps">
          {steps.map((step) => (
            <Step step={step} page={page} />
          ))}
        </ol>
        {docs === null ? null : (
          <>
            <details>
              <summary>
                {t('dashboard:home.samples', { languages: listInWords(FIRST_REQUEST_LANGUAGES, language) })}
              </summary>
              <FirstRequest page={page} docs={docs} />
            </details>
            <ul class="inline">
              <li>
                <a href={href(DOCS_PATH)}>{t('dashboard:home.reference')}</a>
              </li>
              {GUIDES.map((slug) => (
                <li>
                  <a href={href(`${GUIDES_PATH}/${slug}`)}>{t(`dashboard:home.guides.${slug}`)}</a>
                </li>
              ))}
            </ul>
          </>
        )}
      </details>
    </section>
  );
};

const Step: FC<{ step: LinkedStep; page: Page }> = ({ step: { name, isDone, href }, page }) => {
  const { t } = page;
  const words = t(`dashboard:home.steps.${name}.name`);
  if (isDone) {
    return (
      <li>
        <Icon page={page} name="check" />
        <p>
          {words} <StateBadge of="step.done" page={page} />
        </p>
      </li>
    );
  }
  return (
    <li>
      <Icon page={page} name="circle" />
      <p>
        {href === null ? <strong>{words}</strong> : <a href={href}>{words}</a>}
        <span class="block quiet">{t(`dashboard:home.steps.${name}.text`)}</span>
      </p>
    </li>
  );
};
