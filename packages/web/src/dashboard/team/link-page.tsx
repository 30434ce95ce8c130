import type { OneTimeLink } from '@countersign/domain';
import type { Context } from 'hono';
import type { Site } from '../../site/site.ts';
import { OneTimeLinkShown, oneTimeLinkParts } from '../../staff/one-time-link.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { TEAM_PATH } from '../paths.ts';

/** Shows a one-time link, the one time that it can be shown. */
export function answerOneTimeLink(
  context: Context<StaffEnv>,
  site: Site,
  link: OneTimeLink,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const title = t('staff:link.title', { name: link.user.name });
  return answerDashboardPage(
    context,
    site,
    oneTimeLinkParts(title),
    <>
      <OneTimeLinkShown link={link} title={title} page={page} site={site} />
      <p>
        <a href={href(TEAM_PATH)}>{t('dashboard:team.back')}</a>
      </p>
    </>,
  );
}
