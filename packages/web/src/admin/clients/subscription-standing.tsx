import type { Subscription } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../../site/page.ts';

/** How a subscription stands now. */
export type CallerContext = 'active' | 'canceled' | 'ended' | 'not_started' | 'none';

export function callerContext(subscription: Subscription | null, now: Date): CallerContext {
  if (subscription === null) return 'none';
  const { status, startsAt, endsAt } = subscription;
  if (status === 'canceled') return 'canceled';
  if (now < startsAt) return 'not_started';
  return endsAt !== null && now >= endsAt ? 'ended' : 'active';
}

/** The colours of badges that are there already; the word says it. */
const COLOURS: Readonly<Record<CallerContext, string>> = {
  active: 'state-active',
  canceled: 'state-revoked',
  ended: 'state-expired',
  not_started: 'state-invited',
  none: 'state-expired',
};

export const StandingBadge: FC<{ subscription: Subscription | null; now: Date; page: Page }> = (props) => {
  const standing = callerContext(props.subscription, props.now);
  return <span class={`badge ${COLOURS[standing]}`}>{props.page.t(`admin:standing.${standing}`)}</span>;
};
