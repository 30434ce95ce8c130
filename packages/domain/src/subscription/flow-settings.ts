import type { Issue } from '../errors.ts';
import type { Fields } from '../fields/field.ts';
import type { FlowSwitch } from '../fields/flow-switches.ts';
import { valueAt } from '../input/parse.ts';

/** When a decision usually comes, from the shortest wait to the longest. A day is a working day. */
export const DECISION_TIMES = ['minutes', 'hours', 'day', 'days'] as const;
/** When a decision usually comes. */
export type DecisionTime = (typeof DECISION_TIMES)[number];

/** The highest minimum age that a client can set, in full years. */
export const MINIMUM_AGE_MAX = 100;

/** The longest life of a link that a client can set, in days. */
export const LINK_DAYS_MAX = 90;

/** The longest due time that a client can set, in hours: 30 days. */
export const DUE_HOURS_MAX = 720;

/** What a client asks of its subjects and tells them, and when it expects decisions. */
export interface FlowSettings extends Readonly<Record<FlowSwitch, boolean>> {
  /** Full years that the subject of a KYC verification must have; null: the installation's minimum age. */
  readonly minimumAge: number | null;
  /** Days that a link works from its issue; null: the installation's. */
  readonly linkDays: number | null;
  /** When a decision usually comes. Null: the pages do not say. */
  readonly decisionWithin: DecisionTime | null;
  /** Whether readings of documents are only for reviewers. Off: subjects are offered what was read. */
  readonly readingIsAdvice: boolean;
  /** Hours from a submission to the decision that the client expects. Null: no due time. */
  readonly dueHours: number | null;
  /** Whether verifications are indexed by the family name alone, so that reviewers find them by it. */
  readonly familyNameIndex: boolean;
  /** Whether the details in the API list the codes of warnings. */
  readonly warningsInDetails: boolean;
}

/** The settings of a new client. Clients created before there were settings have both switches on. */
export const NEW_FLOW_SETTINGS: FlowSettings = {
  placeOfBirth: false,
  proofOfAddress: false,
  minimumAge: null,
  linkDays: null,
  decisionWithin: null,
  readingIsAdvice: false,
  dueHours: null,
  familyNameIndex: false,
  warningsInDetails: false,
};

/** Flow settings as people enter them. A setting that is left out is not set. */
export interface FlowSettingsInput extends Readonly<Record<FlowSwitch, boolean>> {
  readonly minimumAge?: number | undefined;
  readonly linkDays?: number | undefined;
  readonly decisionWithin?: DecisionTime | undefined;
  readonly readingIsAdvice: boolean;
  readonly dueHours?: number | undefined;
  readonly familyNameIndex: boolean;
  readonly warningsInDetails: boolean;
}

/** The fields of a client's flow settings, as forms and actions take them. */
export const flowSettingsFields: Fields<FlowSettingsInput> = {
  placeOfBirth: { kind: 'flag' },
  proofOfAddress: { kind: 'flag' },
  minimumAge: { kind: 'number', integer: true, min: 1, max: MINIMUM_AGE_MAX, optional: true },
  linkDays: { kind: 'number', integer: true, min: 1, max: LINK_DAYS_MAX, optional: true },
  decisionWithin: { kind: 'choice', of: DECISION_TIMES, optional: true },
  readingIsAdvice: { kind: 'flag' },
  dueHours: { kind: 'number', integer: true, min: 1, max: DUE_HOURS_MAX, optional: true },
  familyNameIndex: { kind: 'flag' },
  warningsInDetails: { kind: 'flag' },
};

/** Finds the issues that the fields do not express: a client cannot go below the minimum age of the installation. */
export function flowSettingsIssues(
  input: unknown,
  installation: { readonly minimumAge: number },
): readonly Issue[] {
  const minimumAge = valueAt(input, ['minimumAge']);
  if (typeof minimumAge !== 'number' || minimumAge >= installation.minimumAge) return [];
  const limit = installation.minimumAge;
  return [{ path: 'minimumAge', message: `must be at least ${limit}`, code: 'too_small', limit }];
}

/** Returns the settings that an accepted input means. */
export function flowSettingsOfInput(input: FlowSettingsInput): FlowSettings {
  const { minimumAge = null, linkDays = null, decisionWithin = null, dueHours = null, ...flags } = input;
  return { ...flags, minimumAge, linkDays, decisionWithin, dueHours };
}
