import { describe, expect, test } from 'vitest';
import type { Reading } from './lines/read-bundle.ts';
import { checkDigit } from './mrz/check-digit.ts';
import { parseMrz } from './mrz/parse.ts';
import { offerOf } from './offer.ts';

const FIRST = 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<';
const SECOND = 'L898902C36UTO7408122F1204159ZE184226B<<<<<10';

interface Given {
  readonly look?: number;
  readonly lines?: readonly string[];
  readonly sure?: number;
  readonly likeness?: number;
  readonly ends?: number;
  readonly isWhole?: boolean;
  readonly pitch?: number;
  readonly contrast?: number;
}

function readingOf({
  look = 0,
  lines = [FIRST, SECOND],
  sure = 0.99,
  likeness = -0.02,
  ends = 0.99,
  isWhole = true,
  pitch = 20,
  contrast = 150,
}: Given): Reading {
  return {
    lines: lines.map((text) => ({ text, sure: [...text].map(() => sure), likeness, ends, frames: [], score: 0 })),
    parsed: parseMrz(lines, '2026-06-01'),
    score: 0,
    look,
    isWhole,
    pitch,
    contrast,
    corners: [],
  };
}

/** The second line with this number, its digits made to fit. */
function withNumber(number: string): string {
  const head = `${number}${checkDigit(number)}${SECOND.slice(10, 43)}`;
  return head + checkDigit(head.slice(0, 10) + head.slice(13, 20) + head.slice(21, 43));
}

const NOTHING = { values: {}, names: {} };

describe('offerOf', () => {
  test('offers what two looks agree on', () => {
    expect(offerOf([readingOf({}), readingOf({ look: 1 })])).toEqual({
      values: {
        documentNumber: 'L898902C3',
        birthDate: '1974-08-12',
        expiresOn: '2012-04-15',
        issuingState: 'UTO',
        nationality: 'UTO',
      },
      names: { surname: 'ERIKSSON', givenNames: 'ANNA MARIA' },
    });
  });

  test.each([
    ['no look', []],
    ['one look', [readingOf({})]],
    ['one look twice', [readingOf({}), readingOf({})]],
    ['a zone cut at the edge', [readingOf({ isWhole: false }), readingOf({ look: 1, isWhole: false })]],
    ['ink that hardly stands out', [readingOf({ contrast: 44 }), readingOf({ look: 1, contrast: 44 })]],
    ['characters that are too small', [readingOf({ pitch: 12 }), readingOf({ look: 1, pitch: 12 })]],
  ])('offers nothing from %s', (_, readings) => {
    expect(offerOf(readings)).toEqual(NOTHING);
  });

  test.each([
    ['unsure characters', { sure: 0.79 }],
    ['glyphs of another font', { likeness: -0.5 }],
    ['something beside the ends of its lines', { ends: 0.4 }],
  ])('offers no value from a zone with %s', (_, given) => {
    expect(offerOf([readingOf(given), readingOf({ look: 1, ...given })]).values).toEqual({});
  });

  test('offers no value if one of two looks shows something beside the ends', () => {
    expect(offerOf([readingOf({ ends: 0.9 }), readingOf({ look: 1, ends: 0.05 })]).values).toEqual({});
  });

  // Characters of one value modulo 10, in each place of the number.
  const collisions = ['0AKU', '1BLV', '2CMW', '3DNX', '4EOY', '5FPZ', '6GQ', '7HR', '8IS', '9JT'].flatMap(
    (group) =>
      [...group].flatMap((from) => [...group].filter((to) => to !== from).map((to) => [from, to] as const)),
  );

  test.each(collisions)(
    'offers no number where one look sees %s and another %s, whose digits fit alike',
    (from, to) => {
      const [seen, misread] = [withNumber(`L8989${from}2C3`), withNumber(`L8989${to}2C3`)];
      const { values } = offerOf([
        readingOf({ lines: [FIRST, seen] }),
        readingOf({ look: 1, lines: [FIRST, misread] }),
      ]);
      expect(values.documentNumber).toBeUndefined();
    },
  );

  test('offers no number that two looks agree on if a third one, whose digits fit alike, sees another', () => {
    const seen = [FIRST, withNumber('L8989U2C3')];
    const misread = readingOf({ look: 2, lines: [FIRST, withNumber('L898902C3')] });
    const all = [readingOf({ lines: seen }), readingOf({ look: 1, lines: seen }), misread];
    expect(offerOf(all.slice(0, 2)).values.documentNumber).toBe('L8989U2C3');
    expect(offerOf(all).values.documentNumber).toBeUndefined();
    expect(offerOf(all).values.birthDate).toBe('1974-08-12');
  });

  test('offers nothing where a line is shifted by one in one look and its digits fit', () => {
    const shifted = withNumber(`<${'L898902C3'.slice(0, 8)}`);
    const { values } = offerOf([readingOf({}), readingOf({ look: 1, lines: [FIRST, shifted] })]);
    expect(values.documentNumber).toBeUndefined();
  });

  test.each([
    ['a digit that does not fit', SECOND.replace('L898902C36', 'L898902C37')],
    ['the digit over all wrong', `${SECOND.slice(0, 43)}1`],
    ['a nationality that does not exist', SECOND.replace('UTO', 'QQQ')],
  ])('offers nothing from looks with %s', (_, second) => {
    expect(
      offerOf([readingOf({ lines: [FIRST, second] }), readingOf({ look: 1, lines: [FIRST, second] })]),
    ).toEqual(NOTHING);
  });

  test('a state that looks disagree on is not offered', () => {
    const other = readingOf({ look: 1, lines: [FIRST.replace('UTO', 'UTA'), SECOND] });
    expect(offerOf([readingOf({}), other]).values.issuingState).toBeUndefined();
  });
});
