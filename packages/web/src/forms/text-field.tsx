import type { FC } from 'hono/jsx';
import { type FieldProps, HintAndError, LabelText } from './field-parts.tsx';
import { describedBy, fieldId } from './form-state.ts';

export interface TextFieldProps extends FieldProps {
  readonly type?: 'text' | 'email' | 'tel' | 'url' | 'password' | undefined;
  /** `given-name`, `address-line1` … (HTML, Autofill). */
  readonly autocomplete?: string | undefined;
  readonly inputmode?: 'text' | 'email' | 'tel' | 'url' | 'numeric' | 'decimal' | undefined;
  /** How wide the field is, where the length of the answer is known. */
  readonly size?: 'small' | 'medium' | undefined;
  readonly spellcheck?: boolean | undefined;
  readonly maxlength?: number | undefined;
  readonly autofocus?: boolean | undefined;
}

/** One line of text. What is wrong with it is said by the server, in words: the browser checks nothing. */
export const TextField: FC<TextFieldProps> = (props) => {
  const { form, name, label, hint, optional, type = 'text', autocomplete, inputmode } = props;
  const { size, spellcheck = false, maxlength, autofocus } = props;
  const wrong = form.errors.has(name);
  return (
    <div class={wrong ? 'field has-error' : 'field'}>
      <label for={fieldId(name)}>
        <LabelText form={form} label={label} optional={optional} />
      </label>
      <HintAndError form={form} name={name} hint={hint} />
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
        aria-invalid={wrong ? 'true' : undefined}
        aria-describedby={describedBy(form, name, hint)}
        aria-required={optional ? undefined : 'true'}
        autofocus={autofocus ? true : undefined}
      />
    </div>
  );
};

/** Several lines of text. */
export const TextArea: FC<FieldProps & { rows?: number; maxlength?: number }> = (props) => {
  const { form, name, label, hint, optional, rows = 4, maxlength } = props;
  const wrong = form.errors.has(name);
  return (
    <div class={wrong ? 'field has-error' : 'field'}>
      <label for={fieldId(name)}>
        <LabelText form={form} label={label} optional={optional} />
      </label>
      <HintAndError form={form} name={name} hint={hint} />
      <textarea
        id={fieldId(name)}
        name={name}
        rows={rows}
        maxlength={maxlength}
        aria-invalid={wrong ? 'true' : undefined}
        aria-describedby={describedBy(form, name, hint)}
        aria-required={optional ? undefined : 'true'}
      >
        {form.values.text(name)}
      </textarea>
    </div>
  );
};
