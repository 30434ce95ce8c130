import type { Step } from '../fields/step.ts';
import { KYB_SCREENS, KYB_STEPS, type KybStepKey } from './steps/kyb.ts';
import { KYC_SCREENS, KYC_STEPS, type KycStepKey } from './steps/kyc.ts';
import type { PartOf, ScreenOf } from './steps/screen.ts';
import { KYB_STEPS_1, KYC_STEPS_1 } from './steps/version-1.ts';

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

/** A page of a step on a screen. */
export type ScreenPart = PartOf<StepKey>;

/** What a subject sees and answers at a time: one page of a step, or pages of several steps. */
export type Screen = ScreenOf<StepKey>;

/** One version of the steps that a subject takes, in order. */
export interface Flow {
  readonly type: SubjectType;
  /** A verification stores the version it began with and finishes in it. A published version never changes. */
  readonly version: number;
  readonly steps: Readonly<Partial<Record<StepKey, Step>>>;
  /** The screens in their order. Default: each page of each step is a screen of its own, with the page's slug. */
  readonly screens?: readonly Screen[] | undefined;
}

/** The versions of each flow, oldest first. New verifications begin with the last, unless a setting holds them to an earlier one. */
export type Flows = Readonly<Record<SubjectType, readonly Flow[]>>;

/** The flows of the service. Settings of the core can replace them. */
export const BUILT_IN_FLOWS: Flows = {
  kyc: [
    { type: 'kyc', version: 1, steps: KYC_STEPS_1 },
    { type: 'kyc', version: 2, steps: KYC_STEPS, screens: KYC_SCREENS },
  ],
  kyb: [
    { type: 'kyb', version: 1, steps: KYB_STEPS_1 },
    { type: 'kyb', version: 2, steps: KYB_STEPS, screens: KYB_SCREENS },
  ],
};

/**
 * Returns the flow that new verifications of the type begin with.
 * @param highest the highest version to begin with; default the newest
 * @throws Error if `flows` has none of this type up to that version
 */
export function currentFlow(
  type: SubjectType,
  flows: Flows = BUILT_IN_FLOWS,
  highest: number = Number.POSITIVE_INFINITY,
): Flow {
  const flow = flows[type].findLast(({ version }) => version <= highest);
  if (flow === undefined) throw new Error(`There is no flow of type ${type}`);
  return flow;
}

/** Lists the versions, lowest first, up to which new verifications can begin: those that leave a flow of each type. */
export function flowVersions(flows: Flows = BUILT_IN_FLOWS): readonly number[] {
  const versionsOf = (type: SubjectType) => flows[type].map(({ version }) => version);
  const least = Math.max(...SUBJECT_TYPES.map((type) => Math.min(...versionsOf(type))));
  const versions = new Set(SUBJECT_TYPES.flatMap(versionsOf));
  return [...versions].filter((version) => version >= least).toSorted((a, b) => a - b);
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
