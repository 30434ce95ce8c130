import { checkDigit } from '../../src/mrz/check-digit.ts';
import { FORMATS, type Format, type FormatName, type Span, spanOf } from '../../src/mrz/formats.ts';
import { stateCodes } from '../../src/mrz/states.ts';
import type { Random } from './random.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';
const STATES = stateCodes();
const SYLLABLES =
  // cspell:disable-next-line
  'AN BER CAR DO EL FRE GUS HO IN JAN KO LEE MAR NIK OLA PET QUI RO SAN TOM UL VIK WER XA YUS ZOE MUEL SCH STEIN SON OVA ESCU LD ZYK PHAM NGU TRAN DUBO';

function word(random: Random): string {
  const parts = Array.from({ length: random.integer(1, 4) }, () => random.pick(SYLLABLES.split(' ')));
  return random.chance(0.2) ? random.characters(LETTERS, random.integer(2, 9)) : parts.join('');
}

function names(random: Random, length: number): string {
  const surname = Array.from({ length: random.chance(0.2) ? 2 : 1 }, () => word(random)).join('<');
  const given = Array.from({ length: random.integer(random.chance(0.05) ? 0 : 1, 3) }, () => word(random)).join(
    '<',
  );
  return `${surname}${given && `<<${given}`}`.slice(0, length).replace(/<+$/, '').padEnd(length, '<');
}

function date(random: Random, from: number, to: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return two(random.integer(from, to) % 100) + two(random.integer(1, 12)) + two(random.integer(1, 28));
}

function number(random: Random): string {
  const length = random.chance(0.85) ? 9 : random.integer(6, 8);
  const drawn = random.chance(0.4)
    ? random.characters(DIGITS, length)
    : random.chance(0.5)
      ? random.characters(LETTERS, random.integer(1, 2)) + random.characters(DIGITS, length)
      : random.characters(DIGITS + LETTERS, length);
  return drawn.slice(0, length).padEnd(9, '<');
}

/** The lines of a zone of this layout whose digits fit. */
export function drawZone(random: Random, name: FormatName = random.pick(FORMATS).name): string[] {
  const format = FORMATS.find((one) => one.name === name) as Format;
  const lines = Array.from({ length: format.lines }, () => '<'.repeat(format.length));
  const put = ([line, from, to]: Span, text: string) => {
    const old = lines[line] ?? '';
    lines[line] = old.slice(0, from) + text.slice(0, to - from).padEnd(to - from, '<') + old.slice(to);
  };
  const { spans, checks } = format;
  const state = random.pick(STATES);
  put([0, 0, 2], random.pick([...format.kinds]) + (random.chance(0.3) ? random.pick([...LETTERS]) : '<'));
  put(spans.issuingState, state);
  put(spans.nationality, random.chance(0.8) ? state : random.pick(STATES));
  put(spans.documentNumber, number(random));
  put(spans.birthDate, date(random, 1930, 2012));
  put(spans.expiresOn, date(random, 2020, 2040));
  put(spans.sex, random.pick(['F', 'M', '<', 'F', 'M']));
  put(spans.names, names(random, spans.names[2] - spans.names[1]));
  for (const span of spans.optional) {
    if (random.chance(0.4)) put(span, random.characters(LETTERS + DIGITS, random.integer(1, span[2] - span[1])));
  }
  for (const check of Object.values(checks)) {
    put(check.digit, checkDigit(check.covers.map((span: Span) => spanOf(lines, span)).join('')));
  }
  return lines;
}
