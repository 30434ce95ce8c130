import type { FC } from 'hono/jsx';
import { FieldFrame, type FieldProps, fieldAria } from './field-parts.tsx';
import { fieldId } from './form-state.ts';

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

/** Several lines of text. */
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
