import {
  isStepCompleted,
  type JsonObject,
  type StepKey,
  type SubjectType,
  type Verification,
} from '@countersign/domain';
import { namesOf } from './page-names.ts';
import { pagesOfStep } from './pages/flow-pages.ts';
import type { StepPage } from './step-page.ts';
import { uploadPlace } from './upload/places.ts';
import { valueAt, withValueAt } from './value-at.ts';

/** What a page was just answered with. */
export interface PageAnswers {
  readonly page: StepPage;
  /** The values of its names, placed as in the whole answers. */
  readonly input: JsonObject;
}

/** The answers of a step as they would be completed now: those that stand, and over them the pages that were answered since. */
export function answersSoFar(verification: Verification, step: StepKey, just?: PageAnswers): JsonObject {
  const { type, steps, drafts } = verification;
  const draft = drafts[step] ?? {};
  const { acceptedAt: _, ...standing } = steps[step]?.answers ?? {};
  const pages = pagesOfStep(type, step);
  const redone = isStepCompleted(verification, step)
    ? -1
    : pages.findLastIndex((page) => isDrafted(verification, page));
  let answers: JsonObject = standing;
  for (const [index, page] of pages.entries()) {
    // Of a page that asks for nothing that is needed, a draft without any of it says that it was left empty.
    const passed = index < redone && asksForNothingNeeded(type, page);
    const source = page === just?.page ? just.input : isDrafted(verification, page) || passed ? draft : null;
    if (source === null) continue;
    for (const name of namesOf(type, page)) answers = withValueAt(answers, name, valueAt(source, name));
  }
  return answers;
}

function asksForNothingNeeded(type: SubjectType, page: StepPage): boolean {
  if (page.kind === 'form') return page.fields.every(({ optional }) => optional === true);
  return uploadPlace(type, page.step, page.evidence)?.isOptional === true;
}

/** Whether a page was answered since its step was completed last, with anything at all. */
export function isDrafted({ type, drafts }: Verification, page: StepPage): boolean {
  const draft = drafts[page.step];
  return draft !== undefined && namesOf(type, page).some((name) => valueAt(draft, name) !== undefined);
}

/** Without what another answer has made pointless: the back of a passport, the managers where there are owners. */
export function withoutPointless(answers: JsonObject): JsonObject {
  let rest = answers;
  if (rest.type === 'passport') rest = withValueAt(rest, 'backFileId', undefined);
  if (valueAt(rest, 'document.type') === 'passport') rest = withValueAt(rest, 'document.backFileId', undefined);
  if (rest.noBeneficialOwner !== true) rest = withValueAt(rest, 'seniorManagers', undefined);
  return rest;
}
