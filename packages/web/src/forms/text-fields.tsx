import type { FC } from 'hono/jsx';
import { FieldFrame, FieldGroup, type FieldProps, fieldAria } from './field-parts.tsx';
import { fieldId } from './form-state.ts';
import type { FormValues } from './form-values.ts';

export interface TextFieldProps extends FieldProps {
  readonly type?: 'text' | 'email' | 'tel' | 'url' | 'password' | 'datetime-local' | undefined;
  /** `given-name`, `address-line1` … (HTML, Autofill). */
  readonly autocomplete?: string | undefined;
  readonly inputmode?: 'text' | 'email' | 'tel' | 'url' | 'numeric' | 'decimal' | undefined;
  /** Width of the field, if the length of the answer is known. */
  readonly size?: 'small' | 'medium' | undefined;
  readonly spellcheck?: boolean | undefined;
  readonly maxlength?: number | undefined;
  readonly autofocus?: boolean | undefined;
}

/** Draws a field for one line of text. The server checks the value, not the browser. */
export const TextField: FC<TextFieldProps> = (props) => {
  const { form, name, label, hint, optional, type = 'text', autocomplete, inputmode } = props;
  const { size, spellcheck = false, maxlength, autofocus } = props;
  return (
    <FieldFrame form={form} name={name} label={label} hint={hint} optional={optional}>
      <input
        id={fieldId(name)}
        name={name}
        type={type}
        // A password is never written into a page.
        value={type === 'password' ? undefined : form.values.text(name)}
        class={size}
        autocomplete={autocomplete}
        inputmode={inputmode}
        maxlength={maxlength}
        spellcheck={spellcheck}
        autocapitalize={type === 'text' ? undefined : 'none'}
        {...fieldAria(props)}
        autofocus={autofocus ? true : undefined}
      />
    </FieldFrame>
  );
};

/** Draws a field for several lines of text. */
export const TextArea: FC<FieldProps & { rows?: number; maxlength?: number }> = (props) => {
  const { form, name, label, hint, optional, rows = 4, maxlength } = props;
  return (
    <FieldFrame form={form} name={name} label={label} hint={hint} optional={optional}>
      <textarea id={fieldId(name)} name={name} rows={rows} maxlength={maxlength} {...fieldAria(props)}>
        {form.values.text(name)}
      </textarea>
    </FieldFrame>
  );
};

/** Reads a control of type `datetime-local`, which has no time zone, as UTC. Other text stays as it was typed; undefined if it is empty. */
export function timestampIn(values: FormValues, name: string): string | undefined {
  const text = values.text(name);
  return (/T\d\d:\d\d$/.test(text) ? `${text}:00Z` : text) || undefined;
}

/** Returns what a control of type `datetime-local` shows of a time in UTC: it is exact to the minute. */
export function shownTimestamp(timestamp: string): string {
  return timestamp.slice(0, 'YYYY-MM-DDTHH:MM'.length);
}

/** Draws a date in three fields (GOV.UK Design System, Date input). With `birthday`, browsers fill in the reader's. */
export const DateField: FC<FieldProps & { birthday?: boolean }> = ({ birthday, ...props }) => {
  const { form, name } = props;
  const wrong = form.errors.has(name);
  const part = (key: 'day' | 'month' | 'year', id: string) => (
    <div class={`date-part date-${key}`}>
      <label for={id}>{form.t(`site:date.${key}`)}</label>
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

/**
 * Reads the three fields as `2001-04-03`; undefined if all are empty. Invalid input gives an invalid date, and so does a year of
 * fewer than four digits: 90 is not the year 90.
 */
export function dateIn(values: FormValues, name: string): string | undefined {
  const [year = '', month = '', day = ''] = ['year', 'month', 'day'].map((part) => values.text(`${name}.${part}`));
  if (year === '' && month === '' && day === '') return undefined;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
