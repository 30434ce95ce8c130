import type { JsonObject } from '@countersign/domain';
import { type Field, type FieldList, type JsonValue, type Row, rowsOf } from '@countersign/domain';
import {
  countryInWords,
  dayInWords,
  decimalInWords,
  languageInWords,
  momentInWords,
  percentInWords,
} from '../site/formats.ts';
import type { Language } from '../site/language.ts';
import { hasMessage, type Translate } from '../site/messages.ts';

/** One answer as reviewers and team members read it. */
export interface AnswerRow {
  /** Where the answer stands: `placeOfBirth.city`, `directors.0.firstName`. */
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
    label: labelOf(row.path, reader.t),
    value: valueInWords(row.field, row.value, reader),
    fileId: fileIdOf(row),
  }));
}

function fileIdOf({ field, value }: Row): string | null {
  return field?.kind === 'file' && typeof value === 'string' ? value : null;
}

/** Puts the labels of a path together: `Place of birth: City`, `Director 2: First name`. */
function labelOf(path: string, t: Translate): string {
  const labels: string[] = [];
  for (const part of path.split('.')) {
    if (/^\d+$/.test(part)) labels.push(`${labels.pop() ?? ''} ${Number(part) + 1}`);
    else labels.push(fieldName(part, t));
  }
  return labels.join(': ');
}

/** An unknown field keeps its own name, so that it is shown. */
function fieldName(key: string, t: Translate): string {
  const name = `wording:field.${key}`;
  return hasMessage(name) ? t(name) : key;
}

function valueInWords(field: Field | null, value: JsonValue, reader: Reader): string {
  const { t, language } = reader;
  if (Array.isArray(value)) {
    const each = field?.kind === 'list' ? field.each : null;
    const words = value.map((entry: JsonValue) => valueInWords(each, entry, reader));
    return words.length === 0 ? t('wording:value.none') : words.join(', ');
  }
  if (typeof value === 'boolean') return t(value ? 'wording:value.yes' : 'wording:value.no');
  if (typeof value === 'number') {
    const isPercent = field?.kind === 'number' && field.unit === 'percent';
    return isPercent ? percentInWords(value, language) : decimalInWords(value, language);
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  switch (field?.kind) {
    case 'country':
      return countryInWords(text, language);
    case 'date':
      return dayInWords(text, language);
    case 'timestamp':
      return momentInWords(new Date(text), language);
    case 'language':
      return languageInWords(text, language);
    case 'choice': {
      const name = `wording:value.${text}`;
      return hasMessage(name) ? t(name) : text;
    }
    default:
      return text;
  }
}
