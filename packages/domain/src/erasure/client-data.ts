import { z } from 'zod';
import { requirePermission } from '../access/api-key.ts';
import type { Principal } from '../access/authenticate.ts';
import { invalidParameters } from '../errors.ts';
import { parseInput } from '../input/parse.ts';
import { type DataState, dataStateOf } from '../retention/data-state.ts';
import type { Clock } from '../runtime.ts';
import { type RulesOf, retainedOf } from '../verification/retained.ts';
import type { ChangeRetained } from './change-retained.ts';
import type { EraseVerification } from './erase-verification.ts';
import { endRelationship } from './moves.ts';

/** The end of the client's relationship with a subject. */
export interface RelationshipEnd {
  /** A date and time in ISO 8601 with an offset or `Z`. Null: the relationship has not ended. */
  readonly endedAt: string | null;
}

/** The schema of the body that sets it: the HTTP interface describes the request by it. */
export const relationshipEndSchema: z.ZodType<RelationshipEnd> = z.strictObject({
  endedAt: z.iso.datetime({ offset: true }).nullable().meta({
    description:
      'When the relationship ended, with an offset or `Z`: at most a day ahead. Null takes it back: the relationship goes on.',
  }),
});

/** The operations of API keys on how long data is kept. Another client's verification is not found. */
export interface ClientData {
  /**
   * Sets when the client's relationship with the subject ended: the retention of an approved verification begins then. Setting the
   * same moment again changes nothing.
   * @returns what holds of the data now
   * @throws CountersignError `INSUFFICIENT_PERMISSIONS`, `INVALID_PARAMETERS`, `VERIFICATION_NOT_FOUND`, `ILLEGAL_TRANSITION`,
   * `EVENT_LIMIT_REACHED`, `VERSION_CONFLICT`
   */
  endRelationship(principal: Principal, verificationId: string, input: unknown): Promise<DataState>;
  /**
   * Erases the data of a verification, or hides it until the law allows that. Needs the permission `*`. Requests after the first
   * change nothing.
   * @param options.withdraw withdraws the verification first if the subject still has to work on it. Without it, an open one is
   * refused
   * @returns what holds of the data now
   * @throws CountersignError `INSUFFICIENT_PERMISSIONS`, `VERIFICATION_NOT_FOUND`, `ILLEGAL_TRANSITION`, `VERSION_CONFLICT`
   */
  eraseData(
    principal: Principal,
    verificationId: string,
    options?: { readonly withdraw?: boolean | undefined },
  ): Promise<DataState>;
}

/** Some databases have no year 0. */
const EARLIEST = new Date(0);

/** How far the end of a relationship may lie ahead: clocks and time zones differ. */
const AHEAD_MS = 24 * 60 * 60 * 1000;

export function createClientData(ports: {
  change: ChangeRetained;
  request: EraseVerification['request'];
  rulesOf: RulesOf;
  clock: Clock;
}): ClientData {
  const { change, request, rulesOf, clock } = ports;

  return {
    async endRelationship({ permissions, clientId, keyId }, verificationId, input) {
      requirePermission(permissions, 'verifications:create');
      const endedAt = endIn(input, clock.now());
      const actor = { kind: 'api_key', id: keyId } as const;
      const changed = await change({ clientId, verificationId }, actor, (verification, now) =>
        endRelationship(verification, endedAt, now),
      );
      return dataStateOf(retainedOf(changed), await rulesOf(clientId), clock.now());
    },

    async eraseData({ permissions, clientId, keyId }, verificationId, { withdraw = false } = {}) {
      requirePermission(permissions, '*');
      return request({ clientId, verificationId }, { actor: { kind: 'api_key', id: keyId }, withdraw });
    },
  };
}

/** @throws CountersignError `INVALID_PARAMETERS` */
function endIn(input: unknown, now: Date): Date | null {
  const { endedAt } = parseInput(relationshipEndSchema, input);
  if (endedAt === null) return null;
  const moment = new Date(endedAt);
  const latest = new Date(now.getTime() + AHEAD_MS);
  if (moment >= EARLIEST && moment <= latest) return moment;
  const message = `must be a time from ${EARLIEST.toISOString()} to ${latest.toISOString()}`;
  throw invalidParameters([{ path: 'endedAt', message, code: 'invalid' }]);
}
