import { type StepKey, stepsOf } from './flow.ts';
import type { Verification } from './verification.ts';

/** Whether the step has current answers that no reviewer asked to redo, or had them before the erasure. */
export function isStepCompleted(verification: Verification, step: StepKey): boolean {
  const { flow, stepBeforeErasure } = verification;
  if (stepBeforeErasure !== null) return stepsOf(flow).indexOf(step) < stepBeforeErasure;
  if (verification.steps[step] === undefined) return false;
  return verification.status !== 'action_needed' || !verification.awaiting.includes(step);
}

/**
 * Lists the steps that the subject may answer now: up to the first incomplete one and, after a request for action, only
 * the requested ones. None while the verification is submitted or decided.
 */
export function openStepsOf(verification: Verification): readonly StepKey[] {
  switch (verification.status) {
    case 'pending':
      return reachableSteps(verification);
    case 'action_needed': {
      const asked = new Set(verification.request.items.map(({ step }) => step));
      return reachableSteps(verification).filter((step) => asked.has(step));
    }
    case 'submitted':
    case 'approved':
    case 'rejected':
      return [];
    default:
      return verification satisfies never;
  }
}

function reachableSteps(verification: Verification): readonly StepKey[] {
  return stepsOf(verification.flow).slice(0, currentStepOf(verification) + 1);
}

/** The interface's progress indicator: how many leading steps are complete. 0 at creation. */
export function currentStepOf(verification: Verification): number {
  const steps = stepsOf(verification.flow);
  const open = steps.findIndex((step) => !isStepCompleted(verification, step));
  return open === -1 ? steps.length : open;
}
