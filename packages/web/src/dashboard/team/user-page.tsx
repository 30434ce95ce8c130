import type { ListedUser } from '@countersign/domain';
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { ErrorSummary } from '../../forms/error-summary.tsx';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { TEAM_PATH } from '../paths.ts';

/** What a page about one user is, beside its form. */
export interface MemberPageParts {
  readonly user: ListedUser;
  readonly title: string;
  /** What is wrong, by field; undefined while nothing was refused. */
  readonly problems?: ReadonlyMap<string, string> | undefined;
  /** Why it cannot be done at all, whatever is filled in. */
  readonly notice?: string | undefined;
  readonly status?: 200 | 409 | 422 | undefined;
}

/** A page about one user of the team. */
export function answerMemberPage(
  context: Context<StaffEnv>,
  site: Site,
  { user, title, problems, notice, status = 200 }: MemberPageParts,
  content: Child,
): Response | Promise<Response> {
  const { t, href } = context.get('page');
  return answerDashboardPage(
    context,
    site,
    { title, status, hasErrors: status !== 200 },
    <>
      {problems === undefined ? null : <ErrorSummary title={t('site:error.summary')} errors={problems} />}
      <h1>{title}</h1>
      <p>
        <strong class="as-typed">{user.name}</strong> <span class="as-typed">{user.email}</span>
      </p>
      {notice === undefined ? null : (
        <p class="notice warn" role={status === 200 ? undefined : 'alert'}>
          {notice}
        </p>
      )}
      {content}
      <p>
        <a href={href(TEAM_PATH)}>{t('dashboard:team.back')}</a>
      </p>
    </>,
  );
}
