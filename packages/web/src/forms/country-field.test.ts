import { html } from 'hono/html';
import { expect, it } from 'vitest';
import type { Language } from '../site/language.ts';
import { CountryField, CountryList } from './country-field.tsx';
import { formState } from './form-state.ts';
import { createFormValues } from './form-values.ts';

async function draw(country: string, language: Language = 'en'): Promise<string> {
  const form = formState((key) => key, createFormValues([['country', country]]));
  const field = await html`${CountryField({ form, name: 'country', label: 'Country', language })}`;
  return field.toString();
}

it.each([
  ['DE', 'en', 'Germany'],
  ['DE', 'de', 'Deutschland'],
  ['deutschland', 'en', 'Germany'],
  ['', 'en', ''],
  ['Atlantis', 'en', 'Atlantis'],
  ['Congo', 'en', 'Congo'],
] as const)('CountryField: %j is shown in %s as %j', async (country, language, shown) => {
  expect(await draw(country, language)).toContain(`list="countries" value="${shown}"`);
});

it('CountryField: escapes what was typed', async () => {
  expect(await draw('"><b>')).not.toContain('<b>');
});

it('CountryList: has each country once, in the order of the language', async () => {
  const list = (await html`${CountryList({ language: 'de' })}`).toString();
  expect(list.match(/<option /g)).toHaveLength(249);
  expect(list.indexOf('value="Österreich"')).toBeLessThan(list.indexOf('value="Pakistan"'));
});
