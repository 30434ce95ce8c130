import type { JsonObject, JsonValue } from '@countersign/domain';
import { type Field, type PlacedField, placedFields, valueAt, withValueAt } from '@countersign/domain/flows';
import { countryCode } from './country-names.ts';
import { createFormValues, type FormValues } from './form-values.ts';
import { dateIn, shownTimestamp, timestampIn } from './text-fields.tsx';

/** Name of the form field that asks "the same or another?" for a group with `sameAs`. */
export function sameOrOther(name: string): string {
  return `${name}-choice`;
}

/** Name of the checkbox that confirms that a field is left out. */
export function absentName(name: string): string {
  return `${name}-absent`;
}

/** Whether a field may be left empty. */
export function mayBeEmpty(field: Field): boolean {
  return field.optional === true || (field.kind === 'list' && (field.min ?? 0) === 0);
}

/** Reads the answers out of a form, placed as in the answers of the step. Empty fields are left out. */
export function readFields(fields: readonly PlacedField[], values: FormValues): JsonObject {
  return fields.reduce<JsonObject>(
    (answers, { path, field }) => withValueAt(answers, path, readField(field, path, values)),
    {},
  );
}

/** Reads one field. An absence that is not confirmed becomes an empty text, which is refused as missing. */
function readField(field: Field, name: string, values: FormValues): JsonValue | undefined {
  if (field.absence === undefined) return readValue(field, name, values);
  return values.text(absentName(name)) === 'true' ? undefined : (readValue(field, name, values) ?? '');
}

/** Lists the fields that were filled in although a checkbox says that they are left out. */
export function filledButAbsent(fields: readonly PlacedField[], values: FormValues): readonly string[] {
  return fields.flatMap(({ path, field }) => {
    if (field.absence !== undefined && values.text(absentName(path)) === 'true') {
      return readValue(field, path, values) === undefined ? [] : [path];
    }
    if (field.kind === 'rows') {
      return rowNames(path, values).flatMap((row) => filledButAbsent(placedFields(field.fields, row), values));
    }
    const isSame = field.kind !== 'group' || readValue(field, path, values) === undefined;
    return isSame ? [] : filledButAbsent(placedFields(field.fields, path), values);
  });
}

function readValue(field: Field, name: string, values: FormValues): JsonValue | undefined {
  switch (field.kind) {
    case 'date':
      return dateIn(values, name);
    case 'list':
      return readList(field, name, values);
    case 'statement':
      return values.text(name) === 'true' ? true : undefined;
    case 'flag':
      return readFlag(values.last(name));
    case 'number':
      return field.integer ? readInteger(values.text(name)) : readNumber(values.text(name));
    case 'rows': {
      const rows = rowNames(name, values).map((row) => readParts(field.fields, row, values));
      const filled = rows.filter((row) => Object.values(row).some((value) => value !== ''));
      return filled.length === 0 ? undefined : filled;
    }
    case 'group':
      if (field.sameAs !== undefined && values.text(sameOrOther(name)) !== 'other') return undefined;
      return readParts(field.fields, name, values);
    case 'text':
      return normalised(field.shape === 'code' ? 'code' : 'text', values.text(name)) || undefined;
    case 'phone':
    case 'website':
      return normalised(field.kind, values.text(name)) || undefined;
    case 'choice':
      return chosen(field.of, values.text(name));
    case 'country':
      return countryCode(values.text(name)) || undefined;
    case 'email':
    case 'file':
    case 'id':
    case 'language':
      return values.text(name) || undefined;
    case 'timestamp':
      return timestampIn(values, name);
    default:
      return field satisfies never;
  }
}

function readParts(fields: Readonly<Record<string, Field>>, name: string, values: FormValues): JsonObject {
  return Object.entries(fields).reduce<JsonObject>(
    (parts, [key, field]) => withValueAt(parts, key, readField(field, `${name}.${key}`, values)),
    {},
  );
}

function readList(field: Extract<Field, { kind: 'list' }>, name: string, values: FormValues): JsonValue {
  if (field.each.kind === 'choice') return [...values.all(name)];
  if (field.each.kind !== 'country') return linesOf(values.text(name));
  return rowNames(name, values)
    .map((row) => values.text(row))
    .filter((country) => country !== '')
    .map(countryCode);
}

