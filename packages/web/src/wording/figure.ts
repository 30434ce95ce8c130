import { dateLocale } from '../site/day-in-words.ts';
import type { Language } from '../site/messages.ts';

/** A number as people write it: `10,000` or `10.000`. */
export function figure(count: number, language: Language): string {
  return new Intl.NumberFormat(dateLocale(language)).format(count);
}
