import { describe, expect, it } from 'vitest';
import { fromDayInWords, untilInWords, utcDayInWords } from './days.ts';
import { translator } from './messages.ts';

const EN = { t: translator('en'), language: 'en' } as const;
const DE = { t: translator('de'), language: 'de' } as const;
const END = new Date('2026-12-23T21:28:00Z');

const before = (hours: number) => new Date(END.getTime() - hours * 60 * 60 * 1000);

describe('dates of readers whose time zone is unknown', () => {
  it('untilInWords: names the last day that is whole in every time zone', () => {
    expect(untilInWords(EN, END, before(300))).toBe('until 22 December 2026');
    expect(untilInWords(DE, END, before(300))).toBe('bis zum 22. Dezember 2026');
  });

  it.each([
    [30, 'for another 30 hours', 'noch 30 Stunden'],
    [1.9, 'for another 1 hour', 'noch 1 Stunde'],
    [0.5, 'for another 30 minutes', 'noch 30 Minuten'],
    [0.001, 'for another 1 minute', 'noch 1 Minute'],
  ])('untilInWords: %s hours before the end counts what is left, rounded down', (hours, en, de) => {
    expect([untilInWords(EN, END, before(hours)), untilInWords(DE, END, before(hours))]).toEqual([en, de]);
  });

  it('fromDayInWords: names the first day that is whole in every time zone', () => {
    expect(fromDayInWords(END, EN)).toBe('25 December 2026');
  });

  it('utcDayInWords: names the day without a time', () => {
    expect(utcDayInWords(END, DE)).toBe('23. Dezember 2026');
  });
});
