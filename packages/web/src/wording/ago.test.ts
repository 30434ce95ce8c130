import { expect, it } from 'vitest';
import { agoInWords } from './ago.ts';

const MINUTE = 60_000;

it.each([
  [0, '1 minute ago', 'vor 1 Minute'],
  [59 * MINUTE, '59 minutes ago', 'vor 59 Minuten'],
  [119 * MINUTE, '1 hour ago', 'vor 1 Stunde'],
  [49 * 60 * MINUTE, '2 days ago', 'vor 2 Tagen'],
])('%i ms ago', (milliseconds, english, german) => {
  expect(agoInWords(milliseconds, 'en')).toBe(english);
  expect(agoInWords(milliseconds, 'de')).toBe(german);
});
