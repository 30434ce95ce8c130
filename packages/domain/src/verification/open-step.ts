import { CountersignError, invalidParameters } from '../errors.ts';
import type { FlowAsks } from '../fields/conditions.ts';
import type { Step } from '../fields/step.ts';
import { type StepKey, stepOf } from './flow.ts';
import { openStepsOf } from './progress.ts';
import type { Verification } from './verification.ts';

/** Everything besides the answers on which a step's rules depend. */
export interface MoveContext {
  readonly now: Date;
  readonly minimumAge: number;
  /** What the client asks for. */
  readonly asks: FlowAsks;
}

/** A step that may be answered now. */
export interface OpenStep {
  readonly key: StepKey;
  readonly step: Step;
}

/** @throws CountersignError `INVALID_PARAMETERS` when the flow has no such step, `STEP_OUT_OF_TURN` when it is not open */
export function requireOpenStep(verification: Verification, name: string): OpenStep {
  const step = stepOf(verification.flow, name);
  if (step === null) {
    const message = `is not a step of ${verification.type}`;
    throw invalidParameters([{ path: 'step', message, code: 'not_a_step' }]);
  }
  const key = name as StepKey;
  if (openStepsOf(verification).includes(key)) return { key, step };
  throw new CountersignError('STEP_OUT_OF_TURN');
}
