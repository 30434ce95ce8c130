import { CountersignError } from '../errors.ts';
import type { EvidenceFile } from '../evidence/evidence-file.ts';
import { isWithin, valueAt, withoutPaths } from '../fields/paths.ts';
import type { JsonObject } from '../input/json.ts';
import { isAnsweredByFile } from './decision.ts';
import { type FileUse, usesIn } from './file-uses.ts';
import { type StepKey, stepOf } from './flow.ts';
import { isStepCompleted } from './progress.ts';
import { askedFields, isAskedByField, reviewedAnswers } from './redo.ts';
import { type QuietTransition, quietly } from './transition.ts';
import type { ActionNeededVerification, FilePlace, Verification } from './verification.ts';

/*
 * In a redo, a file with the content that the reviewer saw in its place is refused once: the subject may have chosen the wrong one.
 * The verification remembers the refusal, so that of several devices one is refused. A second try is accepted, and the file is
 * marked for the reviewer. Content is compared as it is stored: a picture that is uploaded twice is redrawn to the same bytes.
 */

/** Refuses an upload with the content that the reviewer saw in its place; null if it is another one, or was refused before. */
export function refuseUnchangedUpload(
  verification: Verification,
  { step, path, file }: FileUse,
): QuietTransition | null {
  if (!isUnchanged(verification, { step, path, file }) || wasRefused(verification, { step, path })) return null;
  return refusal(verification, [{ step, path }]);
}

/**
 * Refuses a redo that keeps each file of its step: of those the reviewer asked to replace, or with no other change either. Null if
 * one of them is another one, or if one was refused before.
 */
export function refuseUnchangedRedo(
  verification: Verification,
  step: StepKey,
  answers: JsonObject,
): QuietTransition | null {
  // A step that was redone is only corrected now.
  const kept = isStepCompleted(verification, step) ? [] : keptFiles(verification, step, answers);
  if (kept.length === 0 || kept.some((use) => wasRefused(verification, use))) return null;
  return refusal(
    verification,
    kept.map(({ path }) => ({ step, path })),
  );
}

/** Returns the files of a verification, with those marked that an accepted redo keeps. */
export function markKeptFiles(
  verification: Verification,
  step: StepKey,
  answers: JsonObject,
): readonly EvidenceFile[] {
  const kept = new Set(keptFiles(verification, step, answers).map(({ file }) => file.id));
  return verification.files.map((file) => (kept.has(file.id) ? { ...file, isUnchanged: true } : file));
}

/** Returns an upload, marked if it has the content that the reviewer saw in its place. */
export function markedUpload(verification: Verification, use: FileUse): EvidenceFile {
  return isUnchanged(verification, use) ? { ...use.file, isUnchanged: true } : use.file;
}

/** Lists the files of a redo, if none of them is new although the reviewer's reason or the other answers call for it. */
function keptFiles(verification: Verification, key: StepKey, answers: JsonObject): readonly FileUse[] {
  const reviewed = reviewedAnswers(verification, key);
  const step = stepOf(verification.flow, key);
  if (verification.status !== 'action_needed' || reviewed === undefined || step === null) return [];
  const uses = usesIn(verification, key, answers).filter(({ path }) => isFieldAsked(verification, key, path));
  if (!uses.every((use) => isUnchanged(verification, use))) return [];
  const { items } = verification.request;
  const isAsked = items.some((item) => item.step === key && isAnsweredByFile(item.reasonCode));
  // An upload of the same content has another id.
  const paths = new Set(uses.map(({ path }) => path));
  const rest = (all: JsonObject) => withoutPaths(all, paths) as JsonObject;
  return isAsked || step.isSame(rest(answers), rest(reviewed)) ? uses : [];
}

/** Whether a reviewer asked for a field of a step, or for the whole step. */
function isFieldAsked(verification: Verification, key: StepKey, path: string): boolean {
  return (
    !isAskedByField(verification, key) || askedFields(verification, key).some((field) => isWithin(path, field))
  );
}

/** Whether a reviewer asked for the step again and saw this content in this place. */
function isUnchanged(verification: Verification, { step, path, file }: FileUse): boolean {
  const seen = valueAt(reviewedAnswers(verification, step), path);
  return verification.files.some(({ id, sha256 }) => id === seen && sha256 === file.sha256);
}

function wasRefused(verification: Verification, { step, path }: FilePlace): boolean {
  const places = verification.status === 'action_needed' ? (verification.refusedPlaces ?? []) : [];
  return places.some((place) => place.step === step && place.path === path);
}

function refusal(verification: Verification, places: readonly FilePlace[]): QuietTransition {
  const next = verification as ActionNeededVerification;
  const refusedPlaces = [...(next.refusedPlaces ?? []), ...places];
  return quietly({ ...next, refusedPlaces }, new CountersignError('FILE_UNCHANGED'));
}
