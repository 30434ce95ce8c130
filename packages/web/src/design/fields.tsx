import type { Field as FieldData } from '@countersign/domain/flows';
import type { FC } from 'hono/jsx';
import { CountryList } from '../forms/country-field.tsx';
import { Field, type FieldTexts } from '../forms/draw-field.tsx';
import { ErrorSummary } from '../forms/field-parts.tsx';
import { type FormState, formState } from '../forms/form-state.ts';
import { createFormValues } from '../forms/form-values.ts';
import type { Page } from '../site/page.ts';
import { HARD } from './values.ts';

/** A field of each kind that looks different. */
const FIELDS: Readonly<Record<string, FieldData>> = {
  text: { kind: 'text', max: 100 },
  optional: { kind: 'text', max: 100, optional: true },
  paragraph: { kind: 'text', max: 1_000, shape: 'paragraph' },
  email: { kind: 'email' },
  number: { kind: 'number' },
  date: { kind: 'date' },
  country: { kind: 'country' },
  choice: { kind: 'choice', of: ['one', 'two'] },
  list: { kind: 'list', each: { kind: 'choice', of: ['one', 'two'] }, max: 2 },
  statement: { kind: 'statement' },
  rows: {
    kind: 'rows',
    fields: { name: { kind: 'text', max: 100 }, share: { kind: 'number', optional: true } },
    max: 9,
  },
};

const TEXTS: FieldTexts = {
  label: (path) => `Label of ${path}`,
  hint: (path) => (path === 'text' ? 'A hint says what is expected.' : undefined),
  choice: (_, value) => (value === 'two' ? HARD.longWord : String(value)),
  choiceHint: (_, value) => (value === 'two' ? 'A hint of one choice.' : undefined),
  row: (_, index) => `Person ${index + 1}`,
  addRow: () => 'Add a person',
  removeRow: (_, index) => `Remove person ${index + 1}`,
  sameOrOther: (value) => value,
  issue: () => 'A message',
};

const FILLED = createFormValues([
  ['text', HARD.reference],
  ['paragraph', HARD.rightToLeft],
  ['email', HARD.email],
  ['date.day', '31'],
  ['date.month', '2'],
  ['choice', 'two'],
  ['rows.0.name', HARD.rightToLeft],
  ['rows.1.name', HARD.longWord],
]);

/** @param isRefused whether the form came back with a message for each field */
export function designForm({ t }: Page, isRefused: boolean): FormState {
  if (!isRefused) return formState(t);
  return formState(t, FILLED, new Map(Object.keys(FIELDS).map((name) => [name, `Enter what ${name} asks for`])));
}

/** Fields of every kind in a form. */
export const Fields: FC<{ page: Page; form: FormState }> = ({ page, form }) => (
  <>
    <ErrorSummary title={page.t('site:error.summary')} errors={form.errors} />
    <h1>Fields</h1>
    <form class="narrow-form" id="page-form" novalidate>
      {Object.entries(FIELDS).map(([name, field]) => (
        <Field page={page} form={form} texts={TEXTS} field={field} name={name} />
      ))}
      <CountryList language={page.language} />
      <div class="next">
        <button type="submit">{page.t('site:continue')}</button>
      </div>
    </form>
  </>
);
