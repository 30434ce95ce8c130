import { type Issue, inviteToTeam, isCountersignError } from '@countersign/domain';
import type { Context, Handler } from 'hono';
import { ErrorSummary } from '../../forms/error-summary.tsx';
import { readForm } from '../../forms/form-body.ts';
import { createFormValues, type FormValues } from '../../forms/form-values.ts';
import { formState } from '../../forms/form-words.ts';
import { TextField } from '../../forms/text-field.tsx';
import type { Translate } from '../../site/messages.ts';
import type { Site } from '../../site/site.ts';
import { noteBadInput } from '../../staff/bad-input.ts';
import { ROLE_FIELD, RoleField, teamRoleIn } from '../../staff/role-field.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { INVITE_PATH, TEAM_PATH } from '../paths.ts';
import { answerOneTimeLink } from './link-page.tsx';

type Problems = ReadonlyMap<string, string>;

const UNPROCESSABLE = 422;
const CONFLICT = 409;

export function invitePage(site: Site): Handler<StaffEnv> {
  // What somebody needs least comes first in mind.
  return (context) => answer(context, site, createFormValues([[ROLE_FIELD, 'viewer']]));
}

/** Makes the account and shows its one-time link, in this answer and never again. */
export function invite(site: Site): Handler<StaffEnv> {
  return async (context) => {
    const { t } = context.get('page');
    const as = context.get('as');
    const values = await readForm(context);
    const teamRole = teamRoleIn(values.text(ROLE_FIELD));
    if (teamRole === null) {
      const problems = new Map([[ROLE_FIELD, t('dashboard:team.roleNeeded')]]);
      await noteBadInput(as, { action: 'team.invite' }, problems);
      return answer(context, site, values, problems);
    }
    const name = values.text('name');
    try {
      const link = await as.run(inviteToTeam, {
        email: values.text('email'),
        name: name === '' ? undefined : name,
        teamRole,
      });
      return await answerOneTimeLink(context, site, link);
    } catch (error) {
      if (isCountersignError(error, 'USER_EXISTS')) {
        return answer(context, site, values, new Map([['email', t('dashboard:team.exists')]]), CONFLICT);
      }
      if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
      return answer(context, site, values, problemsOf(error.data?.issues ?? [], t));
    }
  };
}

function problemsOf(issues: readonly Issue[], t: Translate): Problems {
  return new Map(
    issues.map(({ path }) => {
      if (path === 'name') return ['name', t('staff:user.nameBad')];
      if (path === ROLE_FIELD) return [ROLE_FIELD, t('dashboard:team.roleNeeded')];
      return ['email', t('staff:user.emailBad')];
    }),
  );
}

function answer(
  context: Context<StaffEnv>,
  site: Site,
  values: FormValues,
  problems?: Problems,
  status: typeof UNPROCESSABLE | typeof CONFLICT = UNPROCESSABLE,
): Response | Promise<Response> {
  const { t, href } = context.get('page');
  const form = formState(t, values, problems);
  const title = t('dashboard:team.inviteTitle');
  const hasErrors = problems !== undefined;
  return answerDashboardPage(
    context,
    site,
    { title, hasErrors, status: hasErrors ? status : 200 },
    <>
      <ErrorSummary title={t('site:error.summary')} errors={form.errors} />
      <h1>{title}</h1>
      <p>{t('dashboard:team.inviteText')}</p>
      <form method="post" action={href(INVITE_PATH)} class="narrow-form" novalidate>
        <TextField
          form={form}
          name="email"
          type="email"
          inputmode="email"
          label={t('staff:user.email')}
          autocomplete="off"
        />
        <TextField form={form} name="name" label={t('staff:user.fullName')} optional autocomplete="off" />
        <RoleField form={form} t={t} />
        <div class="buttons">
          <button type="submit">{t('dashboard:team.inviteSubmit')}</button>
          <a href={href(TEAM_PATH)}>{t('dashboard:team.back')}</a>
        </div>
      </form>
    </>,
  );
}
