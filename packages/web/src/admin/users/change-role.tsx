import {
  belongsToClient,
  changeUserRole,
  isCountersignError,
  type ListedUser,
  type NewRole,
  SERVICE_ROLES,
} from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { RadioField } from '../../forms/choice-fields.tsx';
import type { FormState } from '../../forms/form-state.ts';
import { createFormValues } from '../../forms/form-values.ts';
import type { Page } from '../../site/page.ts';
import { noteBadInput } from '../../staff/bad-input.ts';
import { RoleField, ROLE_FIELD as TEAM_ROLE_FIELD, teamRoleIn } from '../../staff/role-field.tsx';
import { userPath } from '../paths.ts';
import type { UserAct } from './user-act.tsx';

const ROLE_FIELD = 'role';

/** Another role of the same kind: in the team, or among those who work for the service. */
export const changeRole: UserAct = {
  name: 'role',
  title: 'admin:changeRole.title',
  initial: ({ role, teamRole }) => createFormValues([[fieldFor({ role }), teamRole ?? role]]),

  fields: (form, user, page) => (
    <>
      <Roles form={form} user={user} page={page} />
      <p class="quiet">{page.t('admin:changeRole.hint')}</p>
      {belongsToClient(user.role) ? <p class="quiet">{page.t('admin:changeRole.lastOwner')}</p> : null}
      <button type="submit">{page.t('admin:changeRole.submit')}</button>
    </>
  ),

  async carryOut({ context, user, values }) {
    const { t, href } = context.get('page');
    const as = context.get('as');
    const field = fieldFor(user);
    const to = newRoleIn(values.text(TEAM_ROLE_FIELD), values.text(ROLE_FIELD));
    if (to === null) {
      const problems = new Map([[field, t('admin:newUser.roleNeeded')]]);
      const { id, clientId } = user;
      const act = { action: 'users.change_role', targetId: id, clientId: clientId ?? undefined } as const;
      await noteBadInput(as, act, problems);
      return problems;
    }
    try {
      await as.run(changeUserRole, { userId: user.id, ...to });
    } catch (error) {
      if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
      return new Map([[field, t('admin:changeRole.otherKind')]]);
    }
    return context.redirect(href(`${userPath(user.id)}?done=role`), 303);
  },
};

const Roles: FC<{ form: FormState; user: ListedUser; page: Page }> = ({ form, user, page: { t } }) =>
  belongsToClient(user.role) ? (
    <RoleField form={form} t={t} />
  ) : (
    <RadioField
      form={form}
      name={ROLE_FIELD}
      label={t('admin:users.role')}
      choices={SERVICE_ROLES.map((role) => ({
        value: role,
        label: t(`admin:role.${role}`),
        hint: t(`admin:roleHint.${role}`),
      }))}
    />
  );

function fieldFor({ role }: Pick<ListedUser, 'role'>): string {
  return belongsToClient(role) ? TEAM_ROLE_FIELD : ROLE_FIELD;
}

/** The role that a form asks for; null where it asks for none that there is, or for two. */
function newRoleIn(inTeam: string, ofService: string): NewRole | null {
  const teamRole = teamRoleIn(inTeam);
  const role = SERVICE_ROLES.find((each) => each === ofService);
  if (teamRole !== null && ofService === '') return { role: 'client', teamRole };
  return role !== undefined && inTeam === '' ? { role } : null;
}
