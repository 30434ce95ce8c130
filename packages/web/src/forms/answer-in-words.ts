import type { Field, JsonValue } from '@countersign/domain';
import { countryName, dayInWords, decimalInWords, percentInWords } from '../site/formats.ts';
import type { Page } from '../site/page.ts';
import type { FieldTexts } from './draw-field.tsx';

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
      return [
        field.unit === 'percent' ? percentInWords(Number(text), language) : decimalInWords(Number(text), language),
      ];
    default:
      return [text];
  }
}
