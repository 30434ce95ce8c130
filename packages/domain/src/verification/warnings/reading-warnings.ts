import { valueAt } from '../../fields/paths.ts';
import type { StoredReading } from '../../reading/stored-reading.ts';
import { comparedAnswers, isTelling } from '../readings/origins.ts';
import { chosenOf, documentUses, readAnswers, readDocumentOf, readingsIn } from '../readings/read-document.ts';
import { dayOf, ZONE_PICTURES } from '../steps/shared-fields.ts';
import type { Verification } from '../verification.ts';
import type { ReviewWarning, WarningContext } from './review-warning.ts';

/** Warns of what was read from the document: edited, other than the answers, expired, not to be trusted, or nothing at all. */
export function readingWarnings(
  verification: Verification,
  { readings = [], now }: WarningContext,
): ReviewWarning[] {
  return [
    ...answerWarnings(verification, readings),
    ...expiryRead(verification, readings, now),
    ...typeRead(verification, readings),
    ...pictureWarnings(verification, readings),
  ];
}

function answerWarnings(verification: Verification, readings: readonly StoredReading[]): ReviewWarning[] {
  return comparedAnswers(verification, readings)
    .filter((answer) => answer.isSame === false && isTelling(answer))
    .map(({ step, path, readAs, read, origin }) => ({
      code: codeOf(readAs, origin.origin),
      step,
      path,
      detail: read.value,
    }));
}

function codeOf(readAs: string, origin: string): ReviewWarning['code'] {
  if (readAs === 'issuingCountry') return 'reading_state_differs';
  return origin === 'edited' ? 'reading_edited' : 'reading_differs';
}

/** Warns of a document that has expired by what was read, if the answer is another day, or that there is none. */
function expiryRead(verification: Verification, readings: readonly StoredReading[], now: Date): ReviewWarning[] {
  const read = readDocumentOf(verification, readings).fields.expiresOn;
  if (read === undefined || !read.sure || read.value >= dayOf(now)) return [];
  return readAnswers(verification).flatMap(({ step, path, readAs }): ReviewWarning[] => {
    const completed = verification.steps[step];
    if (readAs !== 'expiresOn' || completed === undefined) return [];
    if (valueAt(completed.answers, path) === read.value) return [];
    return [{ code: 'reading_expired', step, path, detail: read.value }];
  });
}

/** Warns of a document of another type than the subject chose. */
function typeRead(verification: Verification, readings: readonly StoredReading[]): ReviewWarning[] {
  const { type } = readDocumentOf(verification, readings);
  if (type === undefined) return [];
  return readAnswers(verification).flatMap(({ step, path, field, readAs }): ReviewWarning[] => {
    const chosen = valueAt(verification.steps[step]?.answers ?? {}, path);
    const isKnown = readAs === 'type' && field.kind === 'choice' && field.of.includes(type);
    if (!isKnown || chosen === undefined || chosen === type) return [];
    return [{ code: 'reading_type_differs', step, path, detail: type }];
  });
}

/** Warns of digits that do not fit, of pictures of different documents, and of a document in which nothing was found that it has. */
function pictureWarnings(verification: Verification, readings: readonly StoredReading[]): ReviewWarning[] {
  const stored = readingsIn(verification, readings);
  const uses = documentUses(verification).map((use) => ({
    ...use,
    reading: stored.find(({ fileId }) => fileId === use.file.id),
  }));
  const wrong = uses
    .filter(({ reading }) => reading?.digitsFit === false)
    .map(({ step, path }): ReviewWarning => ({ code: 'check_digits_wrong', step, path }));
  const [first] = uses;
  if (first !== undefined && readDocumentOf(verification, readings).isContradictory)
    wrong.push({ code: 'readings_contradict', step: first.step, path: first.path });
  const isEmpty = uses.every(({ reading }) => reading?.outcome === 'nothing');
  if (first === undefined || !isEmpty) return wrong;
  const { documentType } = chosenOf(verification);
  if (!Object.hasOwn(ZONE_PICTURES, documentType ?? '')) return wrong;
  const { step, path } = first;
  return [...wrong, { code: documentType === 'passport' ? 'mrz_missing' : 'mrz_not_found', step, path }];
}
