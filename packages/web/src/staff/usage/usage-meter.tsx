import type { UsageReport } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { dayInWords, figure, monthInWords } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';

/** From this part of the limit on the meter changes its colour; the words beside it say how much is left. */
const NEARLY_ALL = 0.8;

/** What was used of the month's limit, in figures and as a meter, and when it begins again. */
export const UsageMeter: FC<{ usage: UsageReport; page: Page }> = ({ usage, page }) => {
  const { t, language } = page;
  const { used, allowance, month, state } = usage;
  const of = { used: figure(used, language), allowance: figure(allowance, language) };
  return (
    <>
      <p class="figure">
        {of.used} <small>{state === 'no_active_subscription' ? null : t('staff:usage.ofLimit', of)}</small>
      </p>
      {allowance === 0 ? null : (
        <meter
          min={0}
          max={allowance}
          low={allowance * NEARLY_ALL}
          high={allowance}
          optimum={0}
          value={Math.min(used, allowance)}
          aria-label={t('staff:usage.meter', of)}
        />
      )}
      <p class="quiet">
        {t('staff:usage.inMonth', { month: monthInWords(month, language) })}{' '}
        {t('staff:usage.resets', { day: dayInWords(usage.resetsAt.toISOString().slice(0, 10), language) })}
      </p>
    </>
  );
};

/** Says plainly that the API creates nothing now, and what it answers. */
export const StandingNotice: FC<{ usage: UsageReport; page: Page }> = ({ usage, page: { t, language } }) => {
  switch (usage.state) {
    case 'open':
      return null;
    case 'no_active_subscription':
      return (
        <div class="notice bad">
          <p>
            <strong>{t('staff:usage.noSubscriptionTitle')}</strong>
          </p>
          <p>
            {t('staff:usage.noSubscriptionText')} <code>NO_ACTIVE_SUBSCRIPTION</code>
          </p>
        </div>
      );
    case 'limit_reached':
      return (
        <div class="notice bad">
          <p>
            <strong>{t('staff:usage.limitTitle')}</strong>
          </p>
          <p>
            {t('staff:usage.limitText', {
              day: dayInWords(usage.resetsAt.toISOString().slice(0, 10), language),
            })}{' '}
            <code>LIMIT_EXCEEDED</code>
          </p>
        </div>
      );
    default:
      return usage.state satisfies never;
  }
};
