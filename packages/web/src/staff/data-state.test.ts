import type { RetentionView } from '@countersign/domain/retention';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '../site/language.ts';
import { translator } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import { dataInWords, referenceInWords } from './data-state.tsx';

const SINCE = new Date('2026-11-03T09:05:00.000Z');
const UNTIL = new Date('2031-03-03T00:00:00.000Z');
const pageIn = (language: Language) => ({ language, t: translator(language) }) as Page;
const view = (data: RetentionView['data']) =>
  ({ data, heldAt: SINCE, erasedAt: data.state === 'erased' ? SINCE : null }) as RetentionView;

const WORDS: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'Kept until 3 Mar 2031, 00:00 UTC',
    'Kept while the verification is open',
    'On hold since 3 Nov 2026, 09:05 UTC, until 3 Mar 2031, 00:00 UTC',
    'On hold since 3 Nov 2026, 09:05 UTC, with no end date',
    'Erasure requested. The law requires the data to be kept until 3 Mar 2031, 00:00 UTC',
    'Erased on 3 Nov 2026, 09:05 UTC',
  ],
  de: [
    'Aufbewahrt bis 3. März 2031, 00:00 UTC',
    'Aufbewahrt, solange die Prüfung läuft',
    'Löschung gesperrt seit 3. Nov. 2026, 09:05 UTC, bis 3. März 2031, 00:00 UTC',
    'Löschung gesperrt seit 3. Nov. 2026, 09:05 UTC, unbefristet',
    'Löschung beantragt. Das Gesetz schreibt vor, die Daten bis 3. März 2031, 00:00 UTC aufzubewahren',
    'Gelöscht am 3. Nov. 2026, 09:05 UTC',
  ],
};

describe.each(LANGUAGES)('in %s', (language) => {
  it('gives the state of the data and its end', () => {
    const states: readonly RetentionView['data'][] = [
      { state: 'kept', until: UNTIL },
      { state: 'kept', until: null },
      { state: 'held', until: UNTIL },
      { state: 'held', until: null },
      { state: 'restricted', until: UNTIL },
      { state: 'erased', until: null },
    ];
    expect(states.map((data) => dataInWords(view(data), pageIn(language)))).toEqual(WORDS[language]);
  });
});

it('names an erased verification by its id, and no other one', () => {
  const page = pageIn('en');
  expect(referenceInWords({ id: 'v-1', subjectReference: 'erased:v-1' }, page)).toBe('Erased: v-1');
  expect(referenceInWords({ id: 'v-2', subjectReference: 'erased:v-1' }, page)).toBe('erased:v-1');
});