function rowNames(name: string, values: FormValues): string[] {
  return Array.from({ length: values.rows(name) }, (_, index) => `${name}.${index}`);
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

/** Keeps an unknown choice as text, so that it is refused by name. */
function chosen(choices: readonly (string | number)[], text: string): JsonValue | undefined {
  return choices.find((choice) => String(choice) === text) ?? (text || undefined);
}

/** Keeps any other text, so that it is refused. */
function readFlag(text: string): JsonValue | undefined {
  if (text === 'true') return true;
  return text === 'false' ? false : text || undefined;
}

/** Reads `33,3 %` as 33.3. Anything that is not a number stays text, so that it is refused as typed. */
function readNumber(text: string): JsonValue | undefined {
  const typed = text.replace(/\s*%$/, '').replace(',', '.');
  if (typed === '') return undefined;
  return /^\d{1,9}(\.\d{1,9})?$/.test(typed) ? Number(typed) : text;
}

/** Reads digits alone, so that `5,000` is not taken for 5. A number too large to be exact stays too large. */
function readInteger(typed: string): JsonValue | undefined {
  if (typed === '') return undefined;
  return /^\d+$/.test(typed) ? Math.min(Number(typed), Number.MAX_SAFE_INTEGER) : typed;
}

/** Turns typed text into its stored form. */
function normalised(kind: 'text' | 'code' | 'phone' | 'website', text: string): string {
  if (kind === 'phone') return text.replace(/[\s()/.-]/g, '').replace(/^00/, '+');
  if (kind === 'code') return text.replace(/\s+/g, ' ');
  if (kind === 'website' && text !== '' && !/^[a-z]+:/i.test(text)) return `https://${text}`;
  return text;
}

/**
 * Fills the fields of a page with earlier answers.
 * @param isAnswered whether the page was answered before; then a missing group with `sameAs` means "the same"
 */
export function fillFields(fields: readonly PlacedField[], answers: JsonObject, isAnswered: boolean): FormValues {
  return createFormValues(
    fields.flatMap(({ path, field }) => fillField(field, path, valueAt(answers, path), isAnswered)),
  );
}

type Entry = [name: string, value: string];

function fillField(field: Field, name: string, value: JsonValue | undefined, isAnswered: boolean): Entry[] {
  if (field.kind === 'group' && field.sameAs !== undefined && (isAnswered || value !== undefined)) {
    const choice: Entry = [sameOrOther(name), value === undefined ? 'same' : 'other'];
    return [choice, ...fillParts(field.fields, name, value)];
  }
  if (value === undefined || value === null) {
    return isAnswered && field.absence !== undefined ? [[absentName(name), 'true']] : [];
  }
  switch (field.kind) {
    case 'date':
      return dateEntries(name, textOf(value));
    case 'timestamp':
      return [[name, shownTimestamp(textOf(value))]];
    case 'list':
      return Array.isArray(value) ? fillList(field.each.kind, name, value.map(String)) : [];
    case 'rows': {
      const rows: readonly JsonValue[] = Array.isArray(value) ? value : [];
      return rows.flatMap((row, index) => fillParts(field.fields, `${name}.${index}`, row));
    }
    case 'group':
      return fillParts(field.fields, name, value);
    default:
      return [[name, textOf(value)]];
  }
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function fillParts(fields: Readonly<Record<string, Field>>, name: string, value: JsonValue | undefined): Entry[] {
  return Object.entries(fields).flatMap(([key, field]) =>
    fillField(field, `${name}.${key}`, valueAt(value, key), true),
  );
}

function fillList(kind: Field['kind'], name: string, values: readonly string[]): Entry[] {
  if (kind === 'country') return values.map((value, index) => [`${name}.${index}`, value]);
  return kind === 'choice' ? values.map((value) => [name, value]) : [[name, values.join('\n')]];
}

function dateEntries(name: string, date: string): Entry[] {
  const [year = '', month = '', day = ''] = date.split('-');
  const plain = (part: string) => part.replace(/^0+/, '');
  return [
    [`${name}.day`, plain(day)],
    [`${name}.month`, plain(month)],
    [`${name}.year`, plain(year)],
  ];
}

/** Name of the buttons that change a form. Their values: `add:directors`, `remove:directors.1`, `update`, `read`. */
export const FORM_BUTTON = 'rows';
/** Value of the button that fills in what was read from a picture. */
export const READ_BUTTON = 'read';

/**
 * Returns the fields of a form after one of the buttons that change it was pressed, with everything that was typed; null if none was
 * pressed. A new row has one empty field, which makes it exist.
 */
export function changedForm(values: FormValues): FormValues | null {
  const pressed = values.text(FORM_BUTTON);
  const [, button, group, index] = /^(add|remove):([A-Za-z]{1,50})(?:\.(\d{1,3}))?$/.exec(pressed) ?? [];
  if (group === undefined && pressed !== 'update' && pressed !== READ_BUTTON) return null;
  const entries = values.names
    .filter((name) => name !== FORM_BUTTON)
    .flatMap((name) => {
      const texts = values.all(name);
      return (texts.length === 0 ? [''] : texts).map((text): Entry => [name, text]);
    });
  if (group === undefined) return createFormValues(entries);
  if (button === 'add') {
    return createFormValues([...entries, [`${group}.${Math.max(1, values.rows(group))}.`, '']]);
  }
  const gone = Number(index);
  return createFormValues(entries.flatMap((entry) => withoutRow(entry, group, gone)));
}

function withoutRow([name, value]: [string, string], group: string, gone: number): [string, string][] {
  const [, row, rest = ''] = new RegExp(`^${group}\\.(\\d{1,3})(\\..*)?$`).exec(name) ?? [];
  if (row === undefined || Number(row) < gone) return [[name, value]];
  return Number(row) === gone ? [] : [[`${group}.${Number(row) - 1}${rest}`, value]];
}
