/** Characters that a place of the zone may have. */
export const ALPHABETS = {
  any: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<',
  letters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ<',
  digits: '0123456789',
  date: '0123456789<',
  sex: 'FMX<',
} as const;

export type Alphabet = keyof typeof ALPHABETS;

/** Where something stands: the line, its first place and the one after its last, all from 0. */
export type Span = readonly [line: number, from: number, to: number];

/** The layouts of ICAO 9303: cards, small documents, passports, and visas of two sizes. */
export type FormatName = 'TD1' | 'TD2' | 'TD3' | 'MRV-A' | 'MRV-B';

/** A digit and what it checks, in the order in which ICAO 9303 joins it. */
export interface CheckedSpans {
  readonly digit: Span;
  readonly covers: readonly Span[];
}

/** A layout of ICAO 9303 parts 4 to 7. */
export interface Format {
  readonly name: FormatName;
  readonly lines: number;
  readonly length: number;
  /** First characters of the kinds of document that have this layout. */
  readonly kinds: string;
  readonly spans: {
    readonly issuingState: Span;
    readonly nationality: Span;
    readonly documentNumber: Span;
    readonly birthDate: Span;
    readonly sex: Span;
    readonly expiresOn: Span;
    readonly names: Span;
    readonly optional: readonly Span[];
  };
  readonly checks: {
    readonly documentNumber: CheckedSpans;
    readonly birthDate: CheckedSpans;
    readonly expiresOn: CheckedSpans;
    readonly optional?: CheckedSpans;
    readonly composite?: CheckedSpans;
  };
  /** Where a number longer than nine goes on, if its digit's place is a filler. */
  readonly longNumber?: Span;
}

function checked(digit: Span, ...covers: readonly Span[]): CheckedSpans {
  return { digit, covers };
}

/** The second line of a layout of two lines: the same everywhere but for what is optional at its end. */
function ofTwoLines(
  name: FormatName,
  kinds: string,
  length: number,
  optionalEnd: number,
  composite: boolean,
): Format {
  const optional: Span = [1, 28, optionalEnd];
  return {
    name,
    kinds,
    lines: 2,
    length,
    spans: {
      issuingState: [0, 2, 5],
      names: [0, 5, length],
      documentNumber: [1, 0, 9],
      nationality: [1, 10, 13],
      birthDate: [1, 13, 19],
      sex: [1, 20, 21],
      expiresOn: [1, 21, 27],
      optional: [optional],
    },
    checks: {
      documentNumber: checked([1, 9, 10], [1, 0, 9]),
      birthDate: checked([1, 19, 20], [1, 13, 19]),
      expiresOn: checked([1, 27, 28], [1, 21, 27]),
      ...(name === 'TD3' && { optional: checked([1, 42, 43], optional) }),
      ...(composite && {
        composite: checked([1, length - 1, length], [1, 0, 10], [1, 13, 20], [1, 21, length - 1]),
      }),
    },
    ...(name === 'TD2' && { longNumber: optional }),
  };
}

/** The layouts that are read, each with its lines, places and check digits. */
export const FORMATS: readonly Format[] = [
  {
    name: 'TD1',
    kinds: 'ACI',
    lines: 3,
    length: 30,
    spans: {
      issuingState: [0, 2, 5],
      documentNumber: [0, 5, 14],
      birthDate: [1, 0, 6],
      sex: [1, 7, 8],
      expiresOn: [1, 8, 14],
      nationality: [1, 15, 18],
      names: [2, 0, 30],
      optional: [
        [0, 15, 30],
        [1, 18, 29],
      ],
    },
    checks: {
      documentNumber: checked([0, 14, 15], [0, 5, 14]),
      birthDate: checked([1, 6, 7], [1, 0, 6]),
      expiresOn: checked([1, 14, 15], [1, 8, 14]),
      composite: checked([1, 29, 30], [0, 5, 30], [1, 0, 7], [1, 8, 15], [1, 18, 29]),
    },
    longNumber: [0, 15, 30],
  },
  ofTwoLines('TD2', 'ACI', 36, 35, true),
  ofTwoLines('TD3', 'P', 44, 42, true),
  ofTwoLines('MRV-A', 'V', 44, 44, false),
  ofTwoLines('MRV-B', 'V', 36, 36, false),
];

export function spanOf(lines: readonly string[], [line, from, to]: Span): string {
  return (lines[line] ?? '').slice(from, to);
}

/** For each line of the layout the alphabet of each of its places. */
export function alphabetsOf(format: Format): Alphabet[][] {
  const places = Array.from({ length: format.lines }, () =>
    Array.from({ length: format.length }, (): Alphabet => 'any'),
  );
  const put = ([line, from, to]: Span, alphabet: Alphabet) => places[line]?.fill(alphabet, from, to);
  put([0, 0, 2], 'letters');
  put(format.spans.issuingState, 'letters');
  put(format.spans.nationality, 'letters');
  put(format.spans.names, 'letters');
  put(format.spans.birthDate, 'date');
  put(format.spans.expiresOn, 'date');
  put(format.spans.sex, 'sex');
  const { documentNumber, optional, ...digits } = format.checks;
  for (const check of [documentNumber, optional]) if (check) put(check.digit, 'date');
  for (const check of Object.values(digits)) put(check.digit, 'digits');
  return places;
}
