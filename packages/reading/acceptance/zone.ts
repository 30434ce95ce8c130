/** The machine-readable zone as ICAO Doc 9303 parts 3 to 7 lay it down, written from the standard alone. */

export type Layout = 'TD1' | 'TD2' | 'TD3' | 'MRV-A' | 'MRV-B';

/** What is written into a zone: states, number and names as they stand there, dates as YYMMDD. */
export interface Entries {
  readonly kind: string;
  readonly issuingState: string;
  readonly nationality: string;
  readonly number: string;
  readonly birth: string;
  readonly sex: 'F' | 'M' | '<';
  readonly expiry: string;
  readonly surname: string;
  readonly givenNames: string;
  readonly optional: string;
  readonly secondOptional: string;
}

const VALUES = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

export function digitOf(text: string): string {
  let sum = 0;
  for (let i = 0; i < text.length; i += 1) {
    // A filler counts 0.
    sum += Math.max(0, VALUES.indexOf(text[i] ?? '<')) * ([7, 3, 1][i % 3] ?? 0);
  }
  return String(sum % 10);
}

function filled(text: string, length: number): string {
  return text.slice(0, length).padEnd(length, '<');
}

/** Both names in one field. Too long ones are cut so that a part of each is left. */
export function nameField(surname: string, givenNames: string, length: number): string {
  const given = givenNames === '' ? '' : `<<${givenNames}`;
  const room = Math.max(length - given.length, Math.ceil(length * 0.6));
  // A cut name ends in a letter: a filler would join the two that part the names.
  const cut = surname.slice(0, given === '' ? length : room).replace(/<+$/, '');
  return filled(cut + given, length);
}

function withDigit(text: string): string {
  return text + digitOf(text);
}

/** The number, its digit and the field behind it. A number of ten or more goes on there, behind a filler for the digit. */
function numberAndOptional(entries: Entries, length: number): string {
  const { number, optional } = entries;
  if (number.length <= 9) return withDigit(filled(number, 9)) + filled(optional, length);
  return `${number.slice(0, 9)}<${filled(`${number.slice(9)}${digitOf(number)}<${optional}`, length)}`;
}

/** Two lines: the second begins alike in all such layouts. */
function twoLines(entries: Entries, length: number): [first: string, second: string] {
  const first = filled(entries.kind, 2) + filled(entries.issuingState, 3);
  const dates = `${withDigit(entries.birth)}${entries.sex}${withDigit(entries.expiry)}`;
  const number = numberAndOptional(entries, 0).slice(0, 10);
  return [
    first + nameField(entries.surname, entries.givenNames, length - 5),
    number + filled(entries.nationality, 3) + dates,
  ];
}

export function zoneLines(layout: Layout, entries: Entries): string[] {
  if (layout === 'TD1') {
    const first = filled(entries.kind, 2) + filled(entries.issuingState, 3) + numberAndOptional(entries, 15);
    const [birth, expiry] = [withDigit(entries.birth), withDigit(entries.expiry)];
    const extra = filled(entries.secondOptional, 11);
    const second = `${birth}${entries.sex}${expiry}${filled(entries.nationality, 3)}${extra}`;
    const composite = digitOf(first.slice(5) + birth + expiry + extra);
    return [first, second + composite, nameField(entries.surname, entries.givenNames, 30)];
  }
  const length = layout === 'TD3' || layout === 'MRV-A' ? 44 : 36;
  const [first, second] = twoLines(entries, length);
  if (layout === 'MRV-A' || layout === 'MRV-B') return [first, second + filled(entries.optional, length - 28)];
  const personal = filled(entries.optional, 14);
  const rest =
    layout === 'TD2'
      ? numberAndOptional(entries, 7).slice(10)
      : // An empty personal number may have a filler as its digit.
        personal + (entries.optional === '' ? '<' : digitOf(personal));
  const body = second + rest;
  return [first, body + digitOf(body.slice(0, 10) + body.slice(13, 20) + body.slice(21))];
}

/** The places that check digits cover, and those of the digits: number, birth, and expiry with what follows. */
function checkedPlaces(layout: Layout): readonly (readonly [line: number, from: number, to: number])[] {
  if (layout === 'TD1')
    return [
      [0, 5, 30],
      [1, 0, 7],
      [1, 8, 15],
      [1, 18, 30],
    ];
  const end = layout === 'TD2' ? 36 : layout === 'TD3' ? 44 : 28;
  return [
    [1, 0, 10],
    [1, 13, 20],
    [1, 21, end],
  ];
}

export function checkedText(lines: readonly string[], layout: Layout): string {
  return checkedPlaces(layout)
    .map(([line, from, to]) => (lines[line] ?? '').slice(from, to))
    .join(' ');
}

/** Values and names as a reader should give them: without fillers, dates as YYYY-MM-DD, names as far as they are printed. */
export interface Values {
  readonly documentNumber?: string;
  readonly birthDate?: string;
  readonly expiresOn?: string;
  readonly issuingState?: string;
  readonly nationality?: string;
}

function dateOf(yymmdd: string, lastYear: number): string | undefined {
  if (!/^\d{6}$/.test(yymmdd)) return undefined;
  const [year, month, day] = [0, 2, 4].map((at) => yymmdd.slice(at, at + 2));
  return `${Number(year) <= lastYear ? '20' : '19'}${year}-${month}-${day}`;
}

/**
 * What the entries say.
 * @param thisYear the last two digits of the year: a person was not born after it
 */
export function valuesOf(entries: Entries, thisYear: number): Values {
  const birthDate = dateOf(entries.birth, thisYear);
  const expiresOn = dateOf(entries.expiry, 99);
  return {
    documentNumber: entries.number,
    ...(birthDate && { birthDate }),
    ...(expiresOn && { expiresOn }),
    issuingState: entries.issuingState,
    nationality: entries.nationality,
  };
}

/** The names as printed, which may be cut. */
export function printedNames(lines: readonly string[], layout: Layout): { surname: string; givenNames: string } {
  const field = layout === 'TD1' ? (lines[2] ?? '') : (lines[0] ?? '').slice(5);
  const [surname = '', givenNames = ''] = field.replace(/<+$/, '').split('<<');
  return { surname: surname.replaceAll('<', ' '), givenNames: givenNames.replaceAll('<', ' ') };
}
