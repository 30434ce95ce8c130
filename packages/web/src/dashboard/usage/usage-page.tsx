import { readOwnUsage } from '@countersign/domain';
import type { Handler } from 'hono';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { UsageDetails } from '../../staff/usage/usage-details.tsx';
import { answerDashboardPage } from '../dashboard-page.tsx';

/** The month against its limit, and each of the last 30 days. */
export function usagePage(site: Site): Handler<StaffEnv> {
  return async (context) => {
    const page = context.get('page');
    const { t } = page;
    const usage = await context.get('as').run(readOwnUsage, {});
    return answerDashboardPage(
      context,
      site,
      { title: t('staff:usage.title') },
      <>
        <h1>{t('staff:usage.title')}</h1>
        <UsageDetails usage={usage} page={page} />
      </>,
    );
  };
}
