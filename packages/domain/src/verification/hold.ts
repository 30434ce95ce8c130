import { CountersignError, invalidParameters } from '../errors.ts';
import type { Fields } from '../fields/field.ts';
import { typedSchemaOf } from '../fields/schema.ts';
import { parseInput } from '../input/parse.ts';
import { isHeld, isHidden } from '../retention/data-state.ts';
import { messageField, parseInternalNote } from './decision.ts';
import type { Actor } from './events.ts';
import { isLegalMove, requireMove } from './status.ts';
import { changed, event, type QuietTransition, quietly, type Transition } from './transition.ts';
import type { Hold, Verification } from './verification.ts';

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

/** Someone who may set a hold, and the time. */
interface Holding {
  readonly actor: Actor & { readonly kind: Hold['setBy'] };
  readonly now: Date;
}

/**
 * Most holds that the team of the client sets while a verification is open. Each has an event, and its release another: they leave room for
 * what the subject and the reviewers still have to do.
 */
export const MAX_OPEN_HOLDS = 100;

/**
 * Puts a verification on hold: it is not erased before the hold ends or is released. A hold replaces the one before it. Null if that
 * has the same reason and end, unless an operator replaces a hold of the team. The event does not contain the reason.
 * @throws CountersignError `INVALID_PARAMETERS`, `ILLEGAL_TRANSITION`, `HELD_BY_OPERATOR`, `EVENT_LIMIT_REACHED` also for the team after
 *   `MAX_OPEN_HOLDS`
 */
export function hold(verification: Verification, input: unknown, { actor, now }: Holding): Transition | null {
  requireMove('hold', verification);
  refuseHoldOfOperator(verification, { actor, now });
  const { reason, until } = parseInput(holdSchema(), input);
  const heldUntil = until === undefined ? null : new Date(until);
  if (heldUntil !== null && heldUntil <= now)
    throw invalidParameters([{ path: 'until', message: 'must be in the future', code: 'invalid' }]);
  const isSame =
    verification.hold?.reason === reason &&
    verification.hold.setBy === actor.kind &&
    verification.heldUntil?.getTime() === heldUntil?.getTime();
  if (verification.heldAt !== null && isSame) return null;
  const isDecided = 'resolvedAt' in verification;
  const holdsOfTeam = holdsOfTeamAfter(verification, actor);
  if (!isDecided && holdsOfTeam > MAX_OPEN_HOLDS) throw new CountersignError('EVENT_LIMIT_REACHED');
  const changes = {
    hold: { reason, setBy: actor.kind, ...(holdsOfTeam > 0 && { holdsOfTeam }) },
    heldAt: now,
    heldBy: actor.id,
    heldUntil,
    retentionCheckAt: isDecided ? heldUntil : null,
  };
  const data = { until: heldUntil?.toISOString() ?? null };
  return changed({ ...verification, ...changes }, event('verification.held', data));
}

/**
 * Releases a hold for someone who may be refused it. Null without a hold.
 * @throws CountersignError `ILLEGAL_TRANSITION`, `HELD_BY_OPERATOR`, `EVENT_LIMIT_REACHED`
 */
export function releaseHoldBy(verification: Verification, { actor, now }: Holding): Transition | null {
  requireMove('releaseHold', verification);
  if (verification.heldAt === null) return null;
  refuseHoldOfOperator(verification, { actor, now });
  const retentionCheckAt = 'resolvedAt' in verification ? now : null;
  return changed({ ...verification, ...NO_HOLD, retentionCheckAt }, event('verification.hold_released'));
}

/** Counts the holds of the team. A decided verification has room for any number. */
function holdsOfTeamAfter(verification: Verification, { kind }: Holding['actor']): number {
  const before = verification.hold?.holdsOfTeam ?? 0;
  return kind === 'team_member' && !('resolvedAt' in verification) ? before + 1 : before;
}

/** The facts of a verification without a hold. */
export const NO_HOLD = { heldAt: null, heldBy: null, heldUntil: null } as const;

/** Whether an operator set the hold that prevents the erasure now. */
function isHeldByOperator(verification: Verification, now: Date): boolean {
  const { hold: current } = verification;
  return isHeld(verification, now) && current !== null && current.setBy !== 'team_member';
}

function refuseHoldOfOperator(verification: Verification, { actor, now }: Holding): void {
  if (actor.kind !== 'operator' && isHeldByOperator(verification, now))
    throw new CountersignError('HELD_BY_OPERATOR');
}

/** Most openings of one verification: each is kept with it. */
export const MAX_OPENINGS = 200;

/** How long an opening lets its user read the files, in milliseconds. */
export const OPENING_MS: number = 15 * 60 * 1000;

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
  return quietly({ ...verification, openings });
}

/** Whether the user opened data that is hidden, and not erased, with a reason in the last 15 minutes. */
export function isOpenedBy(verification: Verification, { userId, now }: Acting): boolean {
  if (!isLegalMove('openRestricted', verification)) return false;
  return verification.openings.some((opening) => {
    const age = now.getTime() - new Date(opening.at).getTime();
    // After a clock was set back, an opening does not hold for longer.
    return opening.userId === userId && userId !== null && -OPENING_MS < age && age < OPENING_MS;
  });
}
