import { CountersignError, invalidParameters } from '../errors.ts';
import type { Step } from '../fields/step.ts';
import { type StepKey, stepOf } from './flow.ts';
import { openStepsOf } from './progress.ts';
import type { Verification } from './verification.ts';

/** @throws CountersignError `INVALID_PARAMETERS` where the flow has no such step, `STEP_OUT_OF_TURN` where it is not open */
export function requireOpenStep(verification: Verification, name: string): { key: StepKey; step: Step } {
  const step = stepOf(verification.type, name);
  if (step === null) {
    const message = `not a step of ${verification.type}`;
    throw invalidParameters([{ path: 'step', message, code: 'not_a_step' }]);
  }
  const key = name as StepKey;
  if (openStepsOf(verification).includes(key)) return { key, step };
  throw new CountersignError('STEP_OUT_OF_TURN', `The step ${key} is not open now`);
}
