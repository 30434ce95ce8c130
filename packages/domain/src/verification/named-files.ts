import type { JsonObject } from '../json.ts';
import { type Flow, stepOf } from './flow.ts';
import type { Verification } from './verification.ts';

/** Ids of the files that the answers that stand name. */
export function namedFiles({ flow, steps }: Verification): ReadonlySet<string> {
  return new Set(Object.entries(steps).flatMap(([step, { answers }]) => filesIn(flow, step, answers)));
}

/** The same, and those that the answers name which were replaced in a redo: a reviewer has seen them. */
export function filesEverNamed(verification: Verification): ReadonlySet<string> {
  const { flow, earlierAnswers } = verification;
  const earlier = earlierAnswers.flatMap(({ step, answers }) => filesIn(flow, step, answers));
  return new Set([...namedFiles(verification), ...earlier]);
}

function filesIn(flow: Flow, step: string, answers: JsonObject): string[] {
  return (stepOf(flow, step)?.filesOf(answers) ?? []).map(({ fileId }) => fileId);
}
