import { END_RELATIONSHIP_ACTION, ERASE_ACTION } from '../audit/audit-entry.ts';
import type { ClientRetentionPolicy } from '../erasure/manage-retention.ts';
import type { RetentionReport } from '../erasure/retention-report.ts';
import type { Issue } from '../errors.ts';
import type { TextField } from '../fields/field.ts';
import type { JsonObject } from '../input/json.ts';
import { valueAt } from '../input/parse.ts';
import type { DataState } from '../retention/data-state.ts';
import { RETENTION_PERIODS, type RetentionPolicy, retentionPolicyFields } from '../retention/policy.ts';
import type { Month } from '../subscription/monthly-limit.ts';
import { messageField } from '../verification/decision.ts';
import { type HoldInput, holdFields } from '../verification/hold.ts';
import type { VerificationDetails } from '../verification/views.ts';
import { type Action, defineAction } from './action.ts';
import { managedVerification, teamOf } from './caller.ts';
import { OPERATORS, RETENTION_MANAGERS } from './rights.ts';
import {
  aboutClient,
  aboutVerification,
  clientField,
  clientRead,
  type OnClient,
  type OnVerification,
  plainRead,
  verificationField,
} from './targets.ts';

/** Refusals of each change of one verification. */
const REFUSALS = ['VERIFICATION_NOT_FOUND', 'ILLEGAL_TRANSITION', 'VERSION_CONFLICT'] as const;

/** Puts a verification on hold: it is not erased before the hold ends or is released. The audit log does not keep the reason. */
export const holdVerification: Action<OnVerification & HoldInput, DataState> = defineAction({
  id: 'retention.hold',
  needs: ['retention'],
  who: RETENTION_MANAGERS,
  reauthenticate: true,
  fields: { ...verificationField, ...holdFields },
  audit: { ...aboutVerification, keep: ['until'] },
  outcomes: [...REFUSALS, 'HELD_BY_OPERATOR', 'EVENT_LIMIT_REACHED'],
  run: async (services, { verificationId, ...input }, caller) =>
    services.retention.hold(await managedVerification(services, { verificationId }, caller), input),
});

/** Releases a hold before its end. */
export const releaseVerificationHold: Action<OnVerification, DataState> = defineAction({
  id: 'retention.release_hold',
  needs: ['retention'],
  who: RETENTION_MANAGERS,
  reauthenticate: true,
  fields: verificationField,
  audit: aboutVerification,
  outcomes: [...REFUSALS, 'HELD_BY_OPERATOR', 'EVENT_LIMIT_REACHED'],
  run: async (services, input, caller) =>
    services.retention.releaseHold(await managedVerification(services, input, caller)),
});

/** Sets when the client's relationship with the subject of an approved verification ended. Without a time, removes the end. */
export const endVerificationRelationship: Action<
  OnVerification & { readonly endedAt?: string | undefined },
  DataState
> = defineAction({
  id: END_RELATIONSHIP_ACTION,
  needs: ['retention'],
  who: [{ right: 'manage_verifications' }, ...OPERATORS],
  fields: { ...verificationField, endedAt: { kind: 'timestamp', optional: true } },
  audit: { ...aboutVerification, keep: ['endedAt'] },
  outcomes: [...REFUSALS, 'EVENT_LIMIT_REACHED'],
  run: async (services, { endedAt = null, ...input }, caller) =>
    services.retention.endRelationship(await managedVerification(services, input, caller), endedAt),
});

/**
 * Erases the data of a verification, or hides it until the law and its hold allow that. Requests after the first change nothing.
 * With `withdraw`, an open verification is withdrawn first; without it, one is refused.
 */
export const eraseVerificationData: Action<
  OnVerification & { readonly withdraw?: boolean | undefined },
  DataState
> = defineAction({
  id: ERASE_ACTION,
  needs: ['retention'],
  who: RETENTION_MANAGERS,
  reauthenticate: true,
  fields: { ...verificationField, withdraw: { kind: 'flag', optional: true } },
  audit: { ...aboutVerification, keep: ['withdraw'] },
  outcomes: [...REFUSALS],
  run: async (services, { withdraw = false, ...input }, caller) =>
    services.retention.erase(await managedVerification(services, input, caller), { withdraw }),
});

/**
 * Opens a verification whose data is hidden, because its erasure was requested, for an owner who gives a reason. The reason is kept
 * with the verification until it is erased, and never in the audit log.
 */
