import type { JsonValue } from '@countersign/domain';
import { countryName } from '../../forms/countries.ts';
import { dayInWords } from '../../site/day-in-words.ts';
import type { Page } from '../../site/page.ts';
import type { ChoiceName, FieldSpec } from './field-spec.ts';

/** An answer as its reader would write it, one line an entry; nothing where none was given. */
export function answerInWords(
  { t, language }: Pick<Page, 't' | 'language'>,
  field: FieldSpec,
  value: JsonValue | undefined,
): readonly string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'object') {
    const one = { ...field, as: single(field.as) } as FieldSpec;
    return Object.values<JsonValue>(value).flatMap((entry) => answerInWords({ t, language }, one, entry));
  }
  const text = String(value);
  switch (field.as) {
    case 'date':
      return [dayInWords(text, language)];
    case 'country':
      return [countryName(language, text)];
    case 'choice':
      return [t(`verify:choices.${text as ChoiceName}`)];
    case 'statement':
      return [value === true ? t('site:yes') : t('site:no')];
    case 'percent':
      return [
        new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 6 }).format(Number(text) / 100),
      ];
    default:
      return [text];
  }
}

function single(as: FieldSpec['as']): FieldSpec['as'] {
  return as === 'countries' ? 'country' : 'text';
}
