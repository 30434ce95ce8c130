import { type Issue, type NewUser, STAFF_ROLES, type StaffRole } from '@countersign/domain';
import type { FormValues } from '../../forms/form-values.ts';
import type { Translate } from '../../site/messages.ts';
import type { Problems } from '../../staff/bad-input.ts';
import { teamRoleIn } from '../../staff/role-field.tsx';

/** Names of the fields in the form of a new user. */
export const FIELD = {
  email: 'email',
  name: 'name',
  role: 'role',
  clientId: 'clientId',
  teamRole: 'teamRole',
} as const;

export type TypedUser =
  | { readonly input: NewUser; readonly problems: null }
  | { readonly input: null; readonly problems: Problems };

/** What was typed: a role, and just with the role `client` a client and a role in its team. */
export function readUser(values: FormValues, t: Translate): TypedUser {
  const role = STAFF_ROLES.find((each) => each === values.text(FIELD.role));
  const problems = new Map<string, string>();
  if (values.text(FIELD.email) === '') problems.set(FIELD.email, t('staff:user.emailBad'));
  if (role === undefined) problems.set(FIELD.role, t('admin:newUser.roleNeeded'));
  else for (const [field, problem] of problemsOfTeam(role, values, t)) problems.set(field, problem);
  if (role === undefined || problems.size > 0) return { input: null, problems };
  const whoever = { email: values.text(FIELD.email), name: values.text(FIELD.name) || undefined };
  if (role !== 'client') return { input: { ...whoever, role }, problems: null };
  const teamRole = teamRoleIn(values.text(FIELD.teamRole)) ?? undefined;
  return { input: { ...whoever, role, clientId: values.text(FIELD.clientId), teamRole }, problems: null };
}

/** What does not go together: a client and a role in its team belong to the role `client` alone. */
function problemsOfTeam(role: StaffRole, values: FormValues, t: Translate): Problems {
  const [clientId, teamRole] = [values.text(FIELD.clientId), values.text(FIELD.teamRole)];
  const problems = new Map<string, string>();
  if (role === 'client') {
    if (clientId === '') problems.set(FIELD.clientId, t('admin:newUser.clientNeeded'));
    if (teamRoleIn(teamRole) === null) problems.set(FIELD.teamRole, t('admin:newUser.teamRoleNeeded'));
  } else {
    if (clientId !== '') problems.set(FIELD.clientId, t('admin:newUser.clientUnwanted'));
    if (teamRole !== '') problems.set(FIELD.teamRole, t('admin:newUser.teamRoleUnwanted'));
  }
  return problems;
}

/** What the domain refused, at the field where it can be put right. */
export function problemsOf(issues: readonly Issue[], t: Translate): Problems {
  return new Map(
    issues.map(({ path }) => {
      switch (path) {
        case 'name':
          return [FIELD.name, t('staff:user.nameBad')];
        case 'role':
          return [FIELD.role, t('admin:newUser.roleNeeded')];
        case 'clientId':
          return [FIELD.clientId, t('admin:newUser.clientNeeded')];
        case 'teamRole':
          return [FIELD.teamRole, t('admin:newUser.teamRoleNeeded')];
        default:
          return [FIELD.email, t('staff:user.emailBad')];
      }
    }),
  );
}
