import {
  belongsToClient,
  checkNewUser,
  type Issue,
  isCountersignError,
  type NewUser,
  STAFF_ROLES,
} from '@countersign/domain';
import type { FormValues } from '../../forms/form-values.ts';
import type { Translate } from '../../site/messages.ts';
import type { Problems } from '../../staff/bad-input.ts';

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

/** Reads the form of a new user. The domain says what is wrong with it (`checkNewUser`). */
export function readUser(values: FormValues, t: Translate): TypedUser {
  const role = values.text(FIELD.role);
  const teamRole = values.text(FIELD.teamRole);
  try {
    const user = checkNewUser({
      email: values.text(FIELD.email),
      name: values.text(FIELD.name) || undefined,
      role,
      clientId: values.text(FIELD.clientId) || undefined,
      // The form asks for the role in the team, and has no default for it.
      teamRole: isInTeam(role) ? teamRole : teamRole || undefined,
    });
    const team = { clientId: user.clientId ?? undefined, teamRole: user.teamRole ?? undefined };
    return { input: { ...user, ...team }, problems: null };
  } catch (error) {
    if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
    return { input: null, problems: problemsOf(error.data?.issues ?? [], role, t) };
  }
}

function isInTeam(role: string): boolean {
  return STAFF_ROLES.some((known) => known === role && belongsToClient(known));
}

/** Says what the domain refused, at the fields where it can be put right. */
function problemsOf(issues: readonly Issue[], role: string, t: Translate): Problems {
  return new Map(
    issues.map(({ path }) => {
      switch (path) {
        case 'name':
          return [FIELD.name, t('staff:user.nameBad')];
        case 'role':
          return [FIELD.role, t('admin:newUser.roleNeeded')];
        case 'clientId':
          return [
            FIELD.clientId,
            t(isInTeam(role) ? 'admin:newUser.clientNeeded' : 'admin:newUser.clientUnwanted'),
          ];
        case 'teamRole':
          return [
            FIELD.teamRole,
            t(isInTeam(role) ? 'admin:newUser.teamRoleNeeded' : 'admin:newUser.teamRoleUnwanted'),
          ];
        default:
          return [FIELD.email, t('staff:user.emailBad')];
      }
    }),
  );
}
