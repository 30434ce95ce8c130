import type { As } from '@countersign/domain';
import {
  changeAppearance,
  changeFlowSettings,
  changeReasonTemplates,
  changeReturnAddresses,
  getOwnAppearance,
  getOwnClient,
  getOwnFlowSettings,
  listExports,
  readOwnRetentionPolicy,
  switchFileAccess,
} from '@countersign/domain/actions';
import type { BoundedCount, Subscription } from '@countersign/domain/clients';
import type { Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { FileAccessState } from '../actions/file-access-state.tsx';
import { FlowSettingsFacts } from '../actions/flow-settings.tsx';
import { ReasonTemplateNames } from '../actions/reason-templates.tsx';
import { ReturnAddressList } from '../actions/return-address-page.tsx';
import { StateBadge } from '../parts/badge.tsx';
import { Card } from '../parts/blocks.tsx';
import { type Link, Moment, Result } from '../parts/page-parts.tsx';
import { AppearanceName } from '../site/appearance-parts.tsx';
import type { Page } from '../site/page.ts';
import { answerStaffPage, type StaffEnv } from '../staff/area.tsx';
import { countInWords } from '../staff/list-page.tsx';
import {
  APPEARANCE_PATH,
  DATA_COPIES_PATH,
  FILE_ACCESS_PATH,
  FLOW_SETTINGS_PATH,
  REASON_TEMPLATES_PATH,
  RETENTION_PATH,
  RETURN_ADDRESSES_PATH,
  USAGE_PATH,
} from './paths.ts';

/** Shows each setting of the client with its current value, and where the user changes it. */
export const settingsPage: Handler<StaffEnv> = async (context) => {
  const page = context.get('page');
  const { t } = page;
  const { may, run } = context.get('as');
  const [{ client, subscription }, appearance, flow, copies] = await Promise.all([
    run(getOwnClient, {}),
    may(changeAppearance) === 'no' ? null : run(getOwnAppearance, {}),
    may(changeFlowSettings) === 'no' ? null : run(getOwnFlowSettings, {}),
    copiesToRelease(context.get('as')),
  ]);
  const isLive = client.testOf === null;
  const title = t('dashboard:settings.title');
  return answerStaffPage(
    context,
    { title },
    <>
      <Result context={context} texts="staff:result" />
      <h1>{title}</h1>
      {isLive ? null : <p class="quiet">{t('dashboard:settings.ofLiveMode')}</p>}
      <div class="settings">
        {appearance === null ? null : (
          <Card id="appearance" title={t('dashboard:settings.appearance')}>
            <p>
              <AppearanceName
                page={page}
                appearance={{
                  clientId: client.id,
                  name: appearance.displayName ?? client.name,
                  logo: appearance.logo,
                }}
              />{' '}
              {appearance.colour === null ? null : <code>{appearance.colour}</code>}
            </p>
            <p class="quiet">{t('dashboard:settings.appearanceText')}</p>
            <Change path={APPEARANCE_PATH} label="dashboard:settings.toAppearance" page={page} />
          </Card>
        )}
        {flow === null ? null : (
          <Card id="flow" title={t('dashboard:settings.flow')}>
            <FlowSettingsFacts flow={flow} page={page} />
            <Change path={FLOW_SETTINGS_PATH} label="dashboard:settings.toFlow" page={page} />
          </Card>
        )}
        {may(changeReasonTemplates) === 'no' ? null : (
          <Card id="reason-templates" title={t('dashboard:settings.reasonTemplates')}>
            <ReasonTemplateNames client={client} page={page} />
            <Change path={REASON_TEMPLATES_PATH} label="dashboard:settings.toReasonTemplates" page={page} />
          </Card>
        )}
        {may(changeReturnAddresses) === 'no' ? null : (
          <Card id="return-addresses" title={t('dashboard:settings.returnAddresses')}>
            <ReturnAddressList client={client} page={page} />
            <Change path={RETURN_ADDRESSES_PATH} label="dashboard:settings.toReturnAddresses" page={page} />
          </Card>
        )}
        {may(switchFileAccess) === 'no' ? null : (
          <Card id="files" title={t('dashboard:settings.files')}>
            <FileAccessState client={client} page={page} />
            <Change path={FILE_ACCESS_PATH} label="dashboard:settings.toFiles" page={page} />
          </Card>
        )}
        {may(readOwnRetentionPolicy) === 'no' ? null : (
          <Card id="retention" title={t('dashboard:settings.retention')}>
            <p>{t('dashboard:settings.retentionText')}</p>
            <Change path={RETENTION_PATH} label="dashboard:settings.toRetention" page={page} />
          </Card>
        )}
        {copies === null ? null : (
          <Card id="data-copies" title={t('exports:home.title')}>
            <p>{countInWords('exports:home.open', copies, page)}</p>
            <Change path={DATA_COPIES_PATH} label="exports:home.toList" page={page} />
          </Card>
        )}
        {isLive ? (
          <Card id="plan" title={t('dashboard:settings.plan')}>
            <Plan subscription={subscription} page={page} />
            <Change path={USAGE_PATH} label="dashboard:settings.toUsage" page={page} />
          </Card>
        ) : null}
      </div>
    </>,
  );
};

/** The link to the page of a setting. */
const Change: FC<Link & { page: Page }> = ({ path, label, page: { t, href } }) => (
  <a href={href(path)} class="button secondary">
    {t(label)}
  </a>
);

/** Counts the open requests for copies, for users who may release them. The count ends with the first page. */
async function copiesToRelease({ may, run }: As): Promise<BoundedCount | null> {
  if (may(listExports) === 'no') return null;
  const { exports, next } = await run(listExports, { waiting: true });
  return { count: exports.length, isExact: next === null };
}

const Plan: FC<{ subscription: Subscription | null; page: Page }> = ({ subscription, page }) => {
  const { t } = page;
  if (subscription === null) return <p>{t('dashboard:settings.noPlan')}</p>;
  return (
    <p>
      {t(`dashboard:plan.${subscription.plan}`)}{' '}
      <StateBadge of={`subscription.${subscription.status}`} page={page} />
      {subscription.endsAt === null ? null : (
        <>
          {'. '}
          {t('dashboard:settings.planEnds')} <Moment at={subscription.endsAt} page={page} />
        </>
      )}
    </p>
  );
};
