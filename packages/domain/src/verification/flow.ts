import type { Step } from '../fields/step.ts';
import { KYB_STEPS, type KybStepKey } from './steps/kyb.ts';
import { KYC_STEPS, type KycStepKey } from './steps/kyc.ts';

/** What is verified: an individual or a business (interface, Verification). */
export const SUBJECT_TYPES = ['kyc', 'kyb'] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

export type StepKey = KycStepKey | KybStepKey;

const FLOWS: Readonly<Record<SubjectType, Readonly<Record<string, Step>>>> = { kyc: KYC_STEPS, kyb: KYB_STEPS };

const ORDER: Readonly<Record<SubjectType, readonly StepKey[]>> = {
  kyc: Object.keys(KYC_STEPS) as KycStepKey[],
  kyb: Object.keys(KYB_STEPS) as KybStepKey[],
};

/** The steps of a flow in the order in which the subject takes them: six for KYC, seven for KYB. */
export function stepsOf(type: SubjectType): readonly StepKey[] {
  return ORDER[type];
}

/** The schema and rules of one step, or null where the flow has no such step. */
export function stepOf(type: SubjectType, key: string): Step | null {
  return Object.hasOwn(FLOWS[type], key) ? (FLOWS[type][key] as Step) : null;
}
