import {
  type Issue,
  invalidParameters,
  isPlainLine,
  type NewUser,
  STAFF_ROLES,
  TEAM_ROLES,
  type User,
} from '@countersign/domain';

const NAME_MAX = 100;
/** A name, an at sign and a host with a dot: enough for tests and trials. */
const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/;

/** An e-mail as it is kept and looked for. */
export function normalEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** @throws `INVALID_PARAMETERS` */
export function checkedMember(id: string, input: NewUser): User {
  const email = normalEmail(input.email);
  const name = input.name?.trim() || (email.split('@')[0] ?? '');
  const issues = [...issuesOfPerson(email, name), ...issuesOfRole(input)];
  if (issues.length > 0) throw invalidParameters(issues);
  const { role, clientId = null, teamRole = 'owner' } = input;
  return { id, email, name, role, clientId, teamRole: role === 'client' ? teamRole : null };
}

function* issuesOfPerson(email: string, name: string): Generator<Issue> {
  if (!EMAIL.test(email)) yield { path: 'email', message: 'must be an e-mail address', code: 'not_an_email' };
  if (name.length > NAME_MAX || !isPlainLine(name)) {
    yield { path: 'name', message: `must be one line of at most ${NAME_MAX} characters`, code: 'not_plain_text' };
  }
}

function* issuesOfRole({ role, clientId, teamRole }: NewUser): Generator<Issue> {
  if (!STAFF_ROLES.includes(role)) {
    yield { path: 'role', message: `must be one of ${STAFF_ROLES.join(', ')}`, code: 'invalid' };
  } else if ((role === 'client') !== (clientId !== undefined)) {
    yield { path: 'clientId', message: 'belongs to the role client, and to no other', code: 'invalid' };
  }
  if (teamRole !== undefined && (role !== 'client' || !TEAM_ROLES.includes(teamRole))) {
    yield {
      path: 'teamRole',
      message: `must be one of ${TEAM_ROLES.join(', ')}, for a client's staff`,
      code: 'invalid',
    };
  }
}
