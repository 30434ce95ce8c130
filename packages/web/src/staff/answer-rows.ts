import type { JsonObject, JsonValue } from '@countersign/domain';
import { type Field, type FieldList, type Row, rowsOf } from '@countersign/domain/flows';
import { answerInWords } from '../forms/answer-in-words.ts';
import { countryInWords } from '../site/formats.ts';
import type { Language } from '../site/language.ts';
import { findText, type Translate } from '../site/messages.ts';

/** One answer as reviewers and team members read it. */
export interface AnswerRow {
  /** The path of the answer: `placeOfBirth.city`, `directors.0.firstName`. */
  readonly path: string;
  readonly label: string;
  readonly value: string;
  /** Id of the uploaded file that the answer names, or null. */
  readonly fileId: string | null;
}

interface Reader {
  readonly t: Translate;
  readonly language: Language;
}

/** Lists the answers of a step in the order of its fields. Answers that no field describes come last, as they are. */
export function answerRows(fields: FieldList, answers: JsonObject, reader: Reader): AnswerRow[] {
  return rowsOf(fields, answers).map((row) => ({
    path: row.path,
    label: answerLabel(row.path, reader.t),
    value: valueInWords(row.field, row.value, reader),
    fileId: fileIdOf(row),
  }));
}

function fileIdOf({ field, value }: Row): string | null {
  return field?.kind === 'file' && typeof value === 'string' ? value : null;
}

/** Returns the label of an answer, put together of its path: `Place of birth: City`, `Director 2: First name`. */
export function answerLabel(path: string, t: Translate): string {
  const labels: string[] = [];
  for (const part of path.split('.')) {
    if (/^\d+$/.test(part)) labels.push(`${labels.pop() ?? ''} ${Number(part) + 1}`);
    else labels.push(fieldName(part, t));
  }
  return labels.join(': ');
}

/** An unknown field keeps its own name, so that it is shown. */
function fieldName(key: string, t: Translate): string {
  return findText(t, [`wording:field.${key}`]) ?? key;
}

/** Returns one value of a field in words, or of its entries if it is a list: a value that was read, or that a warning names. */
export function entryInWords(field: Field | null, value: string, reader: Reader): string {
  return valueInWords(field?.kind === 'list' ? field.each : field, value, reader);
}

function valueInWords(field: Field | null, value: JsonValue, { t, language }: Reader): string {
  if (value === null) return 'null';
  const words = answerInWords({ t, language }, field, value, {
    choice: (_path, choice) => findText(t, [`wording:value.${choice}`]) ?? String(choice),
    country: (code) => countryInWords(code, language),
  });
  return words.length === 0 ? t('wording:value.none') : words.join(', ');
}
