import type { DocumentReading } from '@countersign/domain';
import { countryOf, type MrzReading, type ParsedMrz, parseMrz } from '@countersign/reading';
import { readValue } from './read-value.ts';

/** How many of the three digits over number, birth and expiry must fit before a zone counts as read. */
const DIGITS_MIN = 2;

/** The types of documents by the first two characters of their zone, where these name one type. */
const TYPES: Readonly<Record<string, string>> = {
  ID: 'id_card',
  'I<': 'id_card',
  AR: 'residence_permit',
  IR: 'residence_permit',
};

/** A picture that was read, and how. */
export interface ReadPicture {
  readonly width: number;
  readonly height: number;
  /** YYYY-MM-DD. */
  readonly today: string;
  readonly readerVersion: string;
}

/**
 * Returns what a zone says as a reading. Values are sure only as the reader offers them. A zone whose digits fail is read if most of them
 * fit; else it is nothing, because its characters were guessed.
 */
export function readingOf(mrz: MrzReading | undefined, picture: ReadPicture): DocumentReading {
  const { today, readerVersion } = picture;
  const parsed = mrz && parseMrz(mrz.text, today);
  if (mrz === undefined || parsed === undefined || !isLegible(mrz, parsed)) {
    return { outcome: 'nothing', readerVersion, fields: {} };
  }
  const { fields, checks } = parsed;
  const { values, names } = mrz;
  const issuer = countryOf(fields.issuingState);
  const type = typeOf(mrz.text[0] ?? '');
  return {
    outcome: 'read',
    readerVersion,
    fields: {
      ...readValue(
        'documentNumber',
        checks.documentNumber ? fields.documentNumber : undefined,
        values.documentNumber !== undefined,
      ),
      ...readValue('dateOfBirth', checks.birthDate ? fields.birthDate : undefined, values.birthDate !== undefined),
      ...readValue('expiresOn', checks.expiresOn ? fields.expiresOn : undefined, values.expiresOn !== undefined),
      ...readValue('issuingCountry', issuer, values.issuingState !== undefined),
      ...readValue('nationality', countryOf(fields.nationality), values.nationality !== undefined),
      ...readValue('lastName', names.surname, false),
      ...readValue('firstName', names.givenNames, false),
    },
    ...(type !== undefined && { type }),
    ...(issuer !== undefined && { issuer }),
    digitsFit: Object.values(checks).every(Boolean),
    mrzBox: boxOf(mrz.corners, picture),
  };
}

function isLegible({ isSound }: MrzReading, { checks, isPlausible }: ParsedMrz): boolean {
  const fitting = [checks.documentNumber, checks.birthDate, checks.expiresOn].filter(Boolean).length;
  return isSound || (isPlausible && fitting >= DIGITS_MIN);
}

function typeOf(line: string): string | undefined {
  return line.startsWith('P') ? 'passport' : TYPES[line.slice(0, 2)];
}

/** Returns the upright rectangle around the zone, and how its text is turned. */
function boxOf(
  corners: MrzReading['corners'],
  { width, height }: Pick<ReadPicture, 'width' | 'height'>,
): NonNullable<DocumentReading['mrzBox']> {
  const fraction = (pixels: number, side: number) => Math.min(1, Math.max(0, pixels / side));
  const xs = corners.map(([x]) => fraction(x, width));
  const ys = corners.map(([, y]) => fraction(y, height));
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const [[startX, startY] = [0, 0], [endX, endY] = [1, 0]] = corners;
  const turn = Math.atan2(endY - startY, endX - startX) / (2 * Math.PI);
  // The remainder of a tiny negative turn would round up to 1.
  const rotation = ((turn + 1) % 1) % 1;
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y, rotation, aspect: width / height };
}
