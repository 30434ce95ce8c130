import { CountersignError } from '../errors.ts';
import type { EvidenceFile } from '../evidence/evidence-file.ts';
import { isSamplePicture } from '../evidence/sample-picture.ts';
import { withoutUnasked } from '../fields/conditions.ts';
import { mergeAnswers } from '../fields/pages.ts';
import { isWithin, valueAt } from '../fields/paths.ts';
import type { JsonObject } from '../input/json.ts';
import { answersSoFar, keepsAnswers } from './answers-so-far.ts';
import { type StepKey, stepOf, stepsOf } from './flow.ts';
import { type FilePlace, namedFiles, type Verification } from './verification.ts';

/** A place in the answers and the file that it names. */
export interface FileUse extends FilePlace {
  readonly file: EvidenceFile;
}

/** Lists the files that answers to a step name. */
export function usesIn({ flow, files }: Verification, step: StepKey, answers: JsonObject): FileUse[] {
  return (stepOf(flow, step)?.filesOf(answers) ?? []).flatMap(({ path, fileId }) => {
    const file = files.find(({ id }) => id === fileId);
    return file === undefined ? [] : [{ step, path, file }];
  });
}

/** Lists the files of the current answers, in the order of the flow. */
export function currentUses(verification: Verification): FileUse[] {
  const { flow, steps } = verification;
  return stepsOf(flow).flatMap((key) => usesIn(verification, key, steps[key]?.answers ?? {}));
}

/** Lists the files that the next submission would name: drafts replace answers, and a step to redo has its draft alone. */
function nextUses(verification: Verification): FileUse[] {
  return stepsOf(verification.flow).flatMap((key) => {
    const keeps = keepsAnswers(verification, key);
    const answers = keeps ? answersSoFar(verification, key) : (verification.drafts[key] ?? {});
    return askedUses(verification, key, answers);
  });
}

/**
 * Lists the files of a draft whose fields are still asked. After a change of the type to passport, a draft keeps
 * the back of the earlier document, which no page can replace.
 */
function askedUses(verification: Verification, key: StepKey, draft: JsonObject): FileUse[] {
  const step = stepOf(verification.flow, key);
  if (step === null) return [];
  const { answers } = verification.steps[key] ?? {};
  const merged = mergeAnswers(step, { answers, draft, isCompleted: keepsAnswers(verification, key) });
  const asked = withoutUnasked(step.fields, merged);
  return usesIn(verification, key, draft).filter(({ path }) => valueAt(asked, path) !== undefined);
}

/**
 * Refuses an upload whose content another place uses already.
 * @throws CountersignError `FILE_USED_ELSEWHERE`
 */
export function requireNewContent(verification: Verification, { step, path, file }: FileUse): void {
  const others = nextUses(verification).filter((use) => use.step !== step || use.path !== path);
  const other = others.find((use) => isSameContent(use.file, file));
  if (other !== undefined) throw usedElsewhere(other);
}

/**
 * Refuses answers of a step in which one content has two places. Places that the current answers name already may keep what they
 * have: a reviewer is warned of it.
 * @throws CountersignError `FILE_USED_ELSEWHERE`
 */
export function requireOneUse(verification: Verification, answered: AnsweredFiles): void {
  const second = secondUse(verification, answered);
  if (second !== null) throw usedElsewhere(second.other);
}

/** Answers of a step that are compared with each other and with those of other steps. */
interface AnsweredFiles {
  readonly step: StepKey;
  readonly answers: JsonObject;
  /** The fields that are answered now; default all. */
  readonly within?: readonly string[];
}

/** Finds a file of the answers that the step did not have before and whose content has another place, and that place. */
export function secondUse(
  verification: Verification,
  { step, answers, within }: AnsweredFiles,
): { readonly use: FileUse; readonly other: FileUse } | null {
  const stored = namedFiles(verification);
  const own = askedUses(verification, step, answers);
  const all = [...own, ...nextUses(verification).filter((use) => use.step !== step)];
  for (const use of own) {
    if (stored.has(use.file.id)) continue;
    if (within !== undefined && !within.some((field) => isWithin(use.path, field))) continue;
    const other = all.find(({ file }) => isSameContent(file, use.file));
    if (other !== undefined) return { use, other };
  }
  return null;
}

/** Whether two uploads are the same file. Test mode submits one sample picture in every place. */
export function isSameContent(one: EvidenceFile, other: EvidenceFile): boolean {
  return one.id !== other.id && one.sha256 === other.sha256 && !isSamplePicture(one);
}

function usedElsewhere({ step, file: { kind } }: FileUse): CountersignError {
  const message = `This file is already used as ${kind} of the step ${step}. Send another one.`;
  return new CountersignError('FILE_USED_ELSEWHERE', message, { data: { usedFor: { step, kind } } });
}
