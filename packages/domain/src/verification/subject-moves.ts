import { CountersignError, invalidParameters, isCountersignError } from '../errors.ts';
import { EVIDENCE_MAX_FILES, type EvidenceFile, type EvidenceKind } from '../evidence/evidence-file.ts';
import { mergeAnswers, pageOfPath, pagesFor } from '../fields/pages.ts';
import { placesOf } from '../fields/placed-fields.ts';
import type { Step } from '../fields/step.ts';
import type { StepPart } from '../fields/step-part.ts';
import type { JsonObject } from '../input/json.ts';
import { isHeld } from '../retention/data-state.ts';
import { requireNewContent, requireOneUse, secondUse } from './file-uses.ts';
import { type StepKey, stepOf, stepsOf } from './flow.ts';
import { currentStepOf, isStepCompleted, openStepsOf } from './progress.ts';
import { uploadsCheckOf } from './replaced-uploads.ts';
import { requireMove } from './status.ts';
import { advanced, event, type QuietTransition, type Transition } from './transition.ts';
import { markedUpload, markKeptFiles, refuseUnchangedRedo, refuseUnchangedUpload } from './unchanged-files.ts';
import {
  type ActionNeededVerification,
  type Claim,
  type Drafts,
  type EarlierAnswers,
  filesEverNamed,
  usableFiles,
  type Verification,
} from './verification.ts';

/** Everything but the answers that a step's rules depend on. */
export interface MoveContext {
  readonly now: Date;
  readonly minimumAge: number;
}

/** Part of the answers to a step, saved before the step is completed. */
export interface DraftPart extends StepPart {
  readonly step: string;
}

/** The input of one page of a step. */
export interface PageAnswers {
  readonly step: string;
  /** The page's slug. */
  readonly page: string;
  /** Values of the page's fields, placed as in the answers of the whole step. A field that is left out is cleared. */
  readonly input: unknown;
}

/** Requires that the step is open and has room for another file. @throws as `attachFile` */
export function requireRoomFor(verification: Verification, file: { step: string; kind: EvidenceKind }): void {
  requireMove('attachFile', verification);
  const { key, step } = requireOpenStep(verification, file.step);
  if (!placesOf(step.fields).some(({ evidence }) => evidence === file.kind)) {
    const message = `${file.kind} does not belong to the step ${key}`;
    throw invalidParameters([{ path: 'kind', message, code: 'wrong_file_kind' }]);
  }
  if (usableFiles(verification).length >= EVIDENCE_MAX_FILES) {
    throw new CountersignError('FILE_LIMIT_REACHED');
  }
}

/** The subject uploads a file for an open step. @throws `STEP_OUT_OF_TURN`, `FILE_LIMIT_REACHED`, `INVALID_PARAMETERS` */
export function attachFile(verification: Verification, file: EvidenceFile): Transition {
  requireRoomFor(verification, file);
  return {
    next: { ...verification, version: verification.version + 1, files: [...verification.files, file] },
    event: event('verification.file_attached', { step: file.step, kind: file.kind, fileId: file.id }),
  };
}

/**
 * The subject uploads a file whose content was compared with the files of other places and, in a redo, with the one that the
 * reviewer saw: that is refused once.
 * @throws as `attachFile`; `FILE_USED_ELSEWHERE`
 */
export function receiveFile(verification: Verification, file: EvidenceFile): Transition | QuietTransition {
  requireRoomFor(verification, file);
  const { key, step } = requireOpenStep(verification, file.step);
  const path = placesOf(step.fields).find(({ evidence }) => evidence === file.kind)?.path ?? '';
  const use = { step: key, path, file };
  requireNewContent(verification, use);
  return refuseUnchangedUpload(verification, use) ?? attachFile(verification, markedUpload(verification, use));
}

/**
 * The subject answers part of an open step. Only issues within that part are reported. A draft is not an answer of the
 * step: no event is written before the step is completed.
 * @throws `STEP_OUT_OF_TURN`, `INVALID_PARAMETERS`, `FILE_USED_ELSEWHERE`
 */
