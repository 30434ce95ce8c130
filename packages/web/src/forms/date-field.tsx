import type { FC } from 'hono/jsx';
import { FieldGroup, type FieldProps } from './field-parts.tsx';
import { fieldId } from './form-state.ts';
import type { FormValues } from './form-values.ts';

/**
 * A date that people know by heart, in three fields (GOV.UK Design System, Date input). `birthday` lets the browser
 * fill in the reader's own.
 */
export const DateField: FC<FieldProps & { birthday?: boolean }> = ({ birthday, ...props }) => {
  const { form, name } = props;
  const wrong = form.errors.has(name);
  const part = (key: 'day' | 'month' | 'year', id: string) => (
    <div class={`date-part date-${key}`}>
      <label for={id}>{form.words[key]}</label>
      <input
        id={id}
        name={`${name}.${key}`}
        type="text"
        inputmode="numeric"
        maxlength={key === 'year' ? 4 : 2}
        value={form.values.text(`${name}.${key}`)}
        autocomplete={birthday ? `bday-${key}` : 'off'}
        aria-invalid={wrong ? 'true' : undefined}
      />
    </div>
  );
  return (
    <FieldGroup {...props}>
      <div class="date-parts">
        {part('day', fieldId(name))}
        {part('month', `${fieldId(name)}-month`)}
        {part('year', `${fieldId(name)}-year`)}
      </div>
    </FieldGroup>
  );
};

/** `2001-04-03` of the three fields; undefined when all are empty; what is no date comes out as one that is none. */
export function dateIn(values: FormValues, name: string): string | undefined {
  const [year = '', month = '', day = ''] = ['year', 'month', 'day'].map((part) => values.text(`${name}.${part}`));
  if (year === '' && month === '' && day === '') return undefined;
  return `${year.padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
