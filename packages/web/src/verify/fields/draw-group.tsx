import type { Child, FC } from 'hono/jsx';
import { RadioField } from '../../forms/choice-fields.tsx';
import { CountryField } from '../../forms/country-field.tsx';
import { FieldGroup, type FieldProps, HintAndError } from '../../forms/field-parts.tsx';
import { type FormState, fieldId } from '../../forms/form-state.ts';
import type { Page } from '../../site/page.ts';
import { ROWS_BUTTON } from './change-rows.ts';
import type { FieldSpec, OtherAddressSpec, RowsSpec } from './field-spec.ts';
import { sameOrOther } from './read-field.ts';

export interface GroupProps<S> {
  readonly page: Page;
  readonly form: FormState;
  readonly field: S;
  /** Draws one field of the group. `name` is its full name where it stands in a row. */
  readonly draw: (part: FieldSpec, name: string, autofocus?: boolean) => Child;
}

/** One country, and more where they are needed. */
export const CountriesField: FC<FieldProps & { page: Page }> = ({ page, ...props }) => {
  const { form, name } = props;
  const { t, language } = page;
  const rows = Math.max(1, form.values.rows(name));
  return (
    <FieldGroup {...props}>
      {Array.from({ length: rows }, (_, index) => (
        <CountryField
          form={form}
          name={`${name}.${index}`}
          label={t('verify:rows.country', { number: index + 1 })}
          language={language}
          autocomplete="off"
        />
      ))}
      <RowsButton value={`add:${name}`} label={t('verify:rows.add.nationalities')} />
    </FieldGroup>
  );
};

/** People, one after another. Rows are added and taken away by posting the form to itself. */
export const RowsField: FC<GroupProps<RowsSpec>> = ({ page, form, field, draw }) => {
  const { t } = page;
  const { name, label } = field;
  // Somebody who said that there are none is not asked for one.
  const none = field.optional === true && form.values.text('noBeneficialOwner') === 'true';
  const rows = Math.max(none ? 0 : 1, form.values.rows(name));
  const added = form.values.has(`${name}.${rows - 1}.`);
  const people = Array.from({ length: rows }, (_, index) => `${name}.${index}`);
  return (
    <div class="rows" id={fieldId(name)} tabindex={-1}>
      <HintAndError form={form} name={name} hint={undefined} />
      {people.map((row, index) => (
        <fieldset class="row">
          <legend>{t(`verify:rows.${label}`, { number: index + 1 })}</legend>
          {field.fields.map((part, at) =>
            draw(part, `${row}.${part.name}`, added && index === rows - 1 && at === 0),
          )}
          {rows > 1 || field.optional ? (
            <RowsButton value={`remove:${row}`} label={t(`verify:rows.remove.${label}`, { number: index + 1 })} />
          ) : null}
        </fieldset>
      ))}
      <RowsButton value={`add:${name}`} label={t(`verify:rows.add.${label}`)} />
    </div>
  );
};

/** htmx exchanges the form alone, where there is JavaScript; without it the whole page comes anew. */
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

/** The same address, or another one that is then asked for. */
export const OtherAddressField: FC<GroupProps<OtherAddressSpec>> = ({ page, form, field, draw }) => {
  const { t } = page;
  const choices = (['same', 'other'] as const).map((value) => ({
    value,
    label: t(`verify:addressChoices.${value}`),
  }));
  return (
    <div class="other-address">
      <RadioField
        form={form}
        name={sameOrOther(field.name)}
        label={t(`verify:fields.${field.label}`)}
        choices={choices}
      />
      <div class="other-address-fields">{field.fields.map((part) => draw(part, part.name))}</div>
    </div>
  );
};
