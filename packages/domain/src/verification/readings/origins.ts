import { valueAt } from '../../fields/paths.ts';
import type { ReadField } from '../../fields/read-fields.ts';
import type { JsonValue } from '../../input/json.ts';
import { canBeSure } from '../../reading/document-reading.ts';
import { isComparable, isSameAsRead } from '../../reading/fold.ts';
import type { StoredReading } from '../../reading/stored-reading.ts';
import type { StepKey } from '../flow.ts';
import type { Verification } from '../verification.ts';
import {
  type FoundValue,
  type ReadAnswer,
  type ReadDocument,
  readAnswers,
  readDocumentOf,
} from './read-document.ts';

/** Where an answer can come from. */
export const ORIGINS = ['read', 'edited', 'typed'] as const;

/**
 * Where an answer comes from. `read`: it had been read when the subject answered. `edited`: another value had been read, `read`. `typed`:
 * none had been read, it is for reviewers only, or it cannot be compared.
 */
export interface Origin {
  readonly origin: (typeof ORIGINS)[number];
  /** Present if it is `edited`. */
  readonly read?: string;
}

/** How a reviewer sees an answer beside the reading: it agrees, it differs, or there is nothing to compare. */
export type Mark = 'read' | 'differs' | 'typed';

/** An answer and what was read for it. */
export interface ComparedAnswer {
  readonly step: StepKey;
  readonly path: string;
  readonly readAs: ReadField;
  readonly read: FoundValue;
  readonly origin: Origin;
  /** Whether the answer says the same as what was read; null if the answer cannot be compared, such as a name in another script. */
  readonly isSame: boolean | null;
}

/** Returns where an answer comes from. @param completedAt when its step was completed, in ISO 8601 */
export function originOf(
  {
    answer,
    readAs,
    otherName,
  }: { readonly answer: JsonValue; readonly readAs: ReadField; readonly otherName?: string },
  read: FoundValue | undefined,
  completedAt: string,
): Origin {
  if (read === undefined || !read.isOffered || read.readAt.toISOString() > completedAt) return { origin: 'typed' };
  const isSame = sameAsRead(readAs, answer, read.value, otherName);
  if (isSame === null) return { origin: 'typed' };
  return isSame ? { origin: 'read' } : { origin: 'edited', read: read.value };
}

/** Returns the mark of an answer for the reviewer. @param compared null if nothing was read for it */
export function markOf(compared: Pick<ComparedAnswer, 'isSame'> | null): Mark {
  const isSame = compared?.isSame ?? null;
  if (isSame === null) return 'typed';
  return isSame ? 'read' : 'differs';
}

/** Lists the current answers for which something was read, in the order of the flow. */
export function comparedAnswers(
  verification: Verification,
  readings: readonly StoredReading[],
): readonly ComparedAnswer[] {
  const { fields } = readDocumentOf(verification, readings);
  return readAnswers(verification).flatMap(({ step, path, readAs }) => {
    const completed = verification.steps[step];
    if (readAs === 'type' || completed === undefined) return [];
    const read = fields[readAs];
    const answer = valueAt(completed.answers, path);
    if (read === undefined || answer === undefined) return [];
    const otherName = otherNameOf(readAs, fields);
    const origin = originOf({ answer, readAs, otherName }, read, completed.completedAt);
    return [{ step, path, readAs, read, origin, isSame: sameAsRead(readAs, answer, read.value, otherName) }];
  });
}

/** An answer that a reading could have given, as the reviewer sees it. */
export interface MarkedAnswer extends Pick<ReadAnswer, 'step' | 'path' | 'field'> {
  readonly mark: Mark;
  /** What was read for it; null if nothing was. */
  readonly read: string | null;
}

/** Marks the current answers that a reading could have given, in the order of the flow. None if nothing was read that can be compared. */
export function markedAnswers(
  verification: Verification,
  readings: readonly StoredReading[],
): readonly MarkedAnswer[] {
  const all = comparedAnswers(verification, readings);
  if (all.length === 0) return [];
  return readAnswers(verification).flatMap(({ step, path, field, readAs }) => {
    const answer = valueAt(verification.steps[step]?.answers ?? {}, path);
    if (readAs === 'type' || answer === undefined) return [];
    const compared = all.find((each) => each.step === step && each.path === path);
    return [{ step, path, field, mark: markOf(compared ?? null), read: compared?.read.value ?? null }];
  });
}

/** Where answers come from, by step and path. */
export type Origins = { readonly [K in StepKey]?: Readonly<Record<string, Origin>> };

/** Returns where the answers come from that a reading could have filled in; undefined if no document was read. */
export function originsOf(verification: Verification, readings: readonly StoredReading[]): Origins | undefined {
  const origins: { [K in StepKey]?: Record<string, Origin> } = {};
  const compared = comparedAnswers(verification, readings);
  if (compared.length === 0) return undefined;
  for (const { step, path, origin } of compared) origins[step] = { ...origins[step], [path]: origin };
  return origins;
}

/** Whether the reviewer is warned of a difference: one from a value that was never sure says little, but names never are. */
export function isTelling({ read, readAs }: Pick<ComparedAnswer, 'read' | 'readAs'>): boolean {
  return read.sure || !canBeSure(readAs);
}

function otherNameOf(readAs: ReadField, fields: ReadDocument['fields']): string {
  return (readAs === 'lastName' ? fields.firstName : fields.lastName)?.value ?? '';
}

function sameAsRead(readAs: ReadField, answer: JsonValue, read: string, otherName: string = ''): boolean | null {
  const texts = (Array.isArray(answer) ? answer : [answer]).filter(
    (one): one is string => typeof one === 'string',
  );
  const comparable = texts.filter(isComparable);
  if (comparable.length === 0) return null;
  return comparable.some((one) => isSameAsRead(readAs, one, read, otherName));
}