export function saveDraft(
  verification: Verification,
  { step: name, fields, input }: DraftPart,
  context: MoveContext,
): QuietTransition {
  requireMove('saveDraft', verification);
  const { key, step } = requireOpenStep(verification, name);
  const files = usableFiles(verification).filter((file) => file.step === key);
  const draft = step.acceptPart(verification.drafts[key] ?? {}, { fields, input }, { ...context, files });
  requireOneUse(verification, { step: key, answers: draft, within: fields });
  const drafts = { ...verification.drafts, [key]: draft };
  return { next: { ...verification, version: verification.version + 1, drafts }, event: null };
}

/**
 * The subject answers a page. The last page of a step, and any page of a step that was completed before, completes the
 * step; any other page is saved as a draft. When another page of the step is missing or wrong, or its file has a second place, the
 * page is saved as a draft and the other page's slug is returned as `pageToCorrect`.
 * @throws `STEP_OUT_OF_TURN`, `INVALID_PARAMETERS` with issues of this page, and the errors about files of `completeStep`
 */
export function answerPage(
  verification: Verification,
  { step: name, page: slug, input }: PageAnswers,
  context: MoveContext,
): { readonly transition: Transition | QuietTransition | null; readonly pageToCorrect: string | null } {
  requireMove('saveDraft', verification);
  const { key, step } = requireOpenStep(verification, name);
  const page = step.pages.find((candidate) => candidate.slug === slug);
  if (page === undefined) {
    const message = `not a page of the step ${key}`;
    throw invalidParameters([{ path: 'page', message, code: 'invalid' }]);
  }
  const fields = page.fields.map(({ path }) => path);
  const drafted = saveDraft(verification, { step: name, fields, input }, context);
  const draft = drafted.next.drafts[key] ?? {};
  const answers = answersSoFar(drafted.next, key, { page: slug, input: draft });
  const pages = pagesFor(step, answers);
  const isLast = pages.at(-1)?.slug === slug;
  if (!isLast && !isStepCompleted(verification, key)) return { transition: drafted, pageToCorrect: null };

  try {
    return {
      transition: completeStep(verification, { step: name, input: answers }, context),
      pageToCorrect: null,
    };
  } catch (error) {
    const path = wrongPathOf(error, verification, { step: key, answers });
    const wrong = path === undefined ? null : pageOfPath(step, path);
    if (wrong === null || wrong.slug === slug) throw error;
    return { transition: drafted, pageToCorrect: wrong.slug };
  }
}

/** Returns the path of the answer because of which a step cannot be completed; undefined if the error is about none. */
function wrongPathOf(
  error: unknown,
  verification: Verification,
  answered: { readonly step: StepKey; readonly answers: JsonObject },
): string | undefined {
  if (isCountersignError(error, 'INVALID_PARAMETERS')) return error.data?.issues?.[0]?.path;
  return isCountersignError(error, 'FILE_USED_ELSEWHERE')
    ? secondUse(verification, answered)?.use.path
    : undefined;
}

/** Returns the answers with which a step would be completed now: the current ones, overlaid with its draft. */
export function answersSoFar(
  verification: Verification,
  key: StepKey,
  just?: { readonly page: string; readonly input: JsonObject },
): JsonObject {
  const step = stepOf(verification.flow, key);
  if (step === null) return {};
  const answers = verification.steps[key]?.answers;
  const draft = verification.drafts[key];
  return mergeAnswers(step, { answers, draft, isCompleted: isStepCompleted(verification, key) }, just);
}

/**
 * The subject completes a step, or completes it again before submitting, which replaces the earlier event. When a reviewer
 * asked for the step, its earlier answers and event are kept.
 * Equal answers change nothing but end the draft; the result is null when there is no draft. A redo that keeps the files that the
 * reviewer asked to replace is refused once with `FILE_UNCHANGED`.
 * @throws `STEP_OUT_OF_TURN`, `INVALID_PARAMETERS`, `FILE_USED_ELSEWHERE`
 */