export const openRestrictedData: Action<OnVerification & { readonly reason: string }, VerificationDetails> =
  defineAction({
    id: 'retention.open_restricted',
    needs: ['retention'],
    who: [{ right: 'manage_retention' }],
    fields: { ...verificationField, reason: messageField },
    audit: aboutVerification,
    outcomes: [...REFUSALS, 'EVENT_LIMIT_REACHED'],
    run: async (services, { reason, ...input }, caller) =>
      services.retention.openRestricted(await managedVerification(services, input, caller), reason),
  });

/** Reads how long the data of the caller's client is kept. */
export const readOwnRetentionPolicy: Action<object, ClientRetentionPolicy> = defineAction({
  id: 'retention.own_policy',
  needs: ['retention'],
  who: [{ right: 'manage_retention' }],
  liveOnly: true,
  ...plainRead,
  run: ({ retention }, _input, caller) => retention.policyOf(teamOf(caller).clientId),
});

/** Reads how long the data of any client is kept. */
export const readRetentionPolicy: Action<OnClient, ClientRetentionPolicy> = defineAction({
  id: 'retention.policy',
  needs: ['retention'],
  who: OPERATORS,
  ...clientRead,
  run: ({ retention }, { clientId }) => retention.policyOf(clientId),
});

/** A client's own policy, whole, or the return to the installation's default. */
export type SetRetentionPolicyInput = { readonly [K in keyof RetentionPolicy]?: string | undefined } & {
  readonly clientId: string;
  /** Removes the client's own policy. */
  readonly useDefault?: boolean | undefined;
};

/** Replaces the policy of any client. A period under the floor is refused. */
export const setRetentionPolicy: Action<SetRetentionPolicyInput, ClientRetentionPolicy> = defineAction({
  id: 'retention.set_policy',
  needs: ['retention'],
  who: OPERATORS,
  reauthenticate: true,
  fields: {
    ...clientField,
    ...optionalFields(retentionPolicyFields),
    useDefault: { kind: 'flag', optional: true },
  },
  check: policyIssues,
  audit: { ...aboutClient, keep: ['useDefault'], detail: periodsOf },
  outcomes: ['CLIENT_NOT_FOUND'],
  run: ({ retention }, { clientId, useDefault, ...policy }) =>
    // `check` has found every period.
    retention.setPolicy(clientId, useDefault === true ? null : (policy as RetentionPolicy)),
});

const MONTH = /^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])$/;

/** A calendar month in UTC. */
const monthField: TextField = {
  kind: 'text',
  max: 'YYYY-MM'.length,
  check: { test: (text) => MONTH.test(text), code: 'invalid', message: 'must be a month such as 2026-11' },
};

/** Reads what was erased of the verifications of the caller's client in a month. */
export const readOwnRetentionReport: Action<{ readonly month: Month }, RetentionReport> = defineAction({
  id: 'retention.own_report',
  needs: ['retention'],
  who: [{ right: 'manage_retention' }],
  liveOnly: true,
  fields: { month: monthField },
  audit: { detail: ({ month }) => ({ month }) },
  run: ({ retention }, { month }, caller) => retention.report(teamOf(caller).clientId, month),
});

/** Reads what was erased of the verifications of any client in a month. */
export const readRetentionReport: Action<OnClient & { readonly month: Month }, RetentionReport> = defineAction({
  id: 'retention.report',
  needs: ['retention'],
  who: OPERATORS,
  fields: { ...clientField, month: monthField },
  audit: { ...aboutClient, detail: ({ month }) => ({ month }) },
  outcomes: ['CLIENT_NOT_FOUND'],
  run: ({ retention }, { clientId, month }) => retention.report(clientId, month),
});

type Optional<F> = { readonly [K in keyof F]: F[K] & { readonly optional: true } };

function optionalFields<F extends Readonly<Record<string, object>>>(fields: F): Optional<F> {
  const optional = Object.entries(fields).map(([key, field]) => [key, { ...field, optional: true }]);
  return Object.fromEntries(optional) as Optional<F>;
}

/** A policy is set whole, so that two changes at once cannot mix. */
function policyIssues(input: unknown): readonly Issue[] {
  const usesDefault = valueAt(input, ['useDefault']) === true;
  return RETENTION_PERIODS.flatMap((path): Issue[] => {
    const isGiven = valueAt(input, [path]) !== undefined;
    if (isGiven !== usesDefault) return [];
    return usesDefault
      ? [{ path, message: 'must be left out with the default policy', code: 'unknown_field' }]
      : [{ path, message: 'is required', code: 'required' }];
  });
}

/** The periods of an accepted input: durations, no free text. */
function periodsOf(input: SetRetentionPolicyInput): JsonObject {
  return Object.fromEntries(
    RETENTION_PERIODS.flatMap((period) => {
      const value = input[period];
      return value === undefined ? [] : [[period, value]];
    }),
  );
}
