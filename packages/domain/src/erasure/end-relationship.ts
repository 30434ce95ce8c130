import { z } from 'zod';
import { invalidParameters } from '../errors.ts';
import { parseInput } from '../input/parse.ts';
import { type DataState, dataStateOf, type WithPause } from '../retention/data-state.ts';
import type { Clock } from '../runtime.ts';
import type { Actor } from '../verification/events.ts';
import { type RulesOf, retainedOf } from '../verification/retained.ts';
import { type ChangeRetained, endRelationship } from './moves.ts';
import type { VerificationPlace } from './retention-repository.ts';

/** The end of the client's relationship with a subject. */
export interface RelationshipEnd {
  /** A date and time in ISO 8601 with an offset or `Z`. Null: the relationship has not ended. */
  readonly endedAt: string | null;
}

/** The schema of the body that sets it: the HTTP interface describes the request by it. */
export const relationshipEndSchema: z.ZodType<RelationshipEnd> = z.strictObject({
  endedAt: z.iso.datetime({ offset: true }).nullable().meta({
    description:
      'When the relationship ended, with an offset or `Z`: at most a day ahead. Null removes it: the relationship continues.',
  }),
});

/**
 * Sets when the client's relationship with the subject ended; null removes the end. The retention of an approved verification begins
 * then. Setting the same moment again changes nothing.
 * @returns the state of the data now
 * @throws CountersignError `VERIFICATION_NOT_FOUND`, `ILLEGAL_TRANSITION`, `EVENT_LIMIT_REACHED`, `VERSION_CONFLICT`
 */
export type EndRelationship = (place: VerificationPlace, actor: Actor, endedAt: Date | null) => Promise<DataState>;

export function createEndRelationship(ports: {
  change: ChangeRetained;
  rulesOf: RulesOf;
  withPause: WithPause;
  clock: Clock;
}): EndRelationship {
  const { change, rulesOf, withPause, clock } = ports;
  return async (place, actor, endedAt) => {
    const changed = await change(place, actor, (verification, now) => endRelationship(verification, endedAt, now));
    const now = clock.now();
    return withPause(dataStateOf(retainedOf(changed), await rulesOf(place.clientId), now), now);
  };
}

/** Some databases have no year 0. */
const EARLIEST = new Date(0);

/** How far the end of a relationship may lie ahead: clocks and time zones differ. */
const AHEAD_MS = 24 * 60 * 60 * 1000;

/** Parses an untrusted `RelationshipEnd`. @throws CountersignError `INVALID_PARAMETERS` */
export function parseRelationshipEnd(input: unknown, now: Date): Date | null {
  const { endedAt } = parseInput(relationshipEndSchema, input);
  if (endedAt === null) return null;
  const moment = new Date(endedAt);
  const latest = new Date(now.getTime() + AHEAD_MS);
  if (moment >= EARLIEST && moment <= latest) return moment;
  const message = `must be a time from ${EARLIEST.toISOString()} to ${latest.toISOString()}`;
  throw invalidParameters([{ path: 'endedAt', message, code: 'invalid' }]);
}
