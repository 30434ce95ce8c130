import { html } from 'hono/html';
import { expect, it } from 'vitest';
import { CountryField } from './choice-fields.tsx';
import { formState } from './form-state.ts';
import { createFormValues } from './form-values.ts';

async function draw(country: string): Promise<string> {
  const form = formState((key) => key, createFormValues([['country', country]]));
  const field = await html`${CountryField({ form, name: 'country', label: 'Country', language: 'en' })}`;
  return field.toString();
}

it.each(['DE', 'AX', '', '"><b>'])(
  'CountryField: with the value %j, at most that country is selected',
  async (country) => {
    const page = await draw(country);
    const chosen = [...page.matchAll(/<option value="(..)" selected="">/g)].map(([, code]) => code);
    expect(chosen).toEqual(country.length === 2 ? [country] : []);
    expect(page.match(/<option /g)).toHaveLength(250);
    expect(page).not.toContain('<b>');
  },
);

it('CountryField: the selection does not leak into the next list', async () => {
  expect(await draw('FR')).toContain('<option value="FR" selected="">');
  expect(await draw('')).not.toContain('selected');
});
