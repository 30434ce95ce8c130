import {
  getClient,
  getClientAppearance,
  getClientFlowSettings,
  getTestTwin,
  listAudit,
  listClientKeys,
  listUsers,
  readClientUsage,
  readRetentionPolicy,
  readRetentionReport,
} from '@countersign/domain/actions';
import {
  allowanceOf,
  type ClientAppearance,
  type ClientWithSubscription,
  liveIdOf,
  logoPath,
  type Subscription,
} from '@countersign/domain/clients';
import type { ListedUser } from '@countersign/domain/staff';
import type { Context, Handler } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { FileAccessState } from '../../actions/file-access-state.tsx';
import { FlowSettingsFacts } from '../../actions/flow-settings.tsx';
import { otherLinks } from '../../actions/other-actions.ts';
import { ReasonTemplateNames } from '../../actions/reason-templates.tsx';
import { PolicyTable } from '../../actions/retention/policy.tsx';
import type { ReportArea } from '../../actions/retention/report-pages.tsx';
import { ReturnAddressList } from '../../actions/return-address-page.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Card, TwoColumns } from '../../parts/blocks.tsx';
import { COPY_SCRIPT, CopyId } from '../../parts/copy.tsx';
import { ButtonTo, Facts, type Link, Moment, Result } from '../../parts/page-parts.tsx';
import { Table } from '../../parts/table.tsx';
import { dayInWords, figure } from '../../site/formats.ts';
import type { MessageKey } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import { answerStaffPage, type StaffEnv } from '../../staff/area.tsx';
import { StandingNotice, UsageDetails, UsageMeter } from '../../staff/usage/usage-meter.tsx';
import { teamRoleInWords, userColumns } from '../../staff/users.tsx';
import { RecentActivity } from '../audit/recent-activity.tsx';
import { auditPathFor, CLIENTS_PATH, type ClientPart, clientPath, newUserPathFor, userPath } from '../paths.ts';
import { lastDayOf, SubscriptionBadge } from './subscription-state.tsx';

/** Audit entries on the page of a client. A link leads to the others. */
const RECENT = 5;

