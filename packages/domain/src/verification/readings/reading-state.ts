import type { StoredReading } from '../../reading/stored-reading.ts';
import type { StepKey } from '../flow.ts';
import type { Verification } from '../verification.ts';
import { documentUsesSoFar, readingsIn } from './read-document.ts';

/** How long a page waits for the reading of a new picture, in milliseconds. */
export const READING_WAIT_MS = 4000;

/**
 * Whether the pictures of a document are read. `awaited`: a picture was uploaded a moment ago, and its reading may still come.
 */
export type ReadingState = 'awaited' | 'read' | 'unread';

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
    const isNew = now.getTime() - new Date(file.uploadedAt).getTime() < READING_WAIT_MS;
    const before = byStep.get(step);
    if (reading?.outcome === 'read') byStep.set(step, 'read');
    else if (reading === undefined && isOn && isNew && before !== 'read') byStep.set(step, 'awaited');
    else byStep.set(step, before ?? 'unread');
  }
  return [...byStep].map(([step, state]) => ({ step, state }));
}
