import type { Field as FieldData, Purpose } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { CheckboxesField, CheckboxField, type Choice, RadioField, SelectField } from '../forms/choice-fields.tsx';
import { CountryField } from '../forms/country-field.tsx';
import { DateField } from '../forms/date-field.tsx';
import { TextArea, TextField } from '../forms/text-field.tsx';
import { CountriesField, type FieldProps, OtherGroupField, RowsField } from './draw-group.tsx';
import type { FieldTexts } from './field-texts.ts';
import { mayBeEmpty } from './form-answers.ts';

/** Draws the control of a field, by its kind. */
export const Field: FC<FieldProps> = (props) => {
  const { page, form, texts, field, name, isAboutOther = false, isInRow = false, autofocus } = props;
  const { t, language } = page;
  if (field.by !== undefined && field.by !== 'subject') return null;
  const hint = texts.hint(name);
  const shared = {
    form,
    name,
    label: texts.label(name),
    optional: mayBeEmpty(field) ? true : undefined,
    ...(hint !== undefined && { hint }),
  };
  const autocomplete = isAboutOther ? 'off' : (field.purpose ?? 'off');
  switch (field.kind) {
    case 'date':
      return (
        <DateField
          {...shared}
          birthday={!isAboutOther && field.purpose === 'birth-date'}
          hint={hint ?? t('site:date.hint')}
        />
      );
    case 'country':
      return <CountryField {...shared} language={language} autocomplete={autocomplete} />;
    case 'choice': {
      const none = field.optional ? texts.noChoice?.(name) : undefined;
      const choices = [
        ...(none === undefined ? [] : [{ value: '', label: none }]),
        ...choicesOf(texts, name, field.of),
      ];
      return isInRow ? (
        <SelectField {...shared} choices={choices} />
      ) : (
        <RadioField {...shared} choices={choices} />
      );
    }
    case 'statement':
    case 'flag':
      return <CheckboxField {...shared} />;
    case 'list':
      if (field.each.kind === 'country') return <CountriesField {...shared} page={page} texts={texts} />;
      if (field.each.kind !== 'choice') return <TextArea {...shared} rows={3} />;
      return <CheckboxesField {...shared} choices={choicesOf(texts, name, field.each.of)} />;
    case 'rows':
      return <RowsField {...props} field={field} draw={Field} />;
    case 'group':
      if (field.sameAs !== undefined) return <OtherGroupField {...props} field={field} draw={Field} />;
      return (
        <>
          {Object.entries(field.fields).map(([key, part]) => (
            <Field
              {...props}
              field={part}
              name={`${name}.${key}`}
              isAboutOther={isAboutOther || field.about === 'other'}
            />
          ))}
        </>
      );
    case 'file':
      // A file has a page of its own.
      return null;
    case 'text':
      if (field.shape === 'paragraph') return <TextArea {...shared} rows={4} />;
      return <TextField {...shared} autocomplete={autocomplete} autofocus={autofocus} size={sizeOf(field)} />;
    case 'email':
    case 'phone':
    case 'website':
    case 'number':
    case 'language':
    case 'id':
    case 'timestamp':
      return (
        <TextField
          {...shared}
          {...INPUTS[field.kind]}
          {...(field.kind === 'number' && field.integer && { inputmode: 'numeric' })}
          autocomplete={autocomplete}
          autofocus={autofocus}
          size={sizeOf(field)}
        />
      );
    default:
      return field satisfies never;
  }
};

function choicesOf(texts: FieldTexts, name: string, values: readonly (string | number)[]): Choice[] {
  return values.map((value) => {
    const hint = texts.choiceHint?.(name, value);
    return { value: String(value), label: texts.choice(name, value), ...(hint !== undefined && { hint }) };
  });
}

type Inputs = Readonly<
  Partial<Record<FieldData['kind'], Pick<Parameters<typeof TextField>[0], 'type' | 'inputmode'>>>
>;

const INPUTS: Inputs = {
  email: { type: 'email', inputmode: 'email' },
  phone: { type: 'tel', inputmode: 'tel' },
  // Not type `url`, which would insist on `https://`.
  website: { inputmode: 'url' },
  number: { inputmode: 'decimal' },
};

const SMALL: readonly (Purpose | undefined)[] = ['postal-code'];

/** How wide the control is, when the length of the answer is known. */
function sizeOf(field: FieldData): 'small' | 'medium' | undefined {
  if (field.kind === 'number' || SMALL.includes(field.purpose)) return 'small';
  return field.kind === 'phone' || (field.kind === 'text' && field.shape === 'code') ? 'medium' : undefined;
}
