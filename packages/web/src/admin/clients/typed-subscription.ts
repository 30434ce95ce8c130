import { type Issue, PLANS, type Plan, SUBSCRIPTION_STATUSES, type Subscription } from '@countersign/domain';
import type { FormValues } from '../../forms/form-values.ts';
import { dayInWords } from '../../site/day-in-words.ts';
import type { Language } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import type { Problems } from '../../staff/bad-input.ts';
import { figure } from '../../wording/figure.ts';

/** Names of the fields in the forms of clients and subscriptions. */
export const FIELD = {
  name: 'name',
  plan: 'plan',
  limit: 'monthlyLimit',
  status: 'status',
  ends: 'endsOn',
} as const;

/** Before the name of a field: what it showed when the page was made, in a hidden field. */
export const SHOWN = 'shown.';

export function planIn(values: FormValues): Plan | undefined {
  return PLANS.find((plan) => plan === values.text(FIELD.plan));
}

export function statusIn(values: FormValues): Subscription['status'] | undefined {
  return SUBSCRIPTION_STATUSES.find((status) => status === values.text(FIELD.status));
}

/** Verifications a month; null for the plan's own limit, undefined for what is no whole number. How many at most, the domain says. */
export function limitIn(values: FormValues): number | null | undefined {
  const text = values.text(FIELD.limit);
  if (text === '') return null;
  return /^\d{1,300}$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : undefined;
}

/** What the domain refused, at the field where it can be put right. */
export function problemsOf(
  issues: readonly Issue[],
  { t, language }: Page,
  /** Of a subscription that there is, or that would begin now. */
  startsAt: Date,
): Problems {
  return new Map(
    issues.map(({ path, code, limit }) => {
      switch (path) {
        case 'monthlyLimit':
          return limit === undefined
            ? [FIELD.limit, t('admin:newClient.limitBad')]
            : [FIELD.limit, t('admin:newClient.limitTooLarge', { limit: figure(limit, language) })];
        case 'plan':
          return [FIELD.plan, t('admin:newClient.planNeeded')];
        case 'status':
          return [FIELD.status, t('admin:client.statusNeeded')];
        case 'endsAt':
          return code === 'too_small'
            ? [FIELD.ends, t('admin:client.endsBeforeStart', { day: dayOf(startsAt, language) })]
            : [FIELD.ends, t('admin:client.endsBad')];
        default:
          return [FIELD.name, t(code === 'required' ? 'admin:newClient.nameNeeded' : 'admin:newClient.nameBad')];
      }
    }),
  );
}

function dayOf(moment: Date, language: Language): string {
  return dayInWords(moment.toISOString().slice(0, 10), language);
}
