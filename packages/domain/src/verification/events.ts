import type { JsonObject } from '../input/json.ts';
import type { Status } from './status.ts';
import type { Verification } from './verification.ts';

/** Every type of event of a verification. */
export const EVENT_TYPES = [
  'verification.created',
  'verification.file_attached',
  'verification.step_completed',
  'verification.submitted',
  'verification.claimed',
  'verification.released',
  'verification.noted',
  'verification.action_requested',
  'verification.approved',
  'verification.rejected',
  'verification.withdrawn',
  'verification.expired',
  'verification.link_renewed',
  'verification.relationship_ended',
  'verification.held',
  'verification.hold_released',
  'verification.erasure_requested',
  'verification.data_erased',
] as const;
/** The type of an event: one of `EVENT_TYPES`. */
export type EventType = (typeof EVENT_TYPES)[number];

/** The types of events that change the status. Clients read only these, as the history. */
export const STATUS_EVENT_TYPES: readonly EventType[] = [
  'verification.created',
  'verification.submitted',
  'verification.action_requested',
  'verification.approved',
  'verification.rejected',
  'verification.withdrawn',
  'verification.expired',
];

/** The types of events that change the status after the creation. */
export const LATER_STATUS_EVENT_TYPES: readonly EventType[] = STATUS_EVENT_TYPES.filter(
  (type) => type !== 'verification.created',
);

/** A type of event that decides a verification. */
export type DecidingEventType = Extract<
  EventType,
  'verification.approved' | 'verification.rejected' | 'verification.withdrawn' | 'verification.expired'
>;

/** The types of events that decide a verification. It has one such event at most. */
export const DECIDING_EVENT_TYPES: readonly DecidingEventType[] = [
  'verification.approved',
  'verification.rejected',
  'verification.withdrawn',
  'verification.expired',
];

/** The part of an event that a transition decides. `data` never holds personal data: events are sent as webhooks. */
export interface EventDraft {
  readonly type: EventType;
  readonly data: JsonObject;
}

/**
 * One entry of the history, and what webhooks tell of it. Never changed once written, but its `data` is emptied when the
 * verification is erased; only an event that answers a step again deletes the one before it.
 */
export interface VerificationEvent extends EventDraft {
  readonly id: string;
  readonly clientId: string;
  readonly verificationId: string;
  /** The version of the verification after the event. */
  readonly version: number;
  /** The status after the event. */
  readonly status: Status;
  readonly at: Date;
  readonly actor: Actor;
}

/** Makes the event that led to this state of the verification. */
export function eventOf(
  verification: Verification,
  draft: EventDraft,
  { id, at, actor }: { id: string; at: Date; actor: Actor },
): VerificationEvent {
  const { clientId, id: verificationId, version, status } = verification;
  return { id, clientId, verificationId, version, status, at, actor, ...draft };
}

/** A change of status in the history that clients read. */
export interface HistoryEntry {
  readonly status: Status;
  readonly at: Date;
  /** `client`: an API key of the client or a user of its team. */
  readonly actor: Exclude<Actor['kind'], ClientActor> | 'client';
}

/** Makes the history of the events that changed the status, in the order of their versions. */
export function historyOf(changes: readonly VerificationEvent[]): HistoryEntry[] {
  return changes.map(({ status, at, actor }) => ({ status, at, actor: publicKind(actor) }));
}

type ClientActor = 'api_key' | 'team_member';

function publicKind({ kind }: Actor): HistoryEntry['actor'] {
  return kind === 'api_key' || kind === 'team_member' ? 'client' : kind;
}

/** Kinds of authors of a change. */
export const ACTOR_KINDS = ['api_key', 'team_member', 'subject', 'reviewer', 'operator', 'system'] as const;

/** The author of a change to a verification. */
export interface Actor {
  readonly kind: (typeof ACTOR_KINDS)[number];
  /** Id of the API key or user; null for `subject`, `system` and operators at the command line. Never sent to clients. */
  readonly id: string | null;
}
