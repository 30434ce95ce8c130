/** Roles of users: staff of a client, reviewers, operators. Subjects do not sign in. */
export const STAFF_ROLES = ['client', 'reviewer', 'operator'] as const;
/** The role of a user: one of `STAFF_ROLES`. */
export type StaffRole = (typeof STAFF_ROLES)[number];

/** Roles of users who work for the service, not for a client. */
export const SERVICE_ROLES: readonly ['reviewer', 'operator'] = ['reviewer', 'operator'];
/** A role of a user who works for the service: one of `SERVICE_ROLES`. */
export type ServiceRole = (typeof SERVICE_ROLES)[number];

/**
 * Roles in a client's team. `owner`: everything, API keys and the team included. `agent`: verifications and submitted
 * data. `viewer`: the list and the usage, no submitted data.
 */
export const TEAM_ROLES = ['owner', 'agent', 'viewer'] as const;
/** A role in a client's team: one of `TEAM_ROLES`. */
export type TeamRole = (typeof TEAM_ROLES)[number];

/** A person who signs in. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: StaffRole;
  /** The client of a user with the role `client`; null for all others. */
  readonly clientId: string | null;
  /** The role in the team of that client; null for all others. */
  readonly teamRole: TeamRole | null;
}

/** Whether users with this role belong to a client and its team. All others work for the service. */
export function belongsToClient(role: StaffRole): role is Exclude<StaffRole, ServiceRole> {
  return role === 'client';
}

/** A user as a database returns it. */
export interface StoredUser extends Omit<User, 'role' | 'teamRole'> {
  readonly role: string;
  readonly teamRole: string | null;
}

/**
 * Parses a stored user.
 * @throws Error if the row is damaged: an unknown role, or a client or team role that does not fit the role
 */
export function userFromStored({ id, email, name, clientId, ...stored }: StoredUser): User {
  const role = STAFF_ROLES.find((known) => known === stored.role);
  const teamRole = TEAM_ROLES.find((known) => known === stored.teamRole) ?? null;
  const isInTeam = role !== undefined && belongsToClient(role);
  if (role === undefined || isInTeam !== (teamRole !== null) || isInTeam !== (clientId !== null)) {
    throw new Error(`The stored user ${id} has an unknown role or team role`);
  }
  return { id, email, name, role, clientId, teamRole };
}
