import {
  createVerification,
  listApiKeys,
  listVerifications,
  listWebhooks,
  readOwnMonth,
} from '@countersign/domain/actions';
import type { ClientMode } from '@countersign/domain/clients';
import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import { FirstRequest } from '../actions/keys/code-samples.tsx';
import { type Docs, GUIDES_PATH } from '../docs/docs.ts';
import { FIRST_REQUEST_LANGUAGES } from '../docs/first-request.ts';
import type { GuideSlug } from '../docs/guide.ts';
import { StateBadge } from '../parts/badge.tsx';
import { listInWords } from '../site/formats.ts';
import type { Page } from '../site/page.ts';
import { DOCS_PATH } from '../site/paths.ts';
import type { StaffEnv } from '../staff/area.tsx';
import { asInMode } from '../staff/gate.ts';
import { hrefInMode } from '../staff/mode.ts';
import { NEW_KEY_PATH, NEW_VERIFICATION_PATH, NEW_WEBHOOK_PATH, USAGE_PATH } from './paths.ts';

/** A step from the first key to real subjects. */
interface FirstStep {
  readonly name: 'key' | 'verification' | 'webhook' | 'live';
  readonly isDone: boolean;
  /** The address where the user does it; null for users who may not. */
  readonly href: string | null;
}

/** What a client has in one mode. Null for users who may not read it. */
export interface Beginnings {
  readonly keys: number | null;
  readonly verifications: number;
  readonly endpoints: number | null;
  readonly hasSubscription: boolean;
}

/** Reads what the client has in a mode. */
async function beginningsIn(context: Context<StaffEnv>, mode: ClientMode): Promise<Beginnings> {
  const { run, may } = asInMode(context, mode);
  const [keys, verifications, endpoints, usage] = await Promise.all([
    may(listApiKeys) === 'no' ? null : run(listApiKeys, {}).then(({ active }) => active),
    run(listVerifications, {}).then(({ total }) => total.count),
    may(listWebhooks) === 'no' ? null : run(listWebhooks, {}).then((found) => found.endpoints.length),
    run(readOwnMonth, {}),
  ]);
  return { keys, verifications, endpoints, hasSubscription: usage.state !== 'no_active_subscription' };
}

/**
 * Lists the steps by facts of both modes: a client begins in test mode, and goes live with a key of its own and a subscription.
 * @param here what the client has in the mode of the page
 */
export async function firstStepsOf(context: Context<StaffEnv>, here: Beginnings): Promise<readonly FirstStep[]> {
  const mode = context.get('area').mode ?? 'live';
  // A client that is in full use has all it needs in live mode. The other mode is not read for each visit.
  const isInUse =
    mode === 'live' && here.hasSubscription && here.verifications > 0 && here.keys !== 0 && here.endpoints !== 0;
  if (isInUse) return [];
  const there = await beginningsIn(context, mode === 'live' ? 'test' : 'live');
  const [live, test] = mode === 'live' ? [here, there] : [there, here];
  const { may } = context.get('as');
  const site = context.get('site');
  const { keys, endpoints } = test;
  const isLive = live.hasSubscription && live.keys !== 0;
  return [
    ...(keys === null
      ? []
      : [
          {
            name: 'key',
            isDone: keys > 0 || live.keys !== 0,
            href: hrefInMode(site, 'test', NEW_KEY_PATH),
          } as const,
        ]),
    {
      name: 'verification',
      isDone: test.verifications + live.verifications > 0,
      href: may(createVerification) === 'no' ? null : hrefInMode(site, 'test', NEW_VERIFICATION_PATH),
    },
    ...(endpoints === null
      ? []
      : [
          {
            name: 'webhook',
            isDone: endpoints > 0 || live.endpoints !== 0,
            href: hrefInMode(site, 'test', NEW_WEBHOOK_PATH),
          } as const,
        ]),
    {
      name: 'live',
      isDone: isLive,
      href: hrefInMode(site, 'live', live.hasSubscription && live.keys === 0 ? NEW_KEY_PATH : USAGE_PATH),
    },
  ];
}

/** Steps without which the client cannot use the API. Once they are done, the list is folded. */
const NEEDED: readonly FirstStep['name'][] = ['key', 'verification'];

const GUIDES = ['webhooks', 'test-mode'] as const satisfies readonly GuideSlug[];

/** Lists what to do first, as long as something is left to do. @param props.docs null without documentation */
export const FirstSteps: FC<{ steps: readonly FirstStep[]; page: Page; docs: Docs | null }> = (props) => {
  const { steps, page, docs } = props;
  const { t, href, language } = page;
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  const isBeginning = steps.some(({ name, isDone }) => !isDone && NEEDED.includes(name));
  return (
    <section aria-labelledby="first-title" class="notice">
      <details open={isBeginning}>
        <summary>
          <h2 id="first-title">{t('dashboard:home.firstTitle')}</h2>{' '}
          {t('dashboard:home.firstDone', { done, all: steps.length })}
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
            <ul>
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

const Step: FC<{ step: FirstStep; page: Page }> = ({ step: { name, isDone, href }, page }) => {
  const { t } = page;
  const words = t(`dashboard:home.steps.${name}.name`);
  if (isDone) {
    return (
      <li>
        {words} <StateBadge of="step.done" page={page} />
      </li>
    );
  }
  return (
    <li>
      {href === null ? <strong>{words}</strong> : <a href={href}>{words}</a>}
      <span class="block">{t(`dashboard:home.steps.${name}.text`)}</span>
    </li>
  );
};
