import { CountersignError } from '../errors.ts';

/** The five statuses of a verification (interface, States and transitions). */
export const STATUSES = ['pending', 'submitted', 'action_needed', 'approved', 'rejected'] as const;
/** The status of a verification: one of `STATUSES`. */
export type Status = (typeof STATUSES)[number];

/** Statuses of an active verification: it prevents a second one for its subject. */
export const ACTIVE_STATUSES = ['pending', 'submitted', 'action_needed'] as const;
/** The status of an active verification: one of `ACTIVE_STATUSES`. */
export type ActiveStatus = (typeof ACTIVE_STATUSES)[number];

/** The statuses that test mode drives a verification out of. */
export const DRIVEN_STATUSES: readonly Status[] = ['pending', 'submitted'];

/** Whether a verification with this status prevents a second one for its subject. */
export function isActive(status: Status): status is ActiveStatus {
  return (ACTIVE_STATUSES as readonly Status[]).includes(status);
}

/** The legal moves: for each, the statuses it may start from and where it leads. */
const MOVES = {
  saveDraft: { pending: 'pending', action_needed: 'action_needed' },
  attachFile: { pending: 'pending', action_needed: 'action_needed' },
  completeStep: { pending: 'pending', action_needed: 'action_needed' },
  submit: { pending: 'submitted', action_needed: 'submitted' },
  claim: { submitted: 'submitted' },
  release: { submitted: 'submitted' },
  note: { pending: 'pending', submitted: 'submitted', action_needed: 'action_needed' },
  approve: { submitted: 'approved' },
  reject: { submitted: 'rejected' },
  askForAction: { submitted: 'action_needed' },
  withdraw: { pending: 'rejected', action_needed: 'rejected' },
  expire: { pending: 'rejected', action_needed: 'rejected' },
  renewLink: { pending: 'pending', action_needed: 'action_needed' },
  // These change what is kept of a verification, and leave its status as it is.
  endRelationship: { approved: 'approved' },
  dropReplacedUploads: {
    pending: 'pending',
    submitted: 'submitted',
    action_needed: 'action_needed',
    approved: 'approved',
    rejected: 'rejected',
  },
  hold: {
    pending: 'pending',
    submitted: 'submitted',
    action_needed: 'action_needed',
    approved: 'approved',
    rejected: 'rejected',
  },
  releaseHold: {
    pending: 'pending',
    submitted: 'submitted',
    action_needed: 'action_needed',
    approved: 'approved',
    rejected: 'rejected',
  },
  requestErasure: { approved: 'approved', rejected: 'rejected' },
  startErasure: { approved: 'approved', rejected: 'rejected' },
  openRestricted: { approved: 'approved', rejected: 'rejected' },
} as const;

/** A move of a verification, from the statuses that allow it to the next one. */
export type Move = keyof typeof MOVES;

/** Statuses from which a move is legal. */
export type MovesFrom<M extends Move> = keyof (typeof MOVES)[M] & Status;

const TARGETS: Readonly<Record<Move, Partial<Record<Status, Status>>>> = MOVES;

/** Returns the status after a move, or null if the move is not legal. */
export function targetOf(move: Move, from: Status): Status | null {
  return TARGETS[move][from] ?? null;
}

/** The statuses in which a verification expires when its subject does nothing. */
export const EXPIRING_STATUSES: readonly Status[] = STATUSES.filter(
  (status) => targetOf('expire', status) !== null,
);

/** The statuses in which the subject can answer. */
export const ANSWERABLE_STATUSES: readonly Status[] = STATUSES.filter(
  (status) => targetOf('saveDraft', status) !== null,
);

/** Whether the move is legal: no move is once the erasure has begun. */
export function isLegalMove(move: Move, { status, erasedAt }: MovedVerification): boolean {
  return erasedAt === null && targetOf(move, status) !== null;
}

/** What the moves of a verification depend on. */
interface MovedVerification {
  readonly status: Status;
  readonly erasedAt: Date | null;
}

/**
 * Requires that the move is legal, and narrows the verification to the statuses from which it is.
 * @throws CountersignError `ILLEGAL_TRANSITION`
 */
export function requireMove<M extends Move, V extends MovedVerification>(
  move: M,
  verification: V,
): asserts verification is Extract<V, { readonly status: MovesFrom<M> }> {
  checkMove(move, verification);
}

/** Requires that the move is legal. @throws CountersignError `ILLEGAL_TRANSITION` */
export function checkMove(move: Move, verification: MovedVerification): void {
  if (isLegalMove(move, verification)) return;
  const { status, erasedAt } = verification;
  const message =
    erasedAt === null
      ? `This is not possible while the verification is ${status}. Read the verification again.`
      : 'The data of this verification was erased. It cannot be changed any more.';
  throw new CountersignError('ILLEGAL_TRANSITION', message, { data: { status } });
}

/** Number of verifications in each status. */
export type StatusCounts = Readonly<Record<Status, number>>;

/** Completes counts by status, as a database groups them: a status without any has 0. */
export function statusCounts(counted: Iterable<readonly [status: string, count: number]>): StatusCounts {
  const counts = new Map(counted);
  return Object.fromEntries(STATUSES.map((status) => [status, counts.get(status) ?? 0])) as Record<Status, number>;
}
