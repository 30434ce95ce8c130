import type { Child, FC, PropsWithChildren } from 'hono/jsx';
import { describedBy, type FormState, fieldId } from './form-state.ts';

/** Properties of every field. */
export interface FieldProps {
  readonly form: FormState;
  readonly name: string;
  readonly label: string;
  readonly hint?: Child;
  readonly optional?: boolean | undefined;
  /** Whether only screen readers get the label, because the text around the field says the same. */
  readonly hidesLabel?: boolean | undefined;
}

/** Shows the hint and the message of a field. */
export const HintAndError: FC<Pick<FieldProps, 'form' | 'name' | 'hint'>> = ({ form, name, hint }) => {
  const error = form.errors.get(name);
  return (
    <>
      {hint === undefined ? null : (
        <p class="hint" id={`${fieldId(name)}-hint`}>
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p class="field-error" id={`${fieldId(name)}-error`}>
          <span class="visually-hidden">{form.t('site:error.field')} </span>
          {error}
        </p>
      )}
    </>
  );
};

/** Shows a label, followed by a word if the field is optional. */
const LabelText: FC<Pick<FieldProps, 'form' | 'label' | 'optional'>> = ({ form, label, optional }) => (
  <>
    {label}
    {optional ? <span class="quiet"> {form.t('site:optional')}</span> : null}
  </>
);

/** Draws a field with its label, hint and message. */
export const FieldFrame: FC<PropsWithChildren<FieldProps>> = (props) => {
  const { form, name, label, hint, optional, hidesLabel, children } = props;
  return (
    <div class={form.errors.has(name) ? 'field has-error' : 'field'}>
      <label for={fieldId(name)} class={hidesLabel ? 'visually-hidden' : undefined}>
        <LabelText form={form} label={label} optional={optional} />
      </label>
      <HintAndError form={form} name={name} hint={hint} />
      {children}
    </div>
  );
};

/** Returns the attributes that link a field to its hint and message for screen readers. */
export function fieldAria({
  form,
  name,
  hint,
  optional,
}: FieldProps): Readonly<Record<string, string | undefined>> {
  return {
    'aria-invalid': form.errors.has(name) ? 'true' : undefined,
    'aria-describedby': describedBy(form, name, hint),
    'aria-required': optional ? undefined : 'true',
  };
}

/** Draws several fields that answer one question. */
export const FieldGroup: FC<PropsWithChildren<FieldProps & { role?: 'radiogroup' }>> = (props) => {
  const { form, name, label, hint, optional, role, children } = props;
  return (
    <fieldset
      class={form.errors.has(name) ? 'field has-error' : 'field'}
      role={role}
      aria-describedby={describedBy(form, name, hint)}
    >
      <legend>
        <LabelText form={form} label={label} optional={optional} />
      </legend>
      <HintAndError form={form} name={name} hint={hint} />
      {children}
    </fieldset>
  );
};

/**
 * Lists the errors at the top of a page, with a link to each field. Takes the focus when the page loads, so that screen
 * readers announce it first (GOV.UK Design System, Error summary).
 */
export const ErrorSummary: FC<{ title: string; errors: ReadonlyMap<string, string> }> = ({ title, errors }) =>
  errors.size === 0 ? null : (
    <div class="error-summary" role="alert" tabindex={-1} autofocus aria-labelledby="error-summary-title">
      <h2 id="error-summary-title">{title}</h2>
      <ul>
        {[...errors].map(([path, message]) => (
          <li>
            <a href={`#${fieldId(path)}`}>{message}</a>
          </li>
        ))}
      </ul>
    </div>
  );
