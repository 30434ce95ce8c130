import {
  type Client,
  type ClientWithSubscription,
  getClient,
  listAudit,
  listUsers,
  readClientUsage,
} from '@countersign/domain';
import type { Context, Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { ErrorSummary } from '../../forms/error-summary.tsx';
import type { FormValues } from '../../forms/form-values.ts';
import { formState } from '../../forms/form-words.ts';
import type { MessageKey } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import { NO_PROBLEMS, type Problems } from '../../staff/bad-input.ts';
import { Result } from '../../staff/result.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { StandingNotice, UsageMeter } from '../../usage/usage-meter.tsx';
import { answerAdminPage } from '../admin-page.tsx';
import { namesOfEntries } from '../audit/audit-names.ts';
import { AuditTable } from '../audit/audit-table.tsx';
import { auditPathFor, CLIENTS_PATH, clientPath } from '../paths.ts';
import { ClientFacts } from './client-facts.tsx';
import { ClientTeam } from './client-team.tsx';
import { SubscriptionForm } from './subscription-form.tsx';
import { valuesOf } from './typed-settings.ts';

/** Lines of the audit log that the page of a client shows; the rest is a page of its own. */
const RECENT = 5;

const DONE = ['created', 'subscription', 'unchanged', 'sandboxOn', 'sandboxOff'] as const;

/** All about one client, also where its form was posted to: whoever switches the language there asks for it. */
export function clientPage(site: Site): Handler<StaffEnv, '/:id'> {
  return async (context) => {
    const clientId = context.req.param('id');
    return answerClientPage(context, site, await context.get('as').run(getClient, { clientId }));
  };
}

export async function answerClientPage(
  context: Context<StaffEnv>,
  site: Site,
  found: ClientWithSubscription,
  refused?: { readonly values: FormValues; readonly problems: Problems },
): Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const as = context.get('as');
  const { client, subscription } = found;
  const [usage, members, { entries }] = await Promise.all([
    as.run(readClientUsage, { clientId: client.id }),
    as.run(listUsers, { clientId: client.id }),
    as.run(listAudit, { clientId: client.id }),
  ]);
  const recent = entries.slice(0, RECENT);
  const names = await namesOfEntries(recent, site.options.signIn, [found]);
  const { values, problems } = refused ?? { values: valuesOf(subscription), problems: NO_PROBLEMS };
  const done = DONE.find((name) => name === context.req.query('done'));
  const hasErrors = problems.size > 0;
  return answerAdminPage(
    context,
    site,
    { title: client.name, hasErrors, status: hasErrors ? 422 : 200 },
    <>
      <ErrorSummary title={t('site:error.summary')} errors={problems} />
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
      <ClientTeam clientId={client.id} members={members} page={page} />
      <section aria-labelledby="subscription-title">
        <h2 id="subscription-title">{t('admin:client.subscription')}</h2>
        <SubscriptionForm
          clientId={client.id}
          subscription={subscription}
          form={formState(t, values, problems)}
          page={page}
        />
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
}

const SandboxSwitch: FC<{ client: Client; page: Page }> = ({ client, page: { t, href } }) => {
  const [text, label]: readonly [MessageKey, MessageKey] = client.sandbox
    ? ['admin:client.sandboxOn', 'admin:client.toSandboxOff']
    : ['admin:client.sandboxOff', 'admin:client.toSandboxOn'];
  return (
    <section aria-labelledby="sandbox-title">
      <h2 id="sandbox-title">{t('admin:client.sandbox')}</h2>
      <p>{t(text)}</p>
      <p>
        <a href={href(clientPath(client.id, 'sandbox'))}>{t(label)}</a>
      </p>
    </section>
  );
};
