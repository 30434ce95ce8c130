import { describe, expect, test } from 'vitest';
import { sameValue } from './collisions.ts';
import { judgedBarcode, judgedZone } from './evaluate.ts';
import { inZone } from './people.ts';
import type { ZoneTruth } from './record.ts';
import { digitOf } from './zone.ts';

const LINES = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'];
const TRUTH: ZoneTruth = {
  layout: 'TD3',
  lines: LINES,
  values: { documentNumber: 'L898902C3', birthDate: '1974-08-12' },
  names: { surname: 'ERIKSSON', givenNames: 'ANNA MARIA' },
  pitch: 20,
  pitchShrunk: 20,
  font: '',
};
const READING = { values: TRUTH.values, names: TRUTH.names, isSound: true, text: LINES };

describe('judgedZone', () => {
  test('counts a reading as exact if it offers what is printed', () => {
    expect(judgedZone(READING, TRUTH)).toMatchObject({
      wrong: [],
      areDigitsRight: true,
      isExact: true,
      areNamesRight: true,
    });
  });

  test('counts a number with a character of the same value as wrong', () => {
    const values = { documentNumber: 'V898902C3' };
    expect(judgedZone({ ...READING, values }, TRUTH).wrong).toEqual(['documentNumber: V898902C3, not L898902C3']);
  });

  test('counts a value that is not printed whole as wrong, whatever it is', () => {
    const { wrong } = judgedZone({ ...READING, values: { expiresOn: '2012-04-15' } }, TRUTH);
    expect(wrong).toEqual(['expiresOn: 2012-04-15, not to be offered']);
  });

  test('counts a sound reading of other characters as wrong digits', () => {
    const text = [LINES[0] ?? '', 'V898902C36UTO7408122F1204159ZE184226B<<<<<10'];
    expect(judgedZone({ ...READING, text }, TRUTH)).toMatchObject({ areDigitsRight: false, isExact: false });
  });

  test('counts every value of a picture without a zone as wrong', () => {
    expect(judgedZone(READING, undefined).wrong).toHaveLength(2);
  });
});

test('judgedBarcode: a text without a sound head is wrong even if it was read right', () => {
  const truth = { text: 'M1', isSound: false, elements: {}, module: 3, tilt: 0, blur: 0, quality: 90 };
  expect(judgedBarcode({ text: 'M1' }, truth)).toMatchObject({ isExact: false, wrong: ['no sound head'] });
});

test('sameValue: characters that no check digit tells apart', () => {
  expect(sameValue('0')).toEqual(['A', 'K', 'U']);
  for (const other of sameValue('7')) expect(digitOf(`12${other}4`)).toBe(digitOf('1274'));
});

test.each([
  ['Groß-Müller', 'GROSS<MUELLER'],
  ['Æon Łinda', 'AEON<LINDA'],
  ['It’s', 'ITS'],
  ['Çara Ñora', 'CARA<NORA'],
])('inZone: %s is printed as %s', (name, printed) => {
  expect(inZone(name)).toBe(printed);
});
