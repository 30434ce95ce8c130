import type { TeamRole } from './team-role.ts';

/** What people who sign in may do: staff of a client, reviewers, operators. Subjects do not sign in. */
export const STAFF_ROLES = ['client', 'reviewer', 'operator'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** A person who signs in. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: StaffRole;
  /** The client that somebody with the role `client` belongs to; null for all others. */
  readonly clientId: string | null;
  /** What somebody with the role `client` may do there; null for all others. */
  readonly teamRole: TeamRole | null;
}
