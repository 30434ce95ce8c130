import { readOwnRetentionPolicy, readOwnRetentionReport } from '@countersign/domain/actions';
import type { Handler } from 'hono';
import { PolicyTable } from '../actions/retention/policy.tsx';
import type { ReportArea } from '../actions/retention/report-pages.tsx';
import { Card } from '../parts/blocks.tsx';
import { answerStaffPage, type StaffEnv } from '../staff/area.tsx';
import { REPORT_PATH, RETENTION_PATH, SETTINGS_PATH } from './paths.ts';

/** Shows owners how long the data of their client is kept. */
export const retentionPage: Handler<StaffEnv> = async (context) => {
  const page = context.get('page');
  const { t } = page;
  const policy = await context.get('as').run(readOwnRetentionPolicy, {});
  const title = t('dashboard:retention.title');
  return answerStaffPage(
    context,
    { title, back: { path: SETTINGS_PATH, label: 'dashboard:nav.settings' } },
    <>
      <h1>{title}</h1>
      <p>{t('dashboard:retention.intro')}</p>
      <Card
        id="policy"
        title={t('staff:policy.title')}
        class="with-table"
        more={<a href={page.href(REPORT_PATH)}>{t('staff:report.link')}</a>}
      >
        <PolicyTable policy={policy} page={page} />
      </Card>
    </>,
  );
};

/** The reports of the own client. */
export const ownReports: ReportArea = {
  action: readOwnRetentionReport,
  pathOf: () => REPORT_PATH,
  back: () => ({ path: RETENTION_PATH, label: 'dashboard:retention.title' }),
  read: (context, month) => context.get('as').run(readOwnRetentionReport, { month }),
};
