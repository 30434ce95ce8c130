import { checkDigit } from './check-digit.ts';
import { ALPHABETS, alphabetsOf, type CheckedSpans, FORMATS, type Format, spanOf } from './formats.ts';
import { isStateCode } from './states.ts';

/** What a zone says, without its sex. Dates are YYYY-MM-DD. */
export interface MrzFields {
  readonly documentNumber: string;
  /** YYYY-MM-DD; absent where the zone does not say the whole date. */
  readonly birthDate?: string;
  readonly expiresOn?: string;
  readonly issuingState: string;
  readonly nationality: string;
  readonly surname: string;
  readonly givenNames: string;
}

/** Whether each digit of the zone fits what it checks. */
export interface MrzChecks {
  readonly documentNumber: boolean;
  readonly birthDate: boolean;
  readonly expiresOn: boolean;
  /** The digit over optional data and the one over all, where the layout has them. */
  readonly optional: boolean;
  readonly composite: boolean;
}

/** The fields of a zone, its layout, and which of its check digits fit. */
export interface ParsedMrz {
  readonly format: Format;
  readonly fields: MrzFields;
  readonly checks: MrzChecks;
  /** Whether the kind of document and both states exist. */
  readonly isPlausible: boolean;
}

function digitFits(lines: readonly string[], { digit, covers }: CheckedSpans): boolean {
  return spanOf(lines, digit) === checkDigit(covers.map((span) => spanOf(lines, span)).join(''));
}

/** A number of more than nine characters goes on in the optional data and has its digit there. */
function longNumber(lines: readonly string[], format: Format): { number: string; fits: boolean } | undefined {
  if (!format.longNumber || spanOf(lines, format.checks.documentNumber.digit) !== '<') return undefined;
  const rest = spanOf(lines, format.longNumber).split('<')[0] ?? '';
  if (rest.length < 2) return undefined;
  const number = spanOf(lines, format.spans.documentNumber) + rest.slice(0, -1);
  return { number, fits: rest.slice(-1) === checkDigit(number) };
}

function isCalendarDate(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function dateOf(text: string, century: (year: number) => number): string | undefined {
  if (!/^\d{6}$/.test(text)) return undefined;
  const short = Number(text.slice(0, 2));
  const year = century(short) + short;
  const [month, day] = [Number(text.slice(2, 4)), Number(text.slice(4, 6))];
  if (!isCalendarDate(year, month, day)) return undefined;
  return `${year}-${text.slice(2, 4)}-${text.slice(4, 6)}`;
}

/** A document is valid for years before and after today: of the centuries, that whose date is nearest. */
function centuryOfExpiry(thisYear: number): (short: number) => number {
  return (short) => {
    const base = Math.floor(thisYear / 100) * 100;
    const distance = base + short - thisYear;
    if (distance > 50) return base - 100;
    return distance < -50 ? base + 100 : base;
  };
}

/** A date of birth is never after today. */
function centuryOfBirth(today: string): (short: number) => number {
  const thisYear = Number(today.slice(0, 4));
  const base = Math.floor(thisYear / 100) * 100;
  return (short) => (base + short > thisYear ? base - 100 : base);
}

function birthDateOf(text: string, today: string): string | undefined {
  const date = dateOf(text, centuryOfBirth(today));
  if (!date || date <= today) return date;
  return dateOf(text, () => Math.floor(Number(today.slice(0, 4)) / 100) * 100 - 100);
}

function namesOf(text: string): { surname: string; givenNames: string } {
  const [surname = '', ...given] = text.replace(/<+$/, '').split('<<');
  const spaced = (part: string) => part.replaceAll('<', ' ').trim();
  return { surname: spaced(surname), givenNames: given.map(spaced).filter(Boolean).join(' ') };
}

function withoutFillers(text: string): string {
  return text.replace(/<+$/, '');
}

function hasLayout(lines: readonly string[], format: Format): boolean {
  if (lines.length !== format.lines || lines.some((line) => line.length !== format.length)) return false;
  if (!format.kinds.includes(lines[0]?.charAt(0) ?? '')) return false;
  return alphabetsOf(format).every((places, line) =>
    places.every((alphabet, place) => ALPHABETS[alphabet].includes(lines[line]?.charAt(place) ?? '')),
  );
}

/** The lines of a zone as fields, or undefined where they have no layout of ICAO 9303. `today` is YYYY-MM-DD. */
export function parseMrz(lines: readonly string[], today: string): ParsedMrz | undefined {
  const format = FORMATS.find((candidate) => hasLayout(lines, candidate));
  if (!format) return undefined;
  const { spans, checks } = format;
  const long = longNumber(lines, format);
  const birthDate = birthDateOf(spanOf(lines, spans.birthDate), today);
  const expiresOn = dateOf(spanOf(lines, spans.expiresOn), centuryOfExpiry(Number(today.slice(0, 4))));
  const issuingState = withoutFillers(spanOf(lines, spans.issuingState));
  const nationality = withoutFillers(spanOf(lines, spans.nationality));
  const emptyOptional =
    checks.optional &&
    spanOf(lines, checks.optional.digit) === '<' &&
    checks.optional.covers.every((span) => withoutFillers(spanOf(lines, span)) === '');
  return {
    format,
    fields: {
      documentNumber: withoutFillers(long?.number ?? spanOf(lines, spans.documentNumber)),
      ...(birthDate && { birthDate }),
      ...(expiresOn && { expiresOn }),
      issuingState,
      nationality,
      ...namesOf(spanOf(lines, spans.names)),
    },
    checks: {
      documentNumber: long ? long.fits : digitFits(lines, checks.documentNumber),
      birthDate: digitFits(lines, checks.birthDate),
      expiresOn: digitFits(lines, checks.expiresOn),
      optional: emptyOptional || !checks.optional || digitFits(lines, checks.optional),
      composite: !checks.composite || digitFits(lines, checks.composite),
    },
    isPlausible: isStateCode(issuingState) && isStateCode(nationality),
  };
}
