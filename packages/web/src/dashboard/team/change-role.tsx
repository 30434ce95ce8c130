import { changeTeamRole, isCountersignError, type ListedUser } from '@countersign/domain';
import type { Context, Handler } from 'hono';
import { readForm } from '../../forms/form-body.ts';
import { createFormValues, type FormValues } from '../../forms/form-values.ts';
import { formState } from '../../forms/form-words.ts';
import type { Site } from '../../site/site.ts';
import { noteBadInput } from '../../staff/bad-input.ts';
import { hasConfirmed, toConfirm } from '../../staff/confirmed.ts';
import { ROLE_FIELD, RoleField, teamRoleIn } from '../../staff/role-field.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { TEAM_PATH, userPath } from '../paths.ts';
import { userOf } from './members.ts';
import { answerMemberPage, type MemberPageParts } from './user-page.tsx';

type ChangeRole = Handler<StaffEnv, '/:id/role'>;

export function rolePage(site: Site): ChangeRole {
  return async (context) => {
    const user = await userOf(context, context.req.param('id'));
    if (!hasConfirmed(context, site)) return toConfirm(context, site);
    return answer(context, site, user, createFormValues([[ROLE_FIELD, user.teamRole ?? '']]), {});
  };
}

export function changeRole(site: Site): ChangeRole {
  return async (context) => {
    const { t, href } = context.get('page');
    const as = context.get('as');
    const values = await readForm(context);
    const user = await userOf(context, context.req.param('id'));
    const teamRole = teamRoleIn(values.text(ROLE_FIELD));
    if (teamRole === null) {
      const problems = new Map([[ROLE_FIELD, t('dashboard:team.roleNeeded')]]);
      await noteBadInput(as, { action: 'team.change_role', targetId: user.id }, problems);
      return answer(context, site, user, values, { problems, status: 422 });
    }
    try {
      await as.run(changeTeamRole, { userId: user.id, teamRole });
    } catch (error) {
      if (!isCountersignError(error, 'LAST_OWNER')) throw error;
      return answer(context, site, user, values, { notice: t('dashboard:team.lastOwner'), status: 409 });
    }
    return context.redirect(href(`${TEAM_PATH}?done=role`), 303);
  };
}

function answer(
  context: Context<StaffEnv>,
  site: Site,
  user: ListedUser,
  values: FormValues,
  refusal: Pick<MemberPageParts, 'problems' | 'notice' | 'status'>,
): Response | Promise<Response> {
  const { t, href } = context.get('page');
  const title = t('dashboard:team.changeRoleTitle');
  return answerMemberPage(
    context,
    site,
    { user, title, ...refusal },
    <form method="post" action={href(userPath(user.id, 'role'))} class="narrow-form" novalidate>
      <RoleField form={formState(t, values, refusal.problems)} t={t} />
      <p class="quiet">{t('dashboard:team.roleHolds')}</p>
      <button type="submit">{t('dashboard:team.changeRole')}</button>
    </form>,
  );
}
