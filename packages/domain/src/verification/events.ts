import type { JsonObject } from '../json.ts';
import type { Actor } from './actor.ts';
import type { Status } from './status.ts';
import type { Verification } from './verification.ts';

/** What can happen to a verification. */
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
  'verification.link_renewed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What happened, as a transition tells it. `data` never holds personal data: events go out as webhooks. */
export interface Happening {
  readonly type: EventType;
  readonly data: JsonObject;
}

/** One entry of the history, which is audit trail and webhook outbox too. Never changed once written. */
export interface VerificationEvent extends Happening {
  readonly id: string;
  readonly clientId: string;
  readonly verificationId: string;
  /** The version of the verification that this brought about. */
  readonly version: number;
  /** The status after it. */
  readonly status: Status;
  readonly at: Date;
  readonly actor: Actor;
}

/** The event of a happening that brought about this state of the verification. */
export function eventOf(
  verification: Verification,
  happening: Happening,
  { id, at, actor }: { id: string; at: Date; actor: Actor },
): VerificationEvent {
  const { clientId, id: verificationId, version, status } = verification;
  return { id, clientId, verificationId, version, status, at, actor, ...happening };
}

/** One change of status, as a client sees it. */
export interface HistoryEntry {
  readonly status: Status;
  readonly at: Date;
  readonly actor: Actor['kind'];
}

/** The changes of status among events that lie in the order of their versions. */
export function historyOf(events: readonly VerificationEvent[]): HistoryEntry[] {
  const changes = events.filter(({ status }, index) => index === 0 || events[index - 1]?.status !== status);
  return changes.map(({ status, at, actor }) => ({ status, at, actor: actor.kind }));
}
