import type { MrzReading } from '@countersign/reading';
import { describe, expect, it } from 'vitest';
import { readingOf } from './reading-of.ts';

// cspell:ignore UTOERIKSSON DUTO
/** The specimen of ICAO 9303, as a German document. */
const PASSPORT = ['P<D<<ERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36D<<7408122F1204159ZE184226B<<<<<10'];
const PICTURE = { width: 1000, height: 500, today: '2026-06-01', readerVersion: 'mrz-1' };

function mrz(changes: Partial<MrzReading> = {}): MrzReading {
  return {
    format: 'TD3',
    isSound: true,
    text: PASSPORT,
    corners: [
      [100, 400],
      [900, 400],
      [900, 450],
      [100, 450],
    ],
    values: { documentNumber: 'L898902C3', birthDate: '1974-08-12', issuingState: 'D' },
    names: { surname: 'ERIKSSON', givenNames: 'ANNA MARIA' },
    ...changes,
  };
}

it('a zone is a reading: what the reader offers is sure, the rest is not', () => {
  expect(readingOf(mrz(), PICTURE)).toEqual({
    outcome: 'read',
    readerVersion: 'mrz-1',
    fields: {
      documentNumber: { value: 'L898902C3', sure: true },
      dateOfBirth: { value: '1974-08-12', sure: true },
      expiresOn: { value: '2012-04-15', sure: false },
      issuingCountry: { value: 'DE', sure: true },
      nationality: { value: 'DE', sure: false },
      lastName: { value: 'ERIKSSON', sure: false },
      firstName: { value: 'ANNA MARIA', sure: false },
    },
    type: 'passport',
    issuer: 'DE',
    digitsFit: true,
    mrzBox: {
      x: 0.1,
      y: 0.8,
      width: 0.8,
      height: expect.closeTo(0.1),
      rotation: 0,
      aspect: PICTURE.width / PICTURE.height,
    },
  });
});

it('a picture without a zone is nothing', () => {
  expect(readingOf(undefined, PICTURE)).toEqual({ outcome: 'nothing', readerVersion: 'mrz-1', fields: {} });
});

describe('a zone with digits that do not fit', () => {
  const offersNothing = { isSound: false, values: {}, names: {} };
  const [first = '', second = ''] = PASSPORT;
  /** Replaces the check digits of number, birth or expiry by others. */
  const without = (...places: number[]) => [
    first,
    places.reduce(
      (line, place) => `${line.slice(0, place)}${line[place] === '1' ? 2 : 1}${line.slice(place + 1)}`,
      second,
    ),
  ];

  it('a zone with one wrong digit is read, without its value, and says so', () => {
    const reading = readingOf(mrz({ ...offersNothing, text: without(9) }), PICTURE);
    expect(reading).toMatchObject({ outcome: 'read', digitsFit: false, issuer: 'DE' });
    expect(reading.fields).toEqual({
      dateOfBirth: { value: '1974-08-12', sure: false },
      expiresOn: { value: '2012-04-15', sure: false },
      issuingCountry: { value: 'DE', sure: false },
      nationality: { value: 'DE', sure: false },
    });
  });

  it('a zone with two wrong digits is nothing', () => {
    expect(readingOf(mrz({ ...offersNothing, text: without(9, 19) }), PICTURE).outcome).toBe('nothing');
  });

  it('a zone of a state that does not exist is nothing', () => {
    const text = [first.replace('P<D<<', 'P<QQQ'), second];
    expect(readingOf(mrz({ ...offersNothing, text }), PICTURE).outcome).toBe('nothing');
  });
});

describe('states and types', () => {
  const card = (kind: string, state: string) => {
    const lines = [
      `${kind}${state}L898902C36<<<<<<<<<<<<<<<`,
      `7408122F1204159${state}<<<<<<<<<<<6`,
      'ERIKSSON<<ANNA<MARIA<<<<<<<<<<',
    ];
    return readingOf(mrz({ format: 'TD1', text: lines, values: {}, names: {} }), PICTURE);
  };

  it.each([
    ['ID', 'id_card'],
    ['I<', 'id_card'],
    ['AR', 'residence_permit'],
    ['IR', 'residence_permit'],
    ['AC', undefined],
  ])('%s is the type %s', (kind, type) => {
    expect(card(kind, 'UTO').type).toBe(type);
  });

  it.each([
    ['POL', 'PL'],
    ['D<<', 'DE'],
    ['GBP', 'GB'],
    ['UTO', undefined],
    ['XXA', undefined],
    ['RKS', undefined],
  ])('%s is the country %s', (state, country) => {
    const { fields, issuer } = card('ID', state);
    expect([issuer, fields.issuingCountry?.value, fields.nationality?.value]).toEqual([country, country, country]);
  });
});

it.each([
  [
    [
      [450, 100],
      [450, 400],
      [400, 400],
      [400, 100],
    ],
    0.25,
  ],
  [
    [
      [900, 100],
      [100, 100],
      [100, 50],
      [900, 50],
    ],
    0.5,
  ],
  [
    [
      [100, 100.001],
      [900, 100],
      [900, 150],
      [100, 150],
    ],
    expect.closeTo(1),
  ],
] as const)('the place of a turned zone is within the picture, and its turn below 1: %j', (corners, rotation) => {
  const { mrzBox } = readingOf(mrz({ corners }), PICTURE);
  expect(mrzBox?.rotation).toEqual(rotation);
  expect(mrzBox?.rotation).toBeLessThan(1);
});

it('a zone at the edge lies within the picture', () => {
  const corners = [
    [-20, 450],
    [1020, 450],
    [1020, 520],
    [-20, 520],
  ] as const;
  expect(readingOf(mrz({ corners }), PICTURE).mrzBox).toMatchObject({
    x: 0,
    y: 0.9,
    width: 1,
    height: expect.closeTo(0.1),
  });
});
