import { allowanceOf, type ClientWithSubscription } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { dayInWords } from '../../site/day-in-words.ts';
import type { Page } from '../../site/page.ts';
import { figure } from '../../wording/figure.ts';
import { Moment } from '../../wording/moment.tsx';
import { lastDayOf } from './last-day.ts';
import { StandingBadge } from './subscription-standing.tsx';

/** Who the client is, and what it has booked. */
export const ClientFacts: FC<{ found: ClientWithSubscription; now: Date; page: Page }> = ({
  found,
  now,
  page,
}) => {
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
        <dd>{t(`admin:plan.${subscription?.plan ?? 'none'}`)}</dd>
      </div>
      <div>
        <dt>{t('admin:clients.state')}</dt>
        <dd>
          <StandingBadge subscription={subscription} now={now} page={page} />
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