/** Shows one client: subscription, usage, team and the last audit entries. */
export const clientPage: Handler<StaffEnv, '/:clientId'> = async (context) => {
  const page = context.get('page');
  const { t } = page;
  const { run, may } = context.get('as');
  const clientId = context.req.param('clientId');
  const found = await run(getClient, { clientId });
  const { client, subscription } = found;
  const isTest = client.testOf !== null;
  const now = context.get('site').options.clock.now();
  const [twin, usage, users, { entries }, policy, { active }, appearance, flow] = await Promise.all([
    run(getTestTwin, { clientId }),
    run(readClientUsage, { clientId }),
    run(listUsers, { clientId }),
    run(listAudit, { clientId }),
    may(readRetentionPolicy) === 'no' ? null : run(readRetentionPolicy, { clientId }),
    run(listClientKeys, { clientId }),
    may(getClientAppearance) === 'no' ? null : run(getClientAppearance, { clientId }),
    run(getClientFlowSettings, { clientId }),
  ]);
  const to = (part: ClientPart, label: MessageKey): Link => ({ path: clientPath(clientId, part), label });
  const live = isTest ? ({ path: clientPath(liveIdOf(client)), label: 'admin:client.toLive' } as const) : null;
  return answerStaffPage(
    context,
    { title: client.name, back: { path: CLIENTS_PATH, label: 'admin:nav.clients' }, scripts: [COPY_SCRIPT] },
    <>
      <Result context={context} texts="admin:client.done" />
      <h1 class="as-typed">
        <bdi>{client.name}</bdi>{' '}
        {isTest ? (
          <Badge tone="idle" page={page}>
            {t('admin:testTag')}
          </Badge>
        ) : null}
      </h1>
      <StandingNotice usage={usage} page={page} />
      <TwoColumns
        aside={
          <Card
            id="subscription"
            title={t('admin:client.subscription')}
            more={isTest ? null : <SubscriptionBadge subscription={subscription} now={now} page={page} />}
          >
            {isTest ? <p>{t('admin:client.isTest')}</p> : null}
            {isTest || subscription !== null ? null : <p>{t('admin:client.noSubscription')}</p>}
            <ClientFacts found={found} activeKeys={active} page={page} />
            <div class="stack">
              {active === 0 ? <ButtonTo {...to('first-key', 'admin:client.toFirstKey')} page={page} /> : null}
              {isTest ? null : <ButtonTo {...to('subscription', 'admin:client.toSubscription')} page={page} />}
              <ButtonTo {...(live ?? { path: clientPath(twin.id), label: 'admin:client.toTest' })} page={page} />
              {otherLinks(context, { clientId }).map((link) => (
                <ButtonTo {...link} page={page} />
              ))}
            </div>
          </Card>
        }
      >
        <Card
          id="usage"
          title={t('admin:client.usage')}
          more={<PlainLink {...to('usage', 'admin:client.toUsage')} page={page} />}
        >
          <UsageMeter usage={usage} page={page} />
        </Card>
        {isTest ? null : <ClientTeam clientId={clientId} users={users} context={context} />}
        <RecentActivity
          context={context}
          entries={entries.slice(0, RECENT)}
          clientNames={new Map([[clientId, client.name]])}
          all={{ path: auditPathFor({ client: clientId }), label: 'admin:client.toAudit' }}
          of="one client"
        />
        <Card
          id="return-addresses"
          title={t('admin:client.returnAddresses')}
          more={<PlainLink {...to('return-addresses', 'admin:client.toReturnAddresses')} page={page} />}
        >
          <ReturnAddressList client={client} page={page} />
        </Card>
        {isTest ? null : (
          <>
            {appearance === null ? null : (
              <Card id="appearance" title={t('admin:client.appearance')}>
                <AppearanceFacts clientId={clientId} appearance={appearance} page={page} />
              </Card>
            )}
            <Card
              id="flow"
              title={t('dashboard:settings.flow')}
              more={<PlainLink {...to('flow', 'dashboard:settings.toFlow')} page={page} />}
            >
              <FlowSettingsFacts flow={flow} page={page} />
            </Card>
            <Card
              id="reason-templates"
              title={t('dashboard:settings.reasonTemplates')}
              more={<PlainLink {...to('reason-templates', 'dashboard:settings.toReasonTemplates')} page={page} />}
            >
              <ReasonTemplateNames client={client} page={page} />
            </Card>
            <Card id="files" title={t('admin:client.files')}>
              <FileAccessState client={client} page={page} />
            </Card>
            {policy === null ? null : (
              <Card
                id="retention"
                title={t('admin:client.retention')}
                class="with-table"
                more={
                  <div class="buttons">
                    <PlainLink {...to('retention/report', 'staff:report.link')} page={page} />
                    <PlainLink {...to('retention', 'admin:client.toRetention')} page={page} />
                  </div>
                }
              >
                <PolicyTable policy={policy} page={page} />
              </Card>
            )}
          </>
        )}
      </TwoColumns>
    </>,
  );
};

const PlainLink: FC<Link & { page: Page }> = ({ path, label, page }) => (
  <a href={page.href(path)}>{page.t(label)}</a>
);

/** Shows what a client used, as its own dashboard does. */
export const clientUsagePage: Handler<StaffEnv, '/:clientId/usage'> = async (context) => {
  const page = context.get('page');
  const { run } = context.get('as');
  const { client } = await run(getClient, { clientId: context.req.param('clientId') });
  const title = page.t('admin:usage.title', { name: client.name });
  return answerStaffPage(
    context,
    { title, back: { path: clientPath(client.id), label: 'admin:client.back' } },
    <>
      <h1 class="as-typed">
        <bdi>{title}</bdi>
      </h1>
      <UsageDetails usage={await run(readClientUsage, { clientId: client.id })} page={page} />
    </>,
  );
};

const clientIdIn = (context: Context<StaffEnv>): string => context.req.param('clientId') ?? '';

