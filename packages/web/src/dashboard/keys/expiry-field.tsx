import type { FC } from 'hono/jsx';
import { RadioField } from '../../forms/choice-fields.tsx';
import type { FormState } from '../../forms/form-state.ts';
import type { Translate } from '../../site/messages.ts';
import { EXPIRIES, FIELD } from './typed-key.ts';

/** When a key expires: one of the five. */
export const ExpiryField: FC<{ form: FormState; t: Translate }> = ({ form, t }) => (
  <RadioField
    form={form}
    name={FIELD.expiry}
    label={t('dashboard:newKey.expiry')}
    hint={t('dashboard:newKey.expiryHint')}
    choices={EXPIRIES.map((value) => ({
      value,
      label: value === 'none' ? t('dashboard:keys.never') : t('dashboard:newKey.days', { count: Number(value) }),
    }))}
  />
);
