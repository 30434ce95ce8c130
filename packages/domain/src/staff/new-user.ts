import { z } from 'zod';
import { type Issue, invalidParameters } from '../errors.ts';
import type { Fields } from '../fields/field.ts';
import { EMAIL_MAX } from '../fields/schema.ts';
import { isPlainLine } from '../input/text.ts';
import { belongsToClient, STAFF_ROLES, type StaffRole, TEAM_ROLES, type TeamRole, type User } from './user.ts';

/** Longest name of a user, in characters. */
export const USER_NAME_MAX = 100;

const DEFAULT_TEAM_ROLE: TeamRole = 'owner';

const emailAddress = z.email();

/** Input for a new user. */
export interface NewUser {
  readonly email: string;
  /** One line of plain text; default: the part of the e-mail address before the `@`. */
  readonly name?: string | undefined;
  readonly role: StaffRole;
  /** Required with the role `client`, refused with any other. */
  readonly clientId?: string | undefined;
  /** Refused with any other role than `client`; default `owner`. */
  readonly teamRole?: TeamRole | undefined;
}

/** The fields that identify a new user, in every action that creates one. */
export const IDENTITY_FIELDS: Fields<Pick<NewUser, 'email' | 'name'>> = {
  email: { kind: 'email' },
  name: { kind: 'text', shape: 'label', max: USER_NAME_MAX, optional: true },
};

/** Input for inviting a user into a client's team. */
export interface TeamInvitation extends Pick<NewUser, 'email' | 'name'> {
  readonly teamRole: TeamRole;
}

/** Input for a new user as a form or a command line sends it. */
export interface UntrustedNewUser extends Omit<NewUser, 'role' | 'teamRole'> {
  readonly role: string;
  readonly teamRole?: string | undefined;
}

/** Returns an e-mail address in the form in which it is stored and looked up: trimmed, in lower case. */
export function normalEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Returns an untrusted e-mail address as `normalEmail` does; null unless a new user may have it. */
export function userEmailOf(text: string): string | null {
  return [...emailIssues(text.trim())].length === 0 ? normalEmail(text) : null;
}

/**
 * Checks the input for a new user and returns the values to store. Every implementation of `ManageStaff` calls it.
 * @throws CountersignError `INVALID_PARAMETERS` with an issue for each bad field
 */
export function checkNewUser(input: UntrustedNewUser): Omit<User, 'id'> {
  const email = normalEmail(input.email);
  const typedName = input.name?.trim() ?? '';
  const role = STAFF_ROLES.find((known) => known === input.role);
  // Before it is in lower case: the Kelvin sign becomes a k.
  const issues = [...emailIssues(input.email.trim()), ...nameIssues(typedName), ...roleIssues(role, input)];
  if (role === undefined || issues.length > 0) throw invalidParameters(issues);
  const clientId = input.clientId ?? null;
  const teamRole = TEAM_ROLES.find((known) => known === input.teamRole) ?? DEFAULT_TEAM_ROLE;
  const name = typedName || (email.split('@')[0] ?? '').slice(0, USER_NAME_MAX);
  return { email, name, role, clientId, teamRole: belongsToClient(role) ? teamRole : null };
}

function* emailIssues(email: string): Generator<Issue> {
  if (email === '') {
    yield { path: 'email', message: 'is required', code: 'required' };
  } else if (email.length > EMAIL_MAX) {
    yield { path: 'email', message: atMost(EMAIL_MAX), code: 'too_long', limit: EMAIL_MAX };
  } else if (!emailAddress.safeParse(email).success) {
    yield { path: 'email', message: 'must be an e-mail address', code: 'not_an_email' };
  }
}

function* nameIssues(name: string): Generator<Issue> {
  if (name.length > USER_NAME_MAX) {
    yield { path: 'name', message: atMost(USER_NAME_MAX), code: 'too_long', limit: USER_NAME_MAX };
  }
  if (!isPlainLine(name)) {
    yield { path: 'name', message: 'must be one line of plain text', code: 'not_plain_text' };
  }
}

function* roleIssues(role: StaffRole | undefined, { clientId, teamRole }: UntrustedNewUser): Generator<Issue> {
  if (role === undefined) {
    yield { path: 'role', message: oneOf(STAFF_ROLES), code: 'invalid' };
  } else if (belongsToClient(role)) {
    if (!clientId) {
      yield { path: 'clientId', message: `is required with the role ${role}`, code: 'required' };
    }
    if (teamRole !== undefined && !TEAM_ROLES.some((known) => known === teamRole)) {
      yield { path: 'teamRole', message: oneOf(TEAM_ROLES), code: 'invalid' };
    }
  } else {
    if (clientId !== undefined) yield { path: 'clientId', message: ONLY_IN_TEAMS, code: 'invalid' };
    if (teamRole !== undefined) yield { path: 'teamRole', message: ONLY_IN_TEAMS, code: 'invalid' };
  }
}

const ONLY_IN_TEAMS = 'is allowed with the role client only';

function atMost(count: number): string {
  return `must have at most ${count} characters`;
}

function oneOf(values: readonly string[]): string {
  return `must be one of ${values.join(', ')}`;
}
