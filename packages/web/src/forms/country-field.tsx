import type { FC } from 'hono/jsx';
import type { Language } from '../site/messages.ts';
import { SelectField } from './choice-fields.tsx';
import { countryChoices } from './countries.ts';
import type { FieldProps } from './field-parts.tsx';

/** A country of the world, by its name in the reader's language. */
export const CountryField: FC<FieldProps & { language: Language; autocomplete?: string }> = (props) => {
  const { language, ...field } = props;
  return <SelectField {...field} choices={countryChoices(language)} />;
};
