import type { JsonValue } from '@countersign/domain';
import type { Field } from '@countersign/domain/flows';
import {
  countryName,
  dayInWords,
  decimalInWords,
  languageInWords,
  momentInWords,
  percentInWords,
} from '../site/formats.ts';
import type { Page } from '../site/page.ts';

/** How to name choices and countries. */
export interface ValueTexts {
  /** Returns the label of one choice. */
  choice(path: string, value: string | number): string;
  /** Default: the name of the country. */
  country?(code: string): string;
}

/**
 * Returns an answer in the reader's language, one text per entry; none for a missing answer.
 * @param field null for an answer that no field describes
 */
export function answerInWords(
  page: Pick<Page, 't' | 'language'>,
  field: Field | null,
  value: JsonValue | undefined,
  texts: ValueTexts,
): readonly string[] {
  const { t, language } = page;
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    const each = field?.kind === 'list' ? field.each : null;
    return value.flatMap((entry: JsonValue) => answerInWords(page, each, entry, texts));
  }
  if (typeof value === 'boolean') return [value ? t('site:yes') : t('site:no')];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  switch (field?.kind) {
    case 'choice':
      return [texts.choice('', text)];
    case 'country':
      return [texts.country?.(text) ?? countryName(language, text)];
    case 'date':
      return [dayInWords(text, language)];
    case 'timestamp':
      return [momentInWords(new Date(text), language)];
    case 'language':
      return [languageInWords(text, language)];
    case 'number':
      return [
        field.unit === 'percent' ? percentInWords(Number(text), language) : decimalInWords(Number(text), language),
      ];
    default:
      return [typeof value === 'number' ? decimalInWords(value, language) : text];
  }
}
