import {
  allowanceOf,
  type Client,
  type ClientWithSubscription,
  getClient,
  type ListedUser,
  listAudit,
  listUsers,
  readClientUsage,
} from '@countersign/domain';
import type { Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { dayInWords, figure } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import { Moment } from '../../staff/moment.tsx';
import { Result } from '../../staff/result.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { Table } from '../../staff/table.tsx';
import { UsageDetails } from '../../staff/usage/usage-details.tsx';
import { StandingNotice, UsageMeter } from '../../staff/usage/usage-meter.tsx';
import { UserState } from '../../staff/user-state.tsx';
import { answerAdminPage } from '../admin-page.tsx';
import { namesOfEntries } from '../audit/audit-names.ts';
import { AuditTable } from '../audit/audit-table.tsx';
import { auditPathFor, CLIENTS_PATH, clientPath, newUserPathFor, userPath } from '../paths.ts';
import { lastDayOf, SubscriptionBadge } from './subscription-state.tsx';

/** Lines of the audit log on the page of a client. A link leads to the others. */
const RECENT = 5;

const DONE = ['created', 'subscription', 'unchanged', 'sandboxOn', 'sandboxOff'] as const;

/** Shows one client: subscription, usage, team and the last lines of the audit log. */
export function clientPage(site: Site): Handler<StaffEnv, '/:clientId'> {
  return async (context) => {
    const page = context.get('page');
    const { t, href } = page;
    const as = context.get('as');
    const clientId = context.req.param('clientId');
    const found = await as.run(getClient, { clientId });
    const { client, subscription } = found;
    const [usage, users, { entries }] = await Promise.all([
      as.run(readClientUsage, { clientId }),
      as.run(listUsers, { clientId }),
      as.run(listAudit, { clientId }),
    ]);
    const recent = entries.slice(0, RECENT);
    const names = await namesOfEntries(recent, site.options.signIn, [found]);
    const done = DONE.find((name) => name === context.req.query('done'));
    return answerAdminPage(
      context,
      site,
      { title: client.name },
      <>
        {done === undefined ? null : <Result text={t(`admin:client.done.${done}`)} />}
        <h1 class="as-typed">
          {client.name} {client.sandbox ? <span class="badge">{t('admin:sandboxTag')}</span> : null}
        </h1>
        <ClientFacts found={found} now={site.options.clock.now()} page={page} />
        <section aria-labelledby="usage-title">
          <h2 id="usage-title">{t('admin:client.usage')}</h2>
          <StandingNotice usage={usage} page={page} />
          <UsageMeter usage={usage} page={page} />
          <p>
            <a href={href(clientPath(client.id, 'usage'))}>{t('admin:client.toUsage')}</a>
          </p>
        </section>
        <ClientTeam clientId={client.id} users={users} page={page} />
        <section aria-labelledby="subscription-title">
          <h2 id="subscription-title">{t('admin:client.subscription')}</h2>
          {subscription === null ? <p>{t('admin:client.noSubscription')}</p> : null}
          <p>
            <a href={href(clientPath(client.id, 'subscription'))}>{t('admin:client.toSubscription')}</a>
          </p>
        </section>
        <SandboxSwitch client={client} page={page} />
        <section aria-labelledby="audit-title">
          <h2 id="audit-title">{t('admin:client.audit')}</h2>
          {recent.length === 0 ? (
            <p class="quiet">{t('admin:client.noAudit')}</p>
          ) : (
            <AuditTable entries={recent} names={names} page={page} />
          )}
          <p>
            <a href={href(auditPathFor({ client: client.id }))}>{t('admin:client.toAudit')}</a>
          </p>
        </section>
        <p>
          <a href={href(CLIENTS_PATH)}>{t('admin:clients.back')}</a>
        </p>
      </>,
    );
  };
}

/** Shows what a client used, as its own dashboard does. */
export function clientUsagePage(site: Site): Handler<StaffEnv, '/:clientId/usage'> {
  return async (context) => {
    const page = context.get('page');
    const { t, href } = page;
    const as = context.get('as');
    const { client } = await as.run(getClient, { clientId: context.req.param('clientId') });
    const title = t('admin:usage.title', { name: client.name });
    return answerAdminPage(
      context,
      site,
      { title },
      <>
        <h1 class="as-typed">{title}</h1>
        <UsageDetails usage={await as.run(readClientUsage, { clientId: client.id })} page={page} />
        <p>
          <a href={href(clientPath(client.id))}>{t('admin:client.back')}</a>
        </p>
      </>,
    );
  };
}

const ClientFacts: FC<{ found: ClientWithSubscription; now: Date; page: Page }> = ({ found, now, page }) => {
  const { t, language } = page;
  const { client, subscription } = found;
  return (
    <dl class="facts">
      <div>
        <dt>{t('admin:client.id')}</dt>
        <dd>
          <code>{client.id}</code>
        </dd>
      </div>
      <div>
        <dt>{t('admin:clients.created')}</dt>
        <dd>
          <Moment at={client.createdAt} page={page} />
        </dd>
      </div>
      <div>
        <dt>{t('admin:clients.plan')}</dt>
        <dd>{t(`actions:choices.plan.${subscription?.plan ?? 'none'}`)}</dd>
      </div>
      <div>
        <dt>{t('admin:clients.state')}</dt>
        <dd>
          <SubscriptionBadge subscription={subscription} now={now} page={page} />
        </dd>
      </div>
      {subscription === null ? null : (
        <>
          <div>
            <dt>{t('admin:client.limit')}</dt>
            <dd>
              {t(subscription.monthlyLimit === null ? 'admin:client.planLimit' : 'admin:client.ownLimit', {
                limit: figure(allowanceOf(subscription), language),
              })}
            </dd>
          </div>
          <div>
            <dt>{t('admin:client.since')}</dt>
            <dd>
              <Moment at={subscription.startsAt} page={page} />
            </dd>
          </div>
          <div>
            <dt>{t('admin:client.ends')}</dt>
            <dd>
              {subscription.endsAt === null
                ? t('admin:client.openEnded')
                : dayInWords(lastDayOf(subscription.endsAt), language)}
            </dd>
          </div>
        </>
      )}
    </dl>
  );
};

/** Lists the users of a client. */
const ClientTeam: FC<{ clientId: string; users: readonly ListedUser[]; page: Page }> = (props) => {
  const { clientId, users, page } = props;
  const { t, href } = page;
  return (
    <section aria-labelledby="team-title">
      <div class="list-head">
        <h2 id="team-title">{t('admin:client.team')}</h2>
        <a href={href(newUserPathFor(clientId))} class="action">
          {t('admin:client.invite')}
        </a>
      </div>
      {users.length === 0 ? (
        <p class="quiet">{t('admin:client.noTeam')}</p>
      ) : (
        <Table
          rows={users}
          columns={[
            {
              title: t('admin:users.person'),
              isRowHeader: true,
              cell: ({ id, name, email }) => (
                <>
                  <a href={href(userPath(id))} class="as-typed">
                    {name}
                  </a>{' '}
                  <span class="quiet as-typed">{email}</span>
                </>
              ),
            },
            {
              title: t('admin:users.role'),
              cell: ({ teamRole }) => (teamRole === null ? null : t(`actions:choices.teamRole.${teamRole}`)),
            },
            { title: t('admin:users.state'), cell: (user) => <UserState user={user} page={page} /> },
          ]}
        />
      )}
    </section>
  );
};

const SandboxSwitch: FC<{ client: Client; page: Page }> = ({ client, page: { t, href } }) => (
  <section aria-labelledby="sandbox-title">
    <h2 id="sandbox-title">{t('admin:client.sandbox')}</h2>
    <p>{t(client.sandbox ? 'admin:client.sandboxOn' : 'admin:client.sandboxOff')}</p>
    <p>
      <a href={href(clientPath(client.id, 'sandbox'))}>{t('admin:client.toSandbox')}</a>
    </p>
  </section>
);
