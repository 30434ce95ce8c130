import type { StoredReading } from '../../reading/stored-reading.ts';
import { answersSoFar } from '../answers-so-far.ts';
import { type FileUse, usesIn } from '../file-uses.ts';
import { stepOf, stepsOf } from '../flow.ts';
import type { Verification } from '../verification.ts';
import { joinReadings, type ReadDocument, readingsIn, readPlaces } from './read-document.ts';

/** Lists the pictures of the document in the answers so far, drafts included. */
export function documentUsesSoFar(verification: Verification): readonly FileUse[] {
  return stepsOf(verification.flow).flatMap((step) => {
    const places = readPlaces(stepOf(verification.flow, step)?.fields ?? {});
    if (places.length === 0) return [];
    return usesIn(verification, step, answersSoFar(verification, step)).filter(({ path }) =>
      places.includes(path),
    );
  });
}

/** What the pictures in the answers so far say together: for the forms that come after them. */
export function readDocumentSoFar(verification: Verification, readings: readonly StoredReading[]): ReadDocument {
  const current = new Set(documentUsesSoFar(verification).map(({ file }) => file.id));
  return joinReadings(readingsIn(verification, readings).filter(({ fileId }) => current.has(fileId)));
}
