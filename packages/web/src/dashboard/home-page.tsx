import type { As, Status } from '@countersign/domain';
import {
  changeAppearance,
  changeReturnAddresses,
  getOwnClient,
  listApiKeys,
  listExports,
  listVerifications,
  listWebhooks,
  readOwnMonth,
  readOwnRetentionPolicy,
  readOwnUsage,
  switchFileAccess,
} from '@countersign/domain/actions';
import type { BoundedCount, ClientWithSubscription } from '@countersign/domain/clients';
import { isPausedAfterFailures } from '@countersign/domain/webhooks';
import type { Handler } from 'hono';
import type { FC, PropsWithChildren } from 'hono/jsx';
import { FileAccessState } from '../actions/file-access-state.tsx';
import { ReturnAddressList } from '../actions/return-address-page.tsx';
import { docsOf } from '../docs/docs.ts';
import { LinkTo, Moment, Result, Section } from '../parts/page-parts.tsx';
import { figure } from '../site/formats.ts';
import type { Page } from '../site/page.ts';
import { answerStaffPage, type StaffEnv } from '../staff/area.tsx';
import { countInWords } from '../staff/list-page.tsx';
import { COPY_SCRIPT } from '../staff/shown-once.tsx';
import { StandingNotice, UsageDetails, UsageMeter } from '../staff/usage/usage-meter.tsx';
import { FirstSteps, firstStepsOf } from './first-steps.tsx';
import {
  APPEARANCE_PATH,
  DATA_COPIES_PATH,
  FILE_ACCESS_PATH,
  KEYS_PATH,
  RETENTION_PATH,
  RETURN_ADDRESSES_PATH,
  USAGE_PATH,
  VERIFICATIONS_PATH,
  WEBHOOKS_PATH,
} from './paths.ts';

/** Shows the month's usage, open verifications, and what to do first. */
export const homePage: Handler<StaffEnv> = async (context) => {
  const page = context.get('page');
  const { t, language } = page;
  const as = context.get('as');
  const [ofClient, usage, waiting, keys, endpoints, copies] = await Promise.all([
    as.run(getOwnClient, {}),
    as.run(readOwnMonth, {}),
    countsOf(as),
    as.may(listApiKeys) === 'no' ? null : as.run(listApiKeys, {}),
    as.may(listWebhooks) === 'no' ? null : as.run(listWebhooks, {}).then((found) => found.endpoints),
    copiesToRelease(as),
  ]);
  const { client } = ofClient;
  const paused = (endpoints ?? []).filter(isPausedAfterFailures).length;
  const steps = await firstStepsOf(context);
  return answerStaffPage(
    context,
    { title: client.name, scripts: [COPY_SCRIPT] },
    <>
      <Result context={context} texts="staff:result" />
      <h1>
        <bdi>{client.name}</bdi>
      </h1>
      {client.testOf !== null ? (
        <div class="notice">
          <p>
            {t('dashboard:home.testOutcomeText')} <code>metadata.sandboxOutcome</code>
          </p>
        </div>
      ) : null}
      <StandingNotice usage={usage} page={page} />
      {paused === 0 ? null : (
        <div class="notice warn">
          <p>{t('dashboard:home.pausedEndpoints', { count: paused, number: figure(paused, language) })}</p>
          <LinkTo path={WEBHOOKS_PATH} label="dashboard:webhooks.toAll" page={page} />
        </div>
      )}
      <FirstSteps steps={steps} page={page} docs={docsOf(context.get('site'))} />
      <div class="cards">
        <Card id="usage" title={t('staff:usage.monthTitle')}>
          <UsageMeter usage={usage} page={page} />
          <LinkTo path={USAGE_PATH} label="dashboard:home.toUsage" page={page} />
        </Card>
        <Waiting waiting={waiting} page={page} />
        {keys === null ? null : (
          <Card id="keys" title={t('dashboard:nav.keys')}>
            <p class="figure">
              {figure(keys.active, language)}{' '}
              <small>{t('dashboard:home.ofKeys', { limit: keys.limit, count: keys.active })}</small>
            </p>
            <LinkTo path={KEYS_PATH} label="dashboard:home.toKeys" page={page} />
          </Card>
        )}
        {copies === null ? null : (
          <Card id="data-copies" title={t('exports:home.title')}>
            <p>{countInWords('exports:home.open', copies, page)}</p>
            <LinkTo path={DATA_COPIES_PATH} label="exports:home.toList" page={page} />
          </Card>
        )}
        {client.testOf === null ? <Plan ofClient={ofClient} page={page} /> : null}
        {as.may(readOwnRetentionPolicy) === 'no' ? null : (
          <Card id="retention" title={t('dashboard:home.retention')}>
            <p>{t('dashboard:home.retentionText')}</p>
            <LinkTo path={RETENTION_PATH} label="dashboard:home.toRetention" page={page} />
          </Card>
        )}
        {as.may(changeAppearance) === 'no' ? null : (
          <Card id="appearance" title={t('dashboard:home.appearance')}>
            <p>{t('dashboard:home.appearanceText')}</p>
            <LinkTo path={APPEARANCE_PATH} label="dashboard:home.toAppearance" page={page} />
          </Card>
        )}
        {as.may(changeReturnAddresses) === 'no' ? null : (
          <Card id="return-addresses" title={t('dashboard:home.returnAddresses')}>
            <ReturnAddressList client={client} page={page} />
            <LinkTo path={RETURN_ADDRESSES_PATH} label="dashboard:home.toReturnAddresses" page={page} />
          </Card>
        )}
        {as.may(switchFileAccess) === 'no' ? null : (
          <Card id="files" title={t('dashboard:home.files')}>
            <FileAccessState client={client} page={page} />
            <LinkTo path={FILE_ACCESS_PATH} label="dashboard:home.toFiles" page={page} />
          </Card>
        )}
      </div>
    </>,
  );
};

