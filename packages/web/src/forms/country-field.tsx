import { COUNTRIES } from '@countersign/domain/flows';
import { html } from 'hono/html';
import type { Child, FC } from 'hono/jsx';
import { compareIn, countryName } from '../site/formats.ts';
import type { Language } from '../site/language.ts';
import { countryCode } from './country-names.ts';
import { FieldFrame, type FieldProps, fieldAria } from './field-parts.tsx';
import { fieldId } from './form-state.ts';

const LIST = 'countries';

/** Draws a field for one country, by its name in the reader's language. Its page has a `CountryList`. */
export const CountryField: FC<FieldProps & { language: Language; autocomplete?: string }> = (props) => {
  const { form, name, label, hint, optional, hidesLabel, language, autocomplete } = props;
  return (
    <FieldFrame {...{ form, name, label, hint, optional, hidesLabel }}>
      <input
        id={fieldId(name)}
        name={name}
        type="text"
        list={LIST}
        value={countryName(language, countryCode(form.values.text(name)))}
        autocomplete={autocomplete}
        spellcheck={false}
        {...fieldAria(props)}
      />
    </FieldFrame>
  );
};

/** The names that the country fields of a page suggest. */
export const CountryList: FC<{ language: Language }> = ({ language }) => (
  <datalist id={LIST}>{namesIn(language)}</datalist>
);

const lists = new Map<Language, readonly Child[]>();

/** Lists every country in the order of the reader's language. */
function namesIn(language: Language): readonly Child[] {
  const known = lists.get(language);
  if (known !== undefined) return known;
  const names = COUNTRIES.map((code) => countryName(language, code)).sort(compareIn(language));
  const drawn = names.map((name) => html`<option value="${name}"></option>`);
  lists.set(language, drawn);
  return drawn;
}
