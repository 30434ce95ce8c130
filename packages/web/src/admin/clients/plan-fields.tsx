import { DEFAULT_MONTHLY_LIMIT, type Plan } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { RadioField } from '../../forms/choice-fields.tsx';
import type { FormState } from '../../forms/form-state.ts';
import { TextField } from '../../forms/text-field.tsx';
import type { Page } from '../../site/page.ts';
import { figure } from '../../wording/figure.ts';
import { FIELD } from './typed-subscription.ts';

/** What a client books: a plan and a limit of its own. */
export const PlanFields: FC<{ form: FormState; page: Page; plans: readonly (Plan | 'none')[] }> = (props) => {
  const { form, page, plans } = props;
  const { t } = page;
  return (
    <>
      <RadioField
        form={form}
        name={FIELD.plan}
        label={t('admin:newClient.plan')}
        choices={plans.map((plan) => ({
          value: plan,
          label: t(`admin:plan.${plan}`),
          hint: t(`admin:newClient.planHint.${plan}`, { limit: limitOf(plan, page) }),
        }))}
      />
      <TextField
        form={form}
        name={FIELD.limit}
        label={t('admin:newClient.limit')}
        hint={t('admin:newClient.limitHint')}
        inputmode="numeric"
        size="medium"
        autocomplete="off"
        optional
      />
    </>
  );
};

function limitOf(plan: Plan | 'none', { language }: Page): string {
  return figure(plan === 'none' ? 0 : DEFAULT_MONTHLY_LIMIT[plan], language);
}
