import type { Child, FC, PropsWithChildren } from 'hono/jsx';
import { describedBy, type FormState, fieldId } from './form-state.ts';

/** What every field is given. */
export interface FieldProps {
  readonly form: FormState;
  readonly name: string;
  readonly label: string;
  readonly hint?: Child;
  readonly optional?: boolean | undefined;
}

/** The hint and the message of a field, under its label. */
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
          <span class="visually-hidden">{form.words.error} </span>
          {error}
        </p>
      )}
    </>
  );
};

/** A label with what follows it; `optional` is said in words. */
const LabelText: FC<Pick<FieldProps, 'form' | 'label' | 'optional'>> = ({ form, label, optional }) => (
  <>
    {label}
    {optional ? <span class="quiet"> {form.words.optional}</span> : null}
  </>
);

/** One field with its label, its hint and its message. */
export const FieldFrame: FC<PropsWithChildren<FieldProps>> = ({ form, name, label, hint, optional, children }) => (
  <div class={form.errors.has(name) ? 'field has-error' : 'field'}>
    <label for={fieldId(name)}>
      <LabelText form={form} label={label} optional={optional} />
    </label>
    <HintAndError form={form} name={name} hint={hint} />
    {children}
  </div>
);

/** What ties the field itself to its frame, for those who hear it. */
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

/** Several fields that answer one question. */
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
