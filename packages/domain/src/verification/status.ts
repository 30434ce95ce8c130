import { CountersignError } from '../errors.ts';

/** The five states of a verification (interface, States and transitions). */
export const STATUSES = ['pending', 'submitted', 'action_needed', 'approved', 'rejected'] as const;
export type Status = (typeof STATUSES)[number];

/** States in which a verification stands in the way of another one for the same subject. */
export const ACTIVE_STATUSES = ['pending', 'submitted', 'action_needed'] as const;
export type ActiveStatus = (typeof ACTIVE_STATUSES)[number];

/** Whether a verification in this state still blocks a second one for its subject. */
export function isActive(status: Status): status is ActiveStatus {
  return (ACTIVE_STATUSES as readonly Status[]).includes(status);
}

/** The only legal moves: from which states each may be made, and where it leads. Anything else is refused. */
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
  renewLink: { pending: 'pending', action_needed: 'action_needed' },
} as const;

export type Move = keyof typeof MOVES;

/** States from which a move is legal. */
export type MovesFrom<M extends Move> = keyof (typeof MOVES)[M] & Status;

const TARGETS: Readonly<Record<Move, Partial<Record<Status, Status>>>> = MOVES;

/** Where a move leads from a state, or null where it is not legal. */
export function targetOf(move: Move, from: Status): Status | null {
  return TARGETS[move][from] ?? null;
}

/**
 * Narrows a verification to the states from which the move is legal.
 * @throws CountersignError `ILLEGAL_TRANSITION`
 */
export function requireMove<M extends Move, V extends { readonly status: Status }>(
  move: M,
  verification: V,
): asserts verification is Extract<V, { readonly status: MovesFrom<M> }> {
  if (targetOf(move, verification.status) !== null) return;
  throw new CountersignError(
    'ILLEGAL_TRANSITION',
    `Not possible while the verification is ${verification.status}`,
    {
      data: { status: verification.status },
    },
  );
}
