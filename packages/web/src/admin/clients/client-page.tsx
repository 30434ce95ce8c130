import {
  getClient,
  getClientAppearance,
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
import { otherLinks } from '../../actions/other-actions.ts';
import { PolicyTable } from '../../actions/retention/policy.tsx';
import type { ReportArea } from '../../actions/retention/report-pages.tsx';
import { ReturnAddressList } from '../../actions/return-address-page.tsx';
import { Facts, LinkTo, Moment, Result, Section } from '../../parts/page-parts.tsx';
import { Table } from '../../parts/table.tsx';
import { dayInWords, figure } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';
import { answerStaffPage, type StaffEnv } from '../../staff/area.tsx';
import { StandingNotice, UsageDetails, UsageMeter } from '../../staff/usage/usage-meter.tsx';
import { teamRoleInWords, userColumns } from '../../staff/users.tsx';
import { auditColumns } from '../audit/audit-columns.tsx';
import { auditPathFor, CLIENTS_PATH, clientPath, newUserPathFor, userPath } from '../paths.ts';
import { lastDayOf, SubscriptionBadge } from './subscription-state.tsx';

/** Audit entries on the page of a client. A link leads to the others. */
const RECENT = 5;

/** Shows one client: subscription, usage, team and the last audit entries. */
export const clientPage: Handler<StaffEnv, '/:clientId'> = async (context) => {
  const page = context.get('page');
  const { t } = page;
  const { run } = context.get('as');
  const clientId = context.req.param('clientId');
  const found = await run(getClient, { clientId });
  const { client, subscription } = found;
  const isTest = client.testOf !== null;
  const [twin, usage, users, { entries }, policy, { active }, appearance] = await Promise.all([
    run(getTestTwin, { clientId }),
    run(readClientUsage, { clientId }),
    run(listUsers, { clientId }),
    run(listAudit, { clientId }),
    run(readRetentionPolicy, { clientId }),
    run(listClientKeys, { clientId }),
    run(getClientAppearance, { clientId }),
  ]);
  const recent = entries.slice(0, RECENT);
  return answerStaffPage(
    context,
    { title: client.name },
    <>
      <Result context={context} texts="admin:client.done" />
      <h1 class="as-typed">
        <bdi>{client.name}</bdi> {isTest ? <span class="badge">{t('admin:testTag')}</span> : null}
      </h1>
      <ClientFacts found={found} now={context.get('site').options.clock.now()} page={page} />
      <Section id="usage" title={t('admin:client.usage')}>
        <StandingNotice usage={usage} page={page} />
        <UsageMeter usage={usage} page={page} />
        <LinkTo path={clientPath(clientId, 'usage')} label="admin:client.toUsage" page={page} />
      </Section>
      {isTest ? null : <ClientTeam clientId={clientId} users={users} context={context} />}
      <Section id="keys" title={t('admin:client.keys')}>
        {active === 0 ? (
          <>
            <p>{t('admin:client.noKey')}</p>
            <LinkTo path={clientPath(clientId, 'first-key')} label="admin:client.toFirstKey" page={page} />
          </>
        ) : (
          <p>{t('admin:client.activeKeys', { count: active, number: figure(active, page.language) })}</p>
        )}
      </Section>
      {isTest ? null : (
        <Section id="subscription" title={t('admin:client.subscription')}>
          {subscription === null ? <p>{t('admin:client.noSubscription')}</p> : null}
          <LinkTo path={clientPath(clientId, 'subscription')} label="admin:client.toSubscription" page={page} />
        </Section>
      )}
      <Section id="test-mode" title={t('admin:client.testMode')}>
        <p>{t(isTest ? 'admin:client.isTest' : 'admin:client.hasTest')}</p>
        {isTest ? (
          <LinkTo path={clientPath(liveIdOf(client))} label="admin:client.toLive" page={page} />
        ) : (
          <LinkTo path={clientPath(twin.id)} label="admin:client.toTest" page={page} />
        )}
      </Section>
      {isTest ? null : (
        <Section id="appearance" title={t('admin:client.appearance')}>
          <AppearanceFacts clientId={clientId} appearance={appearance} page={page} />
        </Section>
      )}
      <Section id="return-addresses" title={t('admin:client.returnAddresses')}>
        <ReturnAddressList client={client} page={page} />
        <LinkTo
          path={clientPath(clientId, 'return-addresses')}
          label="admin:client.toReturnAddresses"
          page={page}
        />
      </Section>
      {isTest ? null : (
        <Section id="files" title={t('admin:client.files')}>
          <FileAccessState client={client} page={page} />
        </Section>
      )}
      {isTest ? null : (
        <Section id="retention" title={t('admin:client.retention')}>
          <PolicyTable policy={policy} page={page} />
          <LinkTo path={clientPath(clientId, 'retention')} label="admin:client.toRetention" page={page} />
          <LinkTo path={clientPath(clientId, 'retention/report')} label="staff:report.link" page={page} />
        </Section>
      )}
      {otherLinks(context, { clientId }).map((link) => (
        <LinkTo {...link} page={page} />
      ))}
      <Section id="audit" title={t('admin:client.audit')}>
        {recent.length === 0 ? (
          <p class="quiet">{t('admin:client.noAudit')}</p>
        ) : (
          <Table
            rows={recent}
            columns={await auditColumns(context, recent, new Map([[clientId, client.name]]))}
            class="as-cards audit"
          />
        )}
        <LinkTo path={auditPathFor({ client: clientId })} label="admin:client.toAudit" page={page} />
      </Section>
      <LinkTo path={CLIENTS_PATH} label="admin:clients.back" page={page} />
    </>,
  );
};

/** Shows what a client used, as its own dashboard does. */
export const clientUsagePage: Handler<StaffEnv, '/:clientId/usage'> = async (context) => {
  const page = context.get('page');
  const { run } = context.get('as');
  const { client } = await run(getClient, { clientId: context.req.param('clientId') });
  const title = page.t('admin:usage.title', { name: client.name });
  return answerStaffPage(
    context,
    { title },
    <>
      <h1 class="as-typed">
        <bdi>{title}</bdi>
      </h1>
      <UsageDetails usage={await run(readClientUsage, { clientId: client.id })} page={page} />
      <LinkTo path={clientPath(client.id)} label="admin:client.back" page={page} />
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

const ClientFacts: FC<{ found: ClientWithSubscription; now: Date; page: Page }> = ({ found, now, page }) => {
  const { t } = page;
  const { client, subscription } = found;
  return (
    <Facts
      items={[
        [t('admin:client.id'), <code>{client.id}</code>],
        [t('admin:clients.created'), <Moment at={client.createdAt} page={page} />],
        [t('admin:clients.plan'), t(`actions:choices.plan.${subscription?.plan ?? 'none'}`)],
        [t('admin:clients.state'), <SubscriptionBadge subscription={subscription} now={now} page={page} />],
        ...(subscription === null ? [] : subscriptionFacts(subscription, page)),
      ]}
    />
  );
};

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
    <section aria-labelledby="team-title">
      <div class="list-head">
        <h2 id="team-title">{t('admin:client.team')}</h2>
        <a href={href(newUserPathFor(clientId))} class="button">
          {t('admin:client.invite')}
        </a>
      </div>
      {users.length === 0 ? (
        <p class="quiet">{t('admin:client.noTeam')}</p>
      ) : (
        <Table rows={users} columns={userColumns(context, (user) => teamRoleInWords(user, t), userPath)} />
      )}
    </section>
  );
};