/** The reports of any client. */
export const clientReports: ReportArea = {
  action: readRetentionReport,
  pathOf: (context) => clientPath(clientIdIn(context), 'retention/report'),
  back: (context) => ({ path: clientPath(clientIdIn(context)), label: 'admin:client.back' }),
  read: (context, month) => context.get('as').run(readRetentionReport, { clientId: clientIdIn(context), month }),
};

/** What the client has set of how it appears to its subjects. */
const AppearanceFacts: FC<{ clientId: string; appearance: ClientAppearance; page: Page }> = ({
  clientId,
  appearance,
  page,
}) => {
  const { t, href } = page;
  const { displayName, colour, supportAddress, privacyAddress, logo } = appearance;
  const source = logoPath(clientId, logo);
  const none = t('admin:client.notSet');
  return (
    <Facts
      items={[
        [
          t('actions:face.change.fields.displayName'),
          <span class="as-typed">
            <bdi>{displayName ?? none}</bdi>
          </span>,
        ],
        [t('actions:face.change.fields.colour'), colour === null ? none : <code>{colour}</code>],
        [
          t('actions:face.change.fields.supportAddress'),
          <span class="as-typed">
            <bdi>{supportAddress ?? none}</bdi>
          </span>,
        ],
        [
          t('actions:face.change.fields.privacyAddress'),
          <span class="as-typed">
            <bdi>{privacyAddress ?? none}</bdi>
          </span>,
        ],
        [
          t('dashboard:appearance.logo'),
          source === null || logo === null ? (
            none
          ) : (
            <img
              class="appearance-logo"
              src={href(source)}
              alt={t('dashboard:appearance.logo')}
              width={logo.width}
              height={logo.height}
            />
          ),
        ],
      ]}
    />
  );
};

const ClientFacts: FC<{ found: ClientWithSubscription; activeKeys: number; page: Page }> = (props) => {
  const { found, activeKeys, page } = props;
  const { t } = page;
  const { client, subscription } = found;
  return (
    <Facts
      items={[
        subscription === null ? null : [t('admin:clients.plan'), t(`actions:choices.plan.${subscription.plan}`)],
        ...(subscription === null ? [] : subscriptionFacts(subscription, page)),
        [t('admin:client.keys'), keysInWords(activeKeys, page)],
        [t('admin:clients.created'), <Moment at={client.createdAt} page={page} />],
        [
          t('admin:client.id'),
          <CopyId page={page} id="client-id" value={client.id} what={t('admin:client.id')} />,
        ],
      ]}
    />
  );
};

function keysInWords(active: number, { t, language }: Page): string {
  return active === 0
    ? t('admin:client.noKey')
    : t('admin:client.activeKeys', { count: active, number: figure(active, language) });
}

function subscriptionFacts(subscription: Subscription, page: Page): [label: string, value: Child][] {
  const { t, language } = page;
  const { monthlyLimit, startsAt, endsAt } = subscription;
  const limit = figure(allowanceOf(subscription), language);
  return [
    [
      t('admin:client.limit'),
      t(monthlyLimit === null ? 'admin:client.planLimit' : 'admin:client.ownLimit', { limit }),
    ],
    [t('admin:client.since'), <Moment at={startsAt} page={page} />],
    [
      t('admin:client.ends'),
      endsAt === null ? t('admin:client.openEnded') : dayInWords(lastDayOf(endsAt), language),
    ],
  ];
}

/** Lists the users of a client. */
const ClientTeam: FC<{ clientId: string; users: readonly ListedUser[]; context: Context<StaffEnv> }> = (props) => {
  const { clientId, users, context } = props;
  const { t, href } = context.get('page');
  return (
    <Card
      id="team"
      title={t('admin:client.team')}
      class="with-table"
      more={<a href={href(newUserPathFor(clientId))}>{t('admin:client.invite')}</a>}
    >
      {users.length === 0 ? (
        <p class="quiet">{t('admin:client.noTeam')}</p>
      ) : (
        <Table rows={users} columns={userColumns(context, (user) => teamRoleInWords(user, t), userPath)} />
      )}
    </Card>
  );
};
