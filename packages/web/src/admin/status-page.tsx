import type { JobState, ServiceFigures, WaitingToSend } from '@countersign/domain';
import { readServiceState } from '@countersign/domain/actions';
import type { BoundedCount } from '@countersign/domain/clients';
import type { Handler } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { Badge } from '../parts/badge.tsx';
import { Age, Facts, Moment, Section } from '../parts/page-parts.tsx';
import { Table } from '../parts/table.tsx';
import { figure } from '../site/formats.ts';
import type { Page } from '../site/page.ts';
import { answerStaffPage, type StaffEnv } from '../staff/area.tsx';

/** Shows what waits in the service, and the background jobs of the server that answers. */
export const statusPage: Handler<StaffEnv> = async (context) => {
  const page = context.get('page');
  const { t, language } = page;
  const title = t('admin:status.title');
  const state = await context.get('as').run(readServiceState, {});
  const now = context.get('site').options.clock.now();
  const waiting = ({ waiting: count, oldestAt }: WaitingToSend): Child => (
    <Waiting count={count} since={oldestAt} now={now} page={page} />
  );
  const figureItems = (figures: ServiceFigures | null): [label: string, value: Child][] =>
    figures === null
      ? [[t('admin:status.submitted'), t('admin:status.notRead')]]
      : [
          [
            t('admin:status.submitted'),
            waiting({
              waiting: { count: figures.submitted, isExact: true },
              oldestAt: figures.oldestSubmittedAt,
            }),
          ],
          [t('admin:status.erasures'), figure(figures.unfinishedErasures, language)],
          [t('admin:status.pausedEndpoints'), figure(figures.pausedEndpoints, language)],
        ];
  return answerStaffPage(
    context,
    { title },
    <>
      <h1>{title}</h1>
      {state === null ? (
        <p>{t('admin:status.unknown')}</p>
      ) : (
        <>
          <Section id="queues" title={t('admin:status.queues')}>
            <Facts
              items={[
                ...figureItems(state.figures),
                [t('admin:status.webhooks'), waiting(state.webhooks)],
                [t('admin:status.mails'), waiting(state.mails)],
              ]}
            />
          </Section>
          <Section id="server" title={t('admin:status.server')}>
            <p>{t('admin:status.serverText')}</p>
            <Facts
              items={[
                [t('admin:status.version'), <code>{state.version}</code>],
                [t('admin:status.started'), <Moment at={state.startedAt} page={page} />],
              ]}
            />
          </Section>
          <Section id="jobs" title={t('admin:status.jobs')}>
            <Jobs jobs={state.jobs} page={page} />
          </Section>
        </>
      )}
    </>,
  );
};

/** How many wait, and for how long the oldest has. */
const Waiting: FC<{ count: BoundedCount; since: Date | null; now: Date; page: Page }> = ({
  count,
  since,
  now,
  page,
}) => (
  <>
    {count.isExact
      ? figure(count.count, page.language)
      : page.t('staff:list.moreThan', { words: figure(count.count, page.language) })}
    {since === null ? null : (
      <>
        {', '}
        {page.t('admin:status.oldest')} <Age since={since} now={now} page={page} />
      </>
    )}
  </>
);

const Jobs: FC<{ jobs: readonly JobState[]; page: Page }> = ({ jobs, page }) => {
  const { t, language } = page;
  return (
    <Table
      rows={jobs}
      columns={[
        { title: t('admin:status.job'), isRowHeader: true, cell: ({ name }) => <code>{name}</code> },
        {
          title: t('admin:status.lastRun'),
          cell: ({ endedAt }) =>
            endedAt === null ? (
              <span class="quiet">{t('admin:status.notYet')}</span>
            ) : (
              <Moment at={endedAt} page={page} />
            ),
        },
        {
          title: t('admin:status.result'),
          cell: ({ ok }) =>
            ok === null ? (
              '–'
            ) : (
              <Badge tone={ok ? 'good' : 'bad'} icon={ok ? 'check' : 'x'} page={page}>
                {t(ok ? 'admin:status.ok' : 'admin:status.failed')}
              </Badge>
            ),
        },
        { title: t('admin:status.failures'), class: 'number', cell: ({ failures }) => figure(failures, language) },
      ]}
    />
  );
};
