import {
  CountersignError,
  type Issue,
  isPlainLine,
  type NewUser,
  STAFF_ROLES,
  type StaffRole,
  TEAM_ROLES,
  type TeamRole,
} from '@countersign/domain';
import { z } from 'zod';

const NAME_MAX = 100;
const EMAIL_MAX = 254;

const email = z.email();

/** An e-mail as it is kept and looked for. */
export function normalEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** A new user whose values can be kept. */
export interface CheckedMember {
  readonly email: string;
  readonly name: string;
  readonly role: StaffRole;
  readonly clientId: string | null;
  readonly teamRole: TeamRole | null;
}

/** @throws CountersignError `INVALID_PARAMETERS` with an issue for each field that cannot be kept */
export function checkedNewMember(input: NewUser): CheckedMember {
  const { role, clientId, teamRole } = input;
  const address = normalEmail(input.email);
  const given = input.name?.trim() ?? '';
  const issues = [...issuesOfEmail(address), ...issuesOfName(given), ...issuesOfRole(input)];
  if (issues.length > 0) {
    throw new CountersignError('INVALID_PARAMETERS', 'The user cannot be made', { data: { issues } });
  }
  const name = given || (address.split('@')[0] ?? '').slice(0, NAME_MAX);
  const ofClient = role === 'client' ? (teamRole ?? 'owner') : null;
  return { email: address, name, role, clientId: clientId ?? null, teamRole: ofClient };
}

function* issuesOfEmail(address: string): Generator<Issue> {
  if (address === '') {
    yield { path: 'email', message: 'is needed', code: 'required' };
  } else if (address.length > EMAIL_MAX) {
    yield { path: 'email', message: atMost(EMAIL_MAX), code: 'too_long', limit: EMAIL_MAX };
  } else if (!email.safeParse(address).success) {
    yield { path: 'email', message: 'must be an e-mail address', code: 'not_an_email' };
  }
}

function* issuesOfName(name: string): Generator<Issue> {
  if (name.length > NAME_MAX) {
    yield { path: 'name', message: atMost(NAME_MAX), code: 'too_long', limit: NAME_MAX };
  }
  if (!isPlainLine(name))
    yield { path: 'name', message: 'must be one line of plain text', code: 'not_plain_text' };
}

function* issuesOfRole({ role, clientId, teamRole }: NewUser): Generator<Issue> {
  const isOfClient = role === 'client';
  if (!STAFF_ROLES.includes(role)) {
    yield { path: 'role', message: `must be one of ${STAFF_ROLES.join(', ')}`, code: 'invalid' };
    return;
  }
  if (isOfClient && clientId === undefined) {
    yield { path: 'clientId', message: 'is needed with the role client', code: 'required' };
  }
  if (!isOfClient && clientId !== undefined) {
    yield { path: 'clientId', message: 'belongs to the role client', code: 'invalid' };
  }
  if (!isOfClient && teamRole !== undefined) {
    yield { path: 'teamRole', message: 'belongs to the role client', code: 'invalid' };
  } else if (teamRole !== undefined && !TEAM_ROLES.includes(teamRole)) {
    yield { path: 'teamRole', message: `must be one of ${TEAM_ROLES.join(', ')}`, code: 'invalid' };
  }
}

const atMost = (count: number): string => `must have at most ${count} characters`;
