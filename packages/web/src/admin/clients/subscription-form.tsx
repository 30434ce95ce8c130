import { PLANS, SUBSCRIPTION_STATUSES, type Subscription } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { RadioField } from '../../forms/choice-fields.tsx';
import { DateField } from '../../forms/date-field.tsx';
import type { FormState } from '../../forms/form-state.ts';
import type { Page } from '../../site/page.ts';
import { clientPath } from '../paths.ts';
import { PlanFields } from './plan-fields.tsx';
import { FIELD, SHOWN } from './typed-subscription.ts';

/** Changes a client's subscription, or gives it its first. */
export const SubscriptionForm: FC<{
  clientId: string;
  subscription: Subscription | null;
  form: FormState;
  page: Page;
}> = ({ clientId, subscription, form, page }) => {
  const { t, href } = page;
  return (
    <form method="post" action={href(clientPath(clientId, 'subscription'))} class="narrow-form" novalidate>
      {subscription === null ? <p>{t('admin:client.noSubscription')}</p> : null}
      <PlanFields form={form} page={page} plans={PLANS} />
      <RadioField
        form={form}
        name={FIELD.status}
        label={t('admin:client.status')}
        choices={SUBSCRIPTION_STATUSES.map((status) => ({
          value: status,
          label: t(`admin:standing.${status}`),
          hint: t(`admin:client.statusHint.${status}`),
        }))}
      />
      <DateField
        form={form}
        name={FIELD.ends}
        label={t('admin:client.ends')}
        hint={t('admin:client.endsHint')}
        optional
      />
      {Object.values(FIELD)
        .map((name) => SHOWN + name)
        .filter((name) => form.values.has(name))
        .map((name) => (
          <input type="hidden" name={name} value={form.values.text(name)} />
        ))}
      <button type="submit">{t(subscription === null ? 'admin:client.start' : 'admin:client.save')}</button>
    </form>
  );
};
