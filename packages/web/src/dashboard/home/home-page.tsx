import {
  type As,
  type ClientWithSubscription,
  createVerification,
  getOwnClient,
  listApiKeys,
  listVerifications,
  readOwnUsage,
  type Status,
} from '@countersign/domain';
import type { Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { figure } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import { Moment } from '../../staff/moment.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { StandingNotice, UsageMeter } from '../../staff/usage/usage-meter.tsx';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { KEYS_PATH, USAGE_PATH, VERIFICATIONS_PATH } from '../paths.ts';
import { FirstSteps } from './first-steps.tsx';

/** How things stand: the month, what waits, and what to do first where nothing was done yet. */
export function homePage(site: Site): Handler<StaffEnv> {
  return async (context) => {
    const page = context.get('page');
    const { t, language } = page;
    const as = context.get('as');
    const [ofClient, usage, waiting, keys] = await Promise.all([
      as.run(getOwnClient, {}),
      as.run(readOwnUsage, {}),
      countsOf(as),
      as.may(listApiKeys) === 'no' ? null : as.run(listApiKeys, {}),
    ]);
    const { client } = ofClient;
    const isFirst = waiting.all === 0 || keys?.active === 0;
    return answerDashboardPage(
      context,
      site,
      { title: client.name },
      <>
        <h1>{client.name}</h1>
        {client.sandbox ? (
          <div class="notice">
            <p>
              <strong>{t('dashboard:home.sandboxTitle')}</strong>
            </p>
            <p>
              {t('dashboard:home.sandboxText')} <code>metadata.sandboxOutcome</code>
            </p>
          </div>
        ) : null}
        <StandingNotice usage={usage} page={page} />
        {isFirst ? (
          <FirstSteps
            page={page}
            hasKey={keys === null ? null : keys.active > 0}
            hasVerification={waiting.all > 0}
            mayCreate={as.may(createVerification) !== 'no'}
          />
        ) : null}
        <div class="cards">
          <section class="card" aria-labelledby="usage-title">
            <h2 id="usage-title">{t('staff:usage.monthTitle')}</h2>
            <UsageMeter usage={usage} page={page} />
            <p>
              <a href={page.href(USAGE_PATH)}>{t('dashboard:home.toUsage')}</a>
            </p>
          </section>
          <Waiting waiting={waiting} page={page} />
          {keys === null ? null : (
            <section class="card" aria-labelledby="keys-title">
              <h2 id="keys-title">{t('dashboard:nav.keys')}</h2>
              <p class="figure">
                {figure(keys.active, language)}{' '}
                <small>{t('dashboard:home.ofKeys', { limit: keys.limit, count: keys.active })}</small>
              </p>
              <p>
                <a href={page.href(KEYS_PATH)}>{t('dashboard:home.toKeys')}</a>
              </p>
            </section>
          )}
          <Plan ofClient={ofClient} page={page} />
        </div>
      </>,
    );
  };
}

/** States that something is still to happen in. */
const WAITING = ['pending', 'submitted', 'action_needed'] as const satisfies readonly Status[];

interface Counts {
  readonly all: number;
  readonly waiting: readonly { readonly status: (typeof WAITING)[number]; readonly count: number }[];
}

async function countsOf({ run }: As): Promise<Counts> {
  const [all, ...waiting] = await Promise.all([
    run(listVerifications, {}),
    ...WAITING.map(async (status) => ({ status, count: (await run(listVerifications, { status })).totalCount })),
  ]);
  return { all: all.totalCount, waiting };
}

const Waiting: FC<{ waiting: Counts; page: Page }> = ({ waiting, page: { t, href, language } }) => (
  <section class="card" aria-labelledby="waiting-title">
    <h2 id="waiting-title">{t('dashboard:nav.verifications')}</h2>
    <ul class="counts">
      {waiting.waiting.map(({ status, count }) => (
        <li>
          <a href={href(`${VERIFICATIONS_PATH}?status=${status}`)}>{t(`dashboard:home.waiting.${status}`)}</a>
          <span>{figure(count, language)}</span>
        </li>
      ))}
      <li>
        <a href={href(VERIFICATIONS_PATH)}>{t('dashboard:home.waiting.all')}</a>
        <span>{figure(waiting.all, language)}</span>
      </li>
    </ul>
  </section>
);

const Plan: FC<{ ofClient: ClientWithSubscription; page: Page }> = ({ ofClient: { subscription }, page }) => {
  const { t } = page;
  return (
    <section class="card" aria-labelledby="plan-title">
      <h2 id="plan-title">{t('dashboard:home.planTitle')}</h2>
      {subscription === null ? (
        <p>{t('dashboard:home.noPlan')}</p>
      ) : (
        <>
          <p class="figure">{t(`dashboard:plan.${subscription.plan}`)}</p>
          <p class="quiet">
            {t(`dashboard:subscription.${subscription.status}`)}
            {subscription.endsAt === null ? null : (
              <>
                {'. '}
                {t('dashboard:home.planEnds')} <Moment at={subscription.endsAt} page={page} />
              </>
            )}
          </p>
        </>
      )}
    </section>
  );
};
