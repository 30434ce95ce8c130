import type { FC } from 'hono/jsx';
import { CheckboxField, RadioField, SelectField } from '../../forms/choice-fields.tsx';
import { CountryField } from '../../forms/country-field.tsx';
import { DateField } from '../../forms/date-field.tsx';
import type { FormState } from '../../forms/form-state.ts';
import { TextArea, TextField } from '../../forms/text-field.tsx';
import { hasMessage } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import { CountriesField, type GroupProps, OtherAddressField, RowsField } from './draw-group.tsx';
import type { FieldSpec, TextSpec } from './field-spec.ts';

interface DrawProps {
  readonly page: Page;
  readonly form: FormState;
}

/** One field of a page. `name` is its full name where it stands in a row. */
export const Field: FC<DrawProps & { field: FieldSpec; name?: string; autofocus?: boolean }> = (props) => {
  const { page, form, field, name = field.name, autofocus } = props;
  const { t, language } = page;
  const hintKey = `verify:hints.${field.label}`;
  const shared = {
    form,
    name,
    label: t(`verify:fields.${field.label}`),
    optional: field.optional,
    ...(hasMessage(hintKey) && { hint: t(hintKey) }),
  };
  const draw: GroupProps<FieldSpec>['draw'] = (part, partName, focused = false) => (
    <Field page={page} form={form} field={part} name={partName} autofocus={focused} />
  );
  switch (field.as) {
    case 'date':
      return (
        <DateField {...shared} birthday={field.birthday === true} hint={shared.hint ?? t('site:date.hint')} />
      );
    case 'country':
      return <CountryField {...shared} language={language} autocomplete={field.autocomplete ?? 'off'} />;
    case 'countries':
      return <CountriesField {...shared} page={page} />;
    case 'choice': {
      const choices = field.choices.map((value) => ({ value, label: t(`verify:choices.${value}`) }));
      return name === field.name ? (
        <RadioField {...shared} choices={choices} />
      ) : (
        <SelectField {...shared} choices={choices} />
      );
    }
    case 'statement':
      return <CheckboxField {...shared} />;
    case 'rows':
      return <RowsField page={page} form={form} field={field} draw={draw} />;
    case 'other_address':
      return <OtherAddressField page={page} form={form} field={field} draw={draw} />;
    case 'long':
    case 'lines':
      return <TextArea {...shared} rows={field.as === 'long' ? 4 : 3} />;
    default:
      return (
        <TextField
          {...shared}
          {...INPUTS[field.as]}
          // Nothing of somebody else's is filled in with the reader's own.
          autocomplete={field.autocomplete ?? 'off'}
          size={field.size}
          autofocus={autofocus}
        />
      );
  }
};

type InputSpec = Exclude<TextSpec['as'], 'long' | 'lines'>;

const INPUTS: Readonly<Record<InputSpec, Pick<Parameters<typeof TextField>[0], 'type' | 'inputmode'>>> = {
  text: {},
  code: {},
  email: { type: 'email', inputmode: 'email' },
  phone: { type: 'tel', inputmode: 'tel' },
  // Not `url`: people leave out the `https://`, and that is fine.
  website: { inputmode: 'url' },
  percent: { inputmode: 'decimal' },
};