/** Shows the month against its limit, and each of the last days. */
export const usagePage: Handler<StaffEnv> = async (context) => {
  const page = context.get('page');
  const title = page.t('staff:usage.title');
  const usage = await context.get('as').run(readOwnUsage, {});
  return answerStaffPage(
    context,
    { title },
    <>
      <h1>{title}</h1>
      <UsageDetails usage={usage} page={page} />
    </>,
  );
};

const Card: FC<PropsWithChildren<{ id: string; title: string }>> = (props) => <Section class="card" {...props} />;

/** Statuses of open verifications. */
const WAITING = ['pending', 'submitted', 'action_needed'] as const satisfies readonly Status[];

interface Counts {
  readonly all: number;
  readonly waiting: readonly { readonly status: (typeof WAITING)[number]; readonly count: number }[];
}

async function countsOf({ run }: As): Promise<Counts> {
  const [all, ...waiting] = await Promise.all([
    run(listVerifications, {}),
    ...WAITING.map(async (status) => ({ status, count: (await run(listVerifications, { status })).total.count })),
  ]);
  return { all: all.total.count, waiting };
}

/** Counts the open requests for copies, for users who may release them. The count ends with the first page. */
async function copiesToRelease({ may, run }: As): Promise<BoundedCount | null> {
  if (may(listExports) === 'no') return null;
  const { exports, next } = await run(listExports, { waiting: true });
  return { count: exports.length, isExact: next === null };
}

const Waiting: FC<{ waiting: Counts; page: Page }> = ({ waiting, page: { t, href, language } }) => (
  <Card id="waiting" title={t('dashboard:nav.verifications')}>
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
  </Card>
);

const Plan: FC<{ ofClient: ClientWithSubscription; page: Page }> = ({ ofClient: { subscription }, page }) => {
  const { t } = page;
  return (
    <Card id="plan" title={t('dashboard:home.planTitle')}>
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
    </Card>
  );
};
