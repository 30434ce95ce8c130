import { CountersignError, invalidParameters } from '../errors.ts';
import type { Fields } from '../fields/field.ts';
import { typedSchemaOf } from '../fields/schema.ts';
import { parseInput } from '../input/parse.ts';
import { isHidden } from '../retention/data-state.ts';
import { messageField, parseInternalNote } from './decision.ts';
import { requireMove } from './status.ts';
import { event, type QuietTransition, type Transition } from './transition.ts';
import type { Verification } from './verification.ts';

/** What a user enters to put a verification on hold. */
export interface HoldInput {
  /** Why the data must not be erased. Owners, reviewers and operators see it; the API and the subject never do. */
  readonly reason: string;
  /** When the hold ends by itself: ISO 8601 in UTC. Default: it has no end. */
  readonly until?: string | undefined;
}

/** Fields of `HoldInput`. */
export const holdFields: Fields<HoldInput> = {
  reason: messageField,
  until: { kind: 'timestamp', optional: true },
};

const holdSchema = typedSchemaOf<HoldInput>(holdFields);

/** The user and the time. The command line has no user. */
interface Acting {
  readonly userId: string | null;
  readonly now: Date;
}

/**
 * Puts a verification on hold: it is not erased before the hold ends or is released. A hold replaces the one before it. Null if that
 * has the same reason and end. The event does not contain the reason.
 * @throws CountersignError `INVALID_PARAMETERS`, `ILLEGAL_TRANSITION`, `EVENT_LIMIT_REACHED`
 */
export function hold(verification: Verification, input: unknown, { userId, now }: Acting): Transition | null {
  requireMove('hold', verification);
  const { reason, until } = parseInput(holdSchema, input);
  const heldUntil = until === undefined ? null : new Date(until);
  if (heldUntil !== null && heldUntil <= now)
    throw invalidParameters([{ path: 'until', message: 'must be in the future', code: 'invalid' }]);
  const isSame =
    verification.hold?.reason === reason && verification.heldUntil?.getTime() === heldUntil?.getTime();
  if (verification.heldAt !== null && isSame) return null;
  const isDecided = 'resolvedAt' in verification;
  return {
    next: {
      ...verification,
      version: verification.version + 1,
      hold: { reason },
      heldAt: now,
      heldBy: userId,
      heldUntil,
      retentionCheckAt: isDecided ? heldUntil : null,
    },
    event: event('verification.held', { until: heldUntil?.toISOString() ?? null }),
  };
}

/** Most openings of one verification: each is kept with it. */
export const MAX_OPENINGS = 200;

/**
 * Notes that a user opens data that is hidden, and why. The note is kept with the verification until it is erased.
 * @throws CountersignError `INVALID_PARAMETERS`, `ILLEGAL_TRANSITION` also if nothing is hidden, `EVENT_LIMIT_REACHED`
 */
export function openRestricted(
  verification: Verification,
  input: unknown,
  { userId, now }: Acting,
): QuietTransition {
  requireMove('openRestricted', verification);
  if (!isHidden(verification)) {
    const { status } = verification;
    const message = 'The data of this verification is not restricted. Read it as usual.';
    throw new CountersignError('ILLEGAL_TRANSITION', message, { data: { status } });
  }
  if (verification.openings.length >= MAX_OPENINGS) throw new CountersignError('EVENT_LIMIT_REACHED');
  const opening = { reason: parseInternalNote(input), userId, at: now.toISOString() };
  const openings = [...verification.openings, opening];
  return { next: { ...verification, version: verification.version + 1, openings }, event: null };
}
