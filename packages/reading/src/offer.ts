import { CONSENSUS } from './lines/consensus.ts';
import type { Reading } from './lines/read-bundle.ts';
import { isSound } from './lines/read-bundle.ts';
import { type CheckedSpans, type Span, spanOf } from './mrz/formats.ts';
import type { MrzFields } from './mrz/parse.ts';

/** The least that a value needs to be offered as read. Tightened until nothing wrong was offered: see training/README.md. */
const RULE = {
  /** How sure each character of the value and its check digit is: the mean of the looks that agree, 0 to 1. */
  sure: 0.8,
  /** The same in layouts without a composite check digit. */
  sureWithoutComposite: 0.87,
  /** The same for a state, which has no check digit. */
  sureUnchecked: 0.95,
  /** How much the characters of a line look like OCR-B: a mean natural logarithm, at most 0. */
  likeness: -0.3,
  /** How sure it is that no character stands beside the ends of a line, 0 to 1. */
  ends: 0.5,
  /** From one character to the next, in pixels. */
  pitch: 13,
  /** How far ink stands out from paper, in tones of 256: less is a picture in the dark. */
  contrast: 45,
} as const;

/** The fields that may be offered as read. */
export type OfferedName = 'documentNumber' | 'birthDate' | 'expiresOn' | 'issuingState' | 'nationality';

/** What several readings of one zone agree on, and the names, which are never sure. */
export interface Offer {
  /** Values that may be shown as read. */
  readonly values: Partial<Pick<MrzFields, OfferedName>>;
  /** Names only fill a form in: no digit checks them. */
  readonly names: Partial<Pick<MrzFields, 'surname' | 'givenNames'>>;
}

function textOf(reading: Reading): string[] {
  return reading.lines.map(({ text }) => text);
}

function isLikeOcrB(reading: Reading, [line]: Span): boolean {
  const read = reading.lines[line];
  return !!read && read.likeness >= RULE.likeness;
}

/** Returns the looks, each at another scale and shift, that read the same characters in these places. */
function agreeing(reading: Reading, all: readonly Reading[], spans: readonly Span[]): Reading[] {
  const looks = new Map<number, Reading>();
  for (const other of all) {
    if (other.look === CONSENSUS || other.parsed?.format !== reading.parsed?.format) continue;
    if (spans.every((span) => spanOf(textOf(other), span) === spanOf(textOf(reading), span)))
      looks.set(other.look, other);
  }
  return [...looks.values()];
}

/**
 * Whether a sound look reads other characters in these places. Their digits fit alike, such as those of U and 0, so neither is trusted: a
 * pattern over the picture, as of a screen, can show the wrong one in several looks.
 */
function isDisputed(reading: Reading, all: readonly Reading[], spans: readonly Span[]): boolean {
  return all.some(
    (other) =>
      isSound(other) && spans.some((span) => spanOf(textOf(other), span) !== spanOf(textOf(reading), span)),
  );
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

/** Returns how sure the least sure character in these places is: the mean of the looks, 0 to 1. */
function leastSure(looks: readonly Reading[], [line, from, to]: Span): number {
  let least = 1;
  for (let place = from; place < to; place += 1) {
    const sum = looks.reduce((total, { lines }) => total + (lines[line]?.sure[place] ?? 0), 0);
    least = Math.min(least, sum / looks.length);
  }
  return least;
}

/** Decides what several looks at one zone may offer: nothing unless one is sound, another agrees with it, and no sound one disagrees. */
export function offerOf(readings: readonly Reading[]): Offer {
  const [reading] = readings
    .filter((one) => isSound(one) && one.isWhole && one.pitch >= RULE.pitch && one.contrast >= RULE.contrast)
    .sort((a, b) => b.score - a.score);
  const parsed = reading?.parsed;
  if (!reading || !parsed) return { values: {}, names: {} };
  const { format, fields } = parsed;
  const { spans, checks } = format;
  const sure = checks.composite ? RULE.sure : RULE.sureWithoutComposite;
  const mayOffer = (parts: readonly Span[], least: number) => {
    const looks = agreeing(reading, readings, parts);
    return (
      looks.length > 1 &&
      !isDisputed(reading, readings, parts) &&
      parts.every(
        (span) =>
          leastSure(looks, span) >= least &&
          looks.some((one) => isLikeOcrB(one, span)) &&
          meanOf(looks.map(({ lines }) => lines[span[0]]?.ends ?? 0)) >= RULE.ends,
      )
    );
  };
  const checked = ({ digit, covers }: CheckedSpans) => mayOffer([...covers, digit], sure);
  const number = checks.documentNumber;
  const isLong = spanOf(textOf(reading), number.digit) === '<';
  const numberSpans = [
    ...number.covers,
    number.digit,
    ...(isLong && format.longNumber ? [format.longNumber] : []),
  ];
  const isNumberSeen = mayOffer(numberSpans, sure);
  const hasNames = agreeing(reading, readings, [spans.names]).length > 1 && fields.surname !== '';
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