export function completeStep(
  verification: Verification,
  { step: name, input }: { step: string; input: unknown },
  context: MoveContext,
): Transition | QuietTransition | null {
  requireMove('completeStep', verification);
  const { key, step } = requireOpenStep(verification, name);
  const files = usableFiles(verification).filter((file) => file.step === key);
  const answers = step.accept(input, { ...context, files });
  const current = isStepCompleted(verification, key) ? verification.steps[key] : undefined;
  if (current !== undefined && step.isSame(answers, current.answers)) return draftEnded(verification, key);
  requireOneUse(verification, { step: key, answers });
  const refused = refuseUnchangedRedo(verification, key, answers);
  if (refused !== null) return refused;

  const { now } = context;
  const version = verification.version + 1;
  const steps = { ...verification.steps, [key]: { answers, completedAt: now.toISOString(), version } };
  const drafts = withoutDraft(verification.drafts, key);
  const written = {
    event: event('verification.step_completed', { step: key }),
    supersededVersion: current?.version,
  };
  if (verification.status === 'pending') return { next: { ...verification, version, steps, drafts }, ...written };
  const earlierAnswers = [...verification.earlierAnswers, ...replacedAnswers(verification, key, now)];
  const kept = markKeptFiles(verification, key, answers);
  const awaiting = verification.awaiting.filter((awaited) => awaited !== key);
  const next = { ...verification, version, steps, drafts, awaiting, earlierAnswers, files: kept };
  return { next: { ...next, uploadsCheckAt: uploadsCheckOf(next, now) }, ...written };
}

/**
 * The subject submits everything. Files that no current or replaced answer names are removed, unless a hold keeps them. A reviewer who asked for
 * action has the claim on the new submission. @throws `STEPS_INCOMPLETE`
 */
export function submit(verification: Verification, now: Date): Transition {
  requireMove('submit', verification);
  if (currentStepOf(verification) < stepsOf(verification.flow).length) {
    throw new CountersignError('STEPS_INCOMPLETE');
  }
  return {
    next: {
      ...advanced(verification),
      files: filesAfterSubmission(verification, now),
      status: 'submitted',
      submittedAt: now,
      claim: claimOnReturn(verification, now),
    },
    event: event('verification.submitted'),
  };
}

/** Returns the files that a submission keeps. Those that only a hold keeps are marked. */
export function filesAfterSubmission(verification: Verification, now: Date): EvidenceFile[] {
  const named = filesEverNamed(verification);
  const isKept = isHeld(verification, now);
  return verification.files.flatMap((file) => {
    if (named.has(file.id)) return [file];
    return isKept ? [{ ...file, isKeptByHold: true } as const] : [];
  });
}

/** Returns the claim of the reviewer who asked for action; null for a first submission and in test mode. */
function claimOnReturn(verification: Verification, now: Date): Claim | null {
  const reviewerId = verification.status === 'action_needed' ? verification.request.requestedBy : null;
  return reviewerId === null ? null : { reviewerId, claimedAt: now };
}

/** @throws CountersignError `INVALID_PARAMETERS` when the flow has no such step, `STEP_OUT_OF_TURN` when it is not open */
function requireOpenStep(verification: Verification, name: string): { key: StepKey; step: Step } {
  const step = stepOf(verification.flow, name);
  if (step === null) {
    const message = `is not a step of ${verification.type}`;
    throw invalidParameters([{ path: 'step', message, code: 'not_a_step' }]);
  }
  const key = name as StepKey;
  if (openStepsOf(verification).includes(key)) return { key, step };
  throw new CountersignError('STEP_OUT_OF_TURN');
}

function draftEnded(verification: Verification, step: StepKey): QuietTransition | null {
  if (verification.drafts[step] === undefined) return null;
  const drafts = withoutDraft(verification.drafts, step);
  return { next: { ...verification, version: verification.version + 1, drafts }, event: null };
}

function withoutDraft(drafts: Drafts, step: StepKey): Drafts {
  const { [step]: _, ...others } = drafts;
  return others;
}

/** Returns the answers that a redo replaces: those the reviewer saw, not a correction made since. */
function replacedAnswers(
  { steps, awaiting }: ActionNeededVerification,
  step: StepKey,
  now: Date,
): EarlierAnswers[] {
  const before = steps[step];
  if (before === undefined || !awaiting.includes(step)) return [];
  return [{ ...before, step, replacedAt: now.toISOString() }];
}
