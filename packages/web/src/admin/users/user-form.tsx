import { listClients, STAFF_ROLES, TEAM_ROLES } from '@countersign/domain';
import type { Context } from 'hono';
import { RadioField, SelectField } from '../../forms/choice-fields.tsx';
import { ErrorSummary } from '../../forms/error-summary.tsx';
import type { FormValues } from '../../forms/form-values.ts';
import { formState } from '../../forms/form-words.ts';
import { TextField } from '../../forms/text-field.tsx';
import type { Site } from '../../site/site.ts';
import type { Problems } from '../../staff/bad-input.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerAdminPage } from '../admin-page.tsx';
import { NEW_USER_PATH, USERS_PATH } from '../paths.ts';
import { FIELD } from './typed-user.ts';

/** The form of a new user, with what was typed and what is wrong with it. */
export async function answerUserForm(
  context: Context<StaffEnv>,
  site: Site,
  values: FormValues,
  problems: Problems,
  status: 409 | 422 = 422,
): Promise<Response> {
  const { t, href } = context.get('page');
  const clients = await context.get('as').run(listClients, {});
  const form = formState(t, values, problems);
  const title = t('admin:newUser.title');
  const hasErrors = problems.size > 0;
  return answerAdminPage(
    context,
    site,
    { title, hasErrors, status: hasErrors ? status : 200 },
    <>
      <ErrorSummary title={t('site:error.summary')} errors={problems} />
      <h1>{title}</h1>
      <p>{t('admin:newUser.text')}</p>
      <form method="post" action={href(NEW_USER_PATH)} class="narrow-form" novalidate>
        <TextField
          form={form}
          name={FIELD.email}
          type="email"
          inputmode="email"
          label={t('staff:user.email')}
          autocomplete="off"
        />
        <TextField form={form} name={FIELD.name} label={t('staff:user.fullName')} optional autocomplete="off" />
        <RadioField
          form={form}
          name={FIELD.role}
          label={t('admin:users.role')}
          choices={STAFF_ROLES.map((role) => ({
            value: role,
            label: t(`admin:role.${role}`),
            hint: t(`admin:roleHint.${role}`),
          }))}
        />
        <SelectField
          form={form}
          name={FIELD.clientId}
          label={t('admin:newUser.client')}
          hint={t('admin:newUser.clientHint')}
          choices={clients.map(({ client }) => ({ value: client.id, label: client.name }))}
          optional
        />
        <SelectField
          form={form}
          name={FIELD.teamRole}
          label={t('admin:newUser.teamRole')}
          hint={t('admin:newUser.teamRoleHint')}
          choices={TEAM_ROLES.map((role) => ({ value: role, label: t(`staff:teamRole.${role}`) }))}
          optional
        />
        <div class="buttons">
          <button type="submit">{t('admin:newUser.submit')}</button>
          <a href={href(USERS_PATH)}>{t('admin:users.back')}</a>
        </div>
      </form>
    </>,
  );
}
