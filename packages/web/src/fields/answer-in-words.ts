import type { Field, JsonValue } from '@countersign/domain';
import { countryName } from '../forms/countries.ts';
import { dayInWords } from '../site/day-in-words.ts';
import type { Page } from '../site/page.ts';
import type { FieldTexts } from './field-texts.ts';

/** Returns an answer as its reader would write it, one line per entry; no line for a missing answer. */
export function answerInWords(
  page: Pick<Page, 't' | 'language'>,
  texts: Pick<FieldTexts, 'choice'>,
  field: Field,
  value: JsonValue | undefined,
): readonly string[] {
  const { t, language } = page;
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    const each = field.kind === 'list' ? field.each : field;
    return value.flatMap((entry: JsonValue) => answerInWords(page, texts, each, entry));
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  switch (field.kind) {
    case 'date':
      return [dayInWords(text, language)];
    case 'country':
      return [countryName(language, text)];
    case 'choice':
      return [texts.choice('', text)];
    case 'statement':
    case 'flag':
      return [value === true ? t('site:yes') : t('site:no')];
    case 'number':
      return [numberInWords(Number(text), field.unit, language)];
    default:
      return [text];
  }
}

function numberInWords(number: number, unit: 'percent' | undefined, language: string): string {
  const options = { maximumFractionDigits: 6 };
  return unit === 'percent'
    ? new Intl.NumberFormat(language, { ...options, style: 'percent' }).format(number / 100)
    : new Intl.NumberFormat(language, options).format(number);
}
