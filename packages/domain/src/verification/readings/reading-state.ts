import type { EvidenceFile } from '../../evidence/evidence-file.ts';
import type { StoredReading } from '../../reading/stored-reading.ts';
import type { StepKey } from '../flow.ts';
import type { Verification } from '../verification.ts';
import { documentUsesSoFar, readingsIn } from './read-document.ts';

/** How long a page waits for the reading of a new picture, in milliseconds. */
export const READING_WAIT_MS = 4000;

/**
 * Whether the pictures of a document are read. `awaited`: a picture was uploaded a moment ago, and its reading may still come. `late`: it
 * has not come in time, but still may.
 */
export type ReadingState = 'awaited' | 'late' | 'read' | 'unread';

/** The best state of several pictures comes first. */
const BEST_FIRST: readonly ReadingState[] = ['read', 'awaited', 'late', 'unread'];

/** The state of the readings of one step's document. */
export interface DocumentState {
  readonly step: StepKey;
  readonly state: ReadingState;
}

/**
 * Returns the state of each document that has pictures in the answers so far.
 * @param isOn whether pictures are read at all
 */
export function readingStates(
  verification: Verification,
  readings: readonly StoredReading[],
  { now, isOn }: { readonly now: Date; readonly isOn: boolean },
): readonly DocumentState[] {
  const stored = readingsIn(verification, readings);
  const byStep = new Map<StepKey, ReadingState>();
  for (const { step, file } of documentUsesSoFar(verification)) {
    const reading = stored.find(({ fileId }) => fileId === file.id);
    const both = [stateOf(file, reading), byStep.get(step) ?? 'unread'];
    byStep.set(step, BEST_FIRST.find((best) => both.includes(best)) ?? 'unread');
  }
  return [...byStep].map(([step, state]) => ({ step, state }));

  function stateOf({ uploadedAt }: EvidenceFile, reading: StoredReading | undefined): ReadingState {
    if (reading !== undefined) return reading.outcome === 'read' ? 'read' : 'unread';
    if (!isOn) return 'unread';
    return now.getTime() - new Date(uploadedAt).getTime() < READING_WAIT_MS ? 'awaited' : 'late';
  }
}
