import { isSameContent } from '../file-uses.ts';
import { documentUses, readingsIn } from '../readings/read-document.ts';
import type { Verification } from '../verification.ts';
import type { ReviewWarning, WarningContext } from './review-warning.ts';

/** Two pictures look the same if at most this many of the 256 bits of their hashes differ. Those of two sides of a card differ in 90 or more. */
const DIFFERENT_BITS_MAX = 40;

/**
 * Warns of pictures of the document that are different files but look the same, such as the front saved again and sent as the back. Pictures
 * of other cases are not compared.
 */
export function pictureWarnings(verification: Verification, { readings = [] }: WarningContext): ReviewWarning[] {
  const stored = readingsIn(verification, readings);
  const seen = documentUses(verification).flatMap((use) => {
    const hash = stored.find(({ fileId }) => fileId === use.file.id)?.pictureHash;
    return hash === undefined ? [] : [{ ...use, hash }];
  });
  return seen.flatMap(({ step, path, file, hash }) =>
    seen
      .filter((other) => other.file.id !== file.id && !isSameContent(other.file, file))
      .filter((other) => differentBits(other.hash, hash) <= DIFFERENT_BITS_MAX)
      .map((other) => ({ code: 'same_picture', step, path, detail: other.file.kind }) as const),
  );
}

/** Counts the bits in which two hexadecimal hashes differ. */
function differentBits(one: string, other: string): number {
  return [...one].reduce((sum, digit, at) => {
    const different = Number.parseInt(digit, 16) ^ Number.parseInt(other[at] ?? '0', 16);
    return sum + different.toString(2).replaceAll('0', '').length;
  }, 0);
}
