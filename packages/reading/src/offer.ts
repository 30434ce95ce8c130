import type { Reading } from './lines/read-bundle.ts';
import { isSound } from './lines/read-bundle.ts';
import { type CheckedSpans, type Span, spanOf } from './mrz/formats.ts';
import type { MrzFields } from './mrz/parse.ts';

/** What a value needs to be offered as read. Tightened until nothing wrong was offered: see training/README.md. */
export const RULE = {
  /** The least that each character of the value and its digit must be sure, */
  sure: 0.8,
  /** of a state, which no digit checks, and of all in layouts without a digit over the whole, */
  sureUnchecked: 0.95,
  /** how much a line's glyphs must look like OCR-B, a mean logarithm, */
  likeness: -0.3,
  /** and how surely nothing stands beside the line's ends. */
  ends: 0.5,
} as const;

export type OfferedName = 'documentNumber' | 'birthDate' | 'expiresOn' | 'issuingState' | 'nationality';

export interface Offer {
  /** Values that may be shown as read. */
  readonly values: Partial<Pick<MrzFields, OfferedName>>;
  /** Names only fill a form in: no digit checks them. */
  readonly names: Partial<Pick<MrzFields, 'surname' | 'givenNames'>>;
}

function textOf(reading: Reading): string[] {
  return reading.lines.map(({ text }) => text);
}

function areSure(reading: Reading, [line, from, to]: Span, least: number): boolean {
  return reading.lines[line]?.sure.slice(from, to).every((sure) => sure >= least) ?? false;
}

function isLikeOcrB(reading: Reading, [line]: Span): boolean {
  const read = reading.lines[line];
  return !!read && read.likeness >= RULE.likeness && read.ends >= RULE.ends;
}

/** A second look, at another scale and shift, that sees the same characters there. */
function isSeenTwice(reading: Reading, others: readonly Reading[], spans: readonly Span[]): boolean {
  return others.some(
    (other) =>
      other.look !== reading.look &&
      other.parsed?.format === reading.parsed?.format &&
      spans.every((span) => spanOf(textOf(other), span) === spanOf(textOf(reading), span)),
  );
}

/** What of the looks at one zone may be offered: nothing unless a look is sound and another one agrees. */
export function offerOf(readings: readonly Reading[]): Offer {
  const [reading] = readings.filter((one) => isSound(one) && one.isWhole).sort((a, b) => b.score - a.score);
  const parsed = reading?.parsed;
  if (!reading || !parsed) return { values: {}, names: {} };
  const { format, fields } = parsed;
  const { spans, checks } = format;
  const sure = checks.composite ? RULE.sure : RULE.sureUnchecked;
  const mayOffer = (parts: readonly Span[], least: number) =>
    parts.every((span) => areSure(reading, span, least) && isLikeOcrB(reading, span)) &&
    isSeenTwice(reading, readings, parts);
  const checked = ({ digit, covers }: CheckedSpans) => mayOffer([...covers, digit], sure);
  const number = checks.documentNumber;
  const isLong = spanOf(textOf(reading), number.digit) === '<';
  const numberSpans = [
    ...number.covers,
    number.digit,
    ...(isLong && format.longNumber ? [format.longNumber] : []),
  ];
  const isNumberSeen = mayOffer(numberSpans, sure);
  const hasNames = isSeenTwice(reading, readings, [spans.names]) && fields.surname !== '';
  return {
    values: {
      ...(isNumberSeen && { documentNumber: fields.documentNumber }),
      ...(checked(checks.birthDate) && fields.birthDate && { birthDate: fields.birthDate }),
      ...(checked(checks.expiresOn) && fields.expiresOn && { expiresOn: fields.expiresOn }),
      ...(mayOffer([spans.issuingState], RULE.sureUnchecked) && { issuingState: fields.issuingState }),
      ...(mayOffer([spans.nationality], RULE.sureUnchecked) && { nationality: fields.nationality }),
    },
    names: hasNames ? { surname: fields.surname, givenNames: fields.givenNames } : {},
  };
}
