import { TEAM_ROLES, type TeamRole } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { RadioField } from '../forms/choice-fields.tsx';
import type { FormState } from '../forms/form-state.ts';
import type { Translate } from '../site/messages.ts';

export const ROLE_FIELD = 'teamRole';

/** A choice of the role in a team, each role explained. */
export const RoleField: FC<{ form: FormState; t: Translate }> = ({ form, t }) => (
  <RadioField
    form={form}
    name={ROLE_FIELD}
    label={t('staff:user.role')}
    choices={TEAM_ROLES.map((role) => ({
      value: role,
      label: t(`staff:teamRole.${role}`),
      hint: t(`staff:teamRoleHint.${role}`),
    }))}
  />
);

/** Parses the team role of a form; null for an unknown one. */
export function teamRoleIn(text: string): TeamRole | null {
  return TEAM_ROLES.find((role) => role === text) ?? null;
}
