import type { ClientWithSubscription, UsageReport } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../../site/page.ts';
import { figure } from '../../wording/figure.ts';
import { Moment } from '../../wording/moment.tsx';
import { clientPath } from '../paths.ts';
import { StandingBadge } from './subscription-standing.tsx';

/** A client and what it used. */
export interface ListedClient extends ClientWithSubscription {
  readonly usage: UsageReport;
}

export const ClientTable: FC<{ clients: readonly ListedClient[]; now: Date; page: Page }> = (props) => {
  const { clients, now, page } = props;
  const { t } = page;
  return (
    <table class="as-cards">
      <thead>
        <tr>
          <th scope="col">{t('admin:clients.client')}</th>
          <th scope="col">{t('admin:clients.plan')}</th>
          <th scope="col">{t('admin:clients.state')}</th>
          <th scope="col">{t('admin:clients.used')}</th>
          <th scope="col">{t('admin:clients.created')}</th>
        </tr>
      </thead>
      <tbody>
        {clients.map((listed) => (
          <ClientRow listed={listed} now={now} page={page} />
        ))}
      </tbody>
    </table>
  );
};

const ClientRow: FC<{ listed: ListedClient; now: Date; page: Page }> = ({ listed, now, page }) => {
  const { t, href } = page;
  const { client, subscription, usage } = listed;
  return (
    <tr>
      <th scope="row">
        <a href={href(clientPath(client.id))} class="as-typed">
          {client.name}
        </a>{' '}
        {client.sandbox ? <span class="badge">{t('admin:sandboxTag')}</span> : null}
      </th>
      <td data-label={t('admin:clients.plan')}>{t(`admin:plan.${subscription?.plan ?? 'none'}`)}</td>
      <td data-label={t('admin:clients.state')}>
        <StandingBadge subscription={subscription} now={now} page={page} />
      </td>
      <td data-label={t('admin:clients.used')}>{usedInWords(usage, page)}</td>
      <td data-label={t('admin:clients.created')}>
        <Moment at={client.createdAt} page={page} />
      </td>
    </tr>
  );
};

function usedInWords({ used, allowance, standing }: UsageReport, { t, language }: Page): string {
  const of = { used: figure(used, language), allowance: figure(allowance, language) };
  return t(standing === 'no_active_subscription' ? 'admin:clients.usedOnly' : 'admin:clients.usedOf', of);
}
