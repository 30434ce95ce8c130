import type { Step } from '../fields/step.ts';
import { KYB_STEPS, type KybStepKey } from './steps/kyb.ts';
import { KYC_STEPS, type KycStepKey } from './steps/kyc.ts';

/** The subject: an individual or a business (interface, Verification). */
export const SUBJECT_TYPES = ['kyc', 'kyb'] as const;
/** The type of a verification: `kyc` for a person, `kyb` for a business. */
export type SubjectType = (typeof SUBJECT_TYPES)[number];

/** The key of a step of the built-in flows. */
export type StepKey = KycStepKey | KybStepKey;

/** Every step of the built-in flows. */
export const STEP_KEYS: readonly StepKey[] = [
  ...new Set([...Object.keys(KYC_STEPS), ...Object.keys(KYB_STEPS)] as StepKey[]),
];

/** One version of the steps that a subject takes, in order. */
export interface Flow {
  readonly type: SubjectType;
  /** A verification stores the version it began with and finishes in it. A published version never changes. */
  readonly version: number;
  readonly steps: Readonly<Partial<Record<StepKey, Step>>>;
}

/** The versions of each flow, oldest first. New verifications begin with the last. */
export type Flows = Readonly<Record<SubjectType, readonly Flow[]>>;

/** The flows of the service. Settings of the core can replace them. */
export const BUILT_IN_FLOWS: Flows = {
  kyc: [{ type: 'kyc', version: 1, steps: KYC_STEPS }],
  kyb: [{ type: 'kyb', version: 1, steps: KYB_STEPS }],
};

/**
 * Checks flows before they are used.
 * @returns the same flows
 * @throws Error when a type has no flow, versions do not rise from 1 on, or two pages of a flow share a slug
 */
export function checkFlows(flows: Flows): Flows {
  for (const type of SUBJECT_TYPES) {
    if (flows[type].length === 0) throw new Error(`There is no flow of type ${type}`);
    let version = 0;
    for (const flow of flows[type]) {
      if (flow.type !== type || !Number.isInteger(flow.version) || flow.version <= version) {
        throw new Error(`The versions of the ${type} flow must be whole numbers that rise from 1 on`);
      }
      version = flow.version;
      const slugs = Object.values(flow.steps).flatMap(({ pages }) => pages.map(({ slug }) => slug));
      const twice = slugs.find((slug, index) => slugs.indexOf(slug) !== index);
      if (twice !== undefined) throw new Error(`Two pages of the ${type} flow have the slug ${twice}`);
    }
  }
  return flows;
}

/** Returns the flow that new verifications of the type begin with. @throws Error if `flows` has none of this type */
export function currentFlow(type: SubjectType, flows: Flows = BUILT_IN_FLOWS): Flow {
  const flow = flows[type].at(-1);
  if (flow === undefined) throw new Error(`There is no flow of type ${type}`);
  return flow;
}

/** Returns the version of a flow that a verification began with, or null when it is not in the catalogue. */
export function findFlow(flows: Flows, type: SubjectType, version: number): Flow | null {
  return flows[type].find((flow) => flow.version === version) ?? null;
}

/** Lists the steps of a flow in the order in which the subject takes them. */
export function stepsOf({ steps }: Flow): readonly StepKey[] {
  return Object.keys(steps) as StepKey[];
}

/** Returns one step of a flow, or null. */
export function stepOf({ steps }: Flow, key: string): Step | null {
  return Object.hasOwn(steps, key) ? (steps[key as StepKey] ?? null) : null;
}
