import type { Field } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { RadioField } from '../forms/choice-fields.tsx';
import { CountryField } from '../forms/country-field.tsx';
import { type FieldProps as ControlProps, FieldGroup, HintAndError } from '../forms/field-parts.tsx';
import { type FormState, fieldId } from '../forms/form-state.ts';
import type { Page } from '../site/page.ts';
import { ROWS_BUTTON } from './change-rows.ts';
import type { FieldTexts } from './field-texts.ts';
import { sameOrOther } from './form-answers.ts';

export interface FieldProps {
  readonly page: Page;
  readonly form: FormState;
  readonly texts: FieldTexts;
  readonly field: Field;
  /** Name of the form field, which is the path of the answer: `placeOfBirth.city`, `directors.0.firstName`. */
  readonly name: string;
  /** Whether the field is about somebody other than the reader. Browsers then fill in nothing. */
  readonly isAboutOther?: boolean | undefined;
  readonly isInRow?: boolean | undefined;
  /** Whether the form says that an optional group of rows has none. */
  readonly hasNone?: boolean | undefined;
  readonly autofocus?: boolean | undefined;
}

interface GroupProps<K extends Field['kind']> extends FieldProps {
  readonly field: Extract<Field, { kind: K }>;
  /** Draws one field of the group. */
  readonly draw: FC<FieldProps>;
}

/** Draws a list of countries: one control, and a button that adds another. */
export const CountriesField: FC<ControlProps & { page: Page; texts: FieldTexts }> = ({
  page,
  texts,
  ...props
}) => {
  const { form, name } = props;
  const { language } = page;
  const rows = Math.max(1, form.values.rows(name));
  return (
    <FieldGroup {...props}>
      {Array.from({ length: rows }, (_, index) => (
        <CountryField
          form={form}
          name={`${name}.${index}`}
          label={texts.row(name, index)}
          language={language}
          autocomplete="off"
        />
      ))}
      <RowsButton value={`add:${name}`} label={texts.addRow(name)} />
    </FieldGroup>
  );
};

/** Draws rows such as people. Buttons that add and remove rows post the form to itself. */
export const RowsField: FC<GroupProps<'rows'>> = (props) => {
  const { page, form, texts, field, name, hasNone = false, draw: Draw } = props;
  const rows = Math.max(field.optional && hasNone ? 0 : 1, form.values.rows(name));
  const wasAdded = form.values.has(`${name}.${rows - 1}.`);
  return (
    <div class="rows" id={fieldId(name)} tabindex={-1}>
      <HintAndError form={form} name={name} hint={undefined} />
      {Array.from({ length: rows }, (_, index) => (
        <fieldset class="row">
          <legend>{texts.row(name, index)}</legend>
          {Object.entries(field.fields).map(([key, part], at) => (
            <Draw
              page={page}
              form={form}
              texts={texts}
              field={part}
              name={`${name}.${index}.${key}`}
              isAboutOther
              isInRow
              autofocus={wasAdded && index === rows - 1 && at === 0}
            />
          ))}
          {rows > 1 || field.optional ? (
            <RowsButton value={`remove:${name}.${index}`} label={texts.removeRow(name, index)} />
          ) : null}
        </fieldset>
      ))}
      <RowsButton value={`add:${name}`} label={texts.addRow(name)} />
    </div>
  );
};

/** htmx replaces the form alone; without JavaScript the whole page is loaded again. */
const RowsButton: FC<{ value: string; label: string }> = ({ value, label }) => (
  <button
    type="submit"
    name={ROWS_BUTTON}
    value={value}
    class="secondary outline"
    hx-post=""
    hx-target="#page-form"
    hx-select="#page-form"
    hx-swap="outerHTML"
  >
    {label}
  </button>
);

/** Asks whether a group, such as an address, is the same as an earlier one, and for its parts if not. */
export const OtherGroupField: FC<GroupProps<'group'>> = ({ page, form, texts, field, name, draw: Draw }) => {
  const choices = (['same', 'other'] as const).map((value) => ({
    value,
    label: texts.sameOrOther(value),
  }));
  return (
    <div class="other-address">
      <RadioField form={form} name={sameOrOther(name)} label={texts.label(name)} choices={choices} />
      <div class="other-address-fields">
        {Object.entries(field.fields).map(([key, part]) => (
          <Draw
            page={page}
            form={form}
            texts={texts}
            field={part}
            name={`${name}.${key}`}
            isAboutOther={field.about === 'other'}
          />
        ))}
      </div>
    </div>
  );
};
