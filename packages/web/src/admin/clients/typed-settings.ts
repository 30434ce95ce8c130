import type { Subscription, SubscriptionSettings } from '@countersign/domain';
import { dateIn } from '../../forms/date-field.tsx';
import { createFormValues, type FormValues, valuesOfAnswers } from '../../forms/form-values.ts';
import type { Page } from '../../site/page.ts';
import type { Problems } from '../../staff/bad-input.ts';
import { endOfDay, lastDayOf } from './last-day.ts';
import { FIELD, limitIn, planIn, SHOWN, statusIn } from './typed-subscription.ts';

/** The form of a subscription as it is, with what it shows; what a first one is mostly made of where there is none. */
export function valuesOf(subscription: Subscription | null): FormValues {
  const { plan = null, status = 'active', monthlyLimit = null, endsAt = null } = subscription ?? {};
  const shown = {
    [FIELD.plan]: plan,
    [FIELD.status]: status,
    [FIELD.limit]: monthlyLimit,
    [FIELD.ends]: endsAt === null ? null : lastDayOf(endsAt),
  };
  const fields = valuesOfAnswers(shown, [FIELD.ends]);
  return createFormValues([
    ...fields.names.map((name) => [name, fields.text(name)] as const),
    ...Object.entries(shown).map(([name, value]) => [SHOWN + name, String(value ?? '')] as const),
  ]);
}

export type TypedSettings =
  | { readonly settings: SubscriptionSettings; readonly problems: null }
  | { readonly settings: null; readonly problems: Problems };

/**
 * What was changed of what the form showed. What was left as it was is no setting: somebody else may have set it meanwhile,
 * and a day would lose its hour.
 */
export function readSettings(values: FormValues, { t }: Page): TypedSettings {
  const [plan, status, monthlyLimit] = [planIn(values), statusIn(values), limitIn(values)];
  const day = dateIn(values, FIELD.ends);
  const endsAt = day === undefined ? null : endOfDay(day);
  const problems = new Map<string, string>();
  if (plan === undefined) problems.set(FIELD.plan, t('admin:newClient.planNeeded'));
  if (monthlyLimit === undefined) problems.set(FIELD.limit, t('admin:newClient.limitBad'));
  if (status === undefined) problems.set(FIELD.status, t('admin:client.statusNeeded'));
  if (day !== undefined && endsAt === null) problems.set(FIELD.ends, t('admin:client.endsBad'));
  if (problems.size > 0) return { settings: null, problems };
  const isChanged = (name: string, typed: string | number | null | undefined): boolean =>
    !values.has(SHOWN + name) || values.text(SHOWN + name) !== String(typed ?? '');
  const settings: SubscriptionSettings = {
    ...(isChanged(FIELD.plan, plan) && { plan }),
    ...(isChanged(FIELD.status, status) && { status }),
    ...(isChanged(FIELD.limit, monthlyLimit) && { monthlyLimit }),
    ...(isChanged(FIELD.ends, day) && { endsAt }),
  };
  return { settings, problems: null };
}
