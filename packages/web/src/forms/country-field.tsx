import { COUNTRIES } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { compareIn, countryName } from '../site/formats.ts';
import type { Language } from '../site/language.ts';
import { type Choice, SelectField } from './choice-fields.tsx';
import type { FieldProps } from './field-parts.tsx';

/** Draws a choice of one country, by its name in the reader's language. */
export const CountryField: FC<FieldProps & { language: Language; autocomplete?: string }> = (props) => {
  const { language, ...field } = props;
  return <SelectField {...field} choices={countryChoices(language)} />;
};

const lists = new Map<Language, readonly Choice[]>();

/** Lists every country in the order of the reader's language. */
function countryChoices(language: Language): readonly Choice[] {
  const known = lists.get(language);
  if (known !== undefined) return known;
  const compare = compareIn(language);
  const choices = [...COUNTRIES]
    .map((code) => ({ value: code, label: countryName(language, code) }))
    .sort((a, b) => compare(a.label, b.label));
  lists.set(language, choices);
  return choices;
}
