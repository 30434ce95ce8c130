import { type Prefill, READING_WAIT_MS, type ReadingOffers } from '@countersign/domain';
import { type PlacedField, valueAt, withValueAt } from '@countersign/domain/flows';
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { FC } from 'hono/jsx';
import { FormButton } from '../forms/draw-field.tsx';
import { fillFields, READ_BUTTON, readFields } from '../forms/form-answers.ts';
import type { ReadValue } from '../forms/form-state.ts';
import { createFormValues, type FormValues } from '../forms/form-values.ts';
import type { Page } from '../site/page.ts';
import { addressOf } from './flow-frame.tsx';
import type { VerifyEnv } from './session.ts';

/** Parameter of a page that does not wait for a reading. */
const UNREAD = 'unread';

/** Whether the request asks for the form although the document is being read. */
export function isForForm({ req }: Context): boolean {
  return req.query(UNREAD) !== undefined;
}

/** Fills the fields that are empty with what was read. */
export function withRead(
  fields: readonly PlacedField[],
  values: FormValues,
  { values: read }: ReadingOffers,
): FormValues {
  const filled = emptyRead(fields, values, read).flatMap(([placed, { value }]) => {
    return fillFields([placed], withValueAt({}, placed.path, value), true).entries;
  });
  const names = new Set(filled.map(([name]) => name));
  return createFormValues([...values.entries.filter(([name]) => !names.has(name)), ...filled]);
}

/** Returns what was read for the fields of a form, beside what the form has, by name. */
export function readIn(
  fields: readonly PlacedField[],
  values: FormValues,
  { values: read }: ReadingOffers,
): ReadonlyMap<string, ReadValue> {
  return new Map(
    fields.flatMap((placed): [string, ReadValue][] => {
      const prefill = read.get(placed.path);
      if (prefill === undefined) return [];
      const isSame = JSON.stringify(valueIn(placed, values)) === JSON.stringify(prefill.value);
      return [[placed.path, { ...prefill, isSame }]];
    }),
  );
}

/** Lists the fields that are empty although something was read for them. */
function emptyRead(
  fields: readonly PlacedField[],
  values: FormValues,
  read: ReadingOffers['values'],
): readonly (readonly [PlacedField, Prefill])[] {
  return fields.flatMap((placed) => {
    const prefill = read.get(placed.path);
    const value = valueIn(placed, values);
    const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    return prefill !== undefined && isEmpty ? [[placed, prefill] as const] : [];
  });
}

function valueIn(placed: PlacedField, values: FormValues) {
  return valueAt(readFields([placed], values), placed.path);
}

/** Says that the document is being read. `reading.js` loads the page again once it is; without it, the browser loads the form. */
export const ReadingWait: FC<{ context: Context<VerifyEnv>; slug: string }> = ({ context, slug }) => {
  const { t } = context.get('page');
  const address = addressOf(context, slug);
  const form = `${address}${address.includes('?') ? '&' : '?'}${UNREAD}`;
  return (
    <>
      {/* Hono moves an element `meta` to the head, where it would also apply with a script. */}
      {html`<noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS};url=${form}" /></noscript>`}
      <p role="status">{t('verify:reading.wait')}</p>
      <p>
        <a href={form} data-reading-wait={String(READING_WAIT_MS)}>
          {t('verify:reading.type')}
        </a>
      </p>
    </>
  );
};

const REFRESH_SECONDS = 2;

/** The button that fills in what was read. `reading.js` shows it when a reading comes late. */
export const FillIn: FC<{
  page: Page;
  fields: readonly PlacedField[];
  values: FormValues;
  offers: ReadingOffers;
}> = ({ page, fields, values, offers }) => (
  <div class="field" data-reading={offers.state} hidden={emptyRead(fields, values, offers.values).length === 0}>
    <FormButton value={READ_BUTTON} label={page.t('verify:reading.fillIn')} />
  </div>
);
