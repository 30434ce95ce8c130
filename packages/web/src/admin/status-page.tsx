import type { JobState, ServiceFigures, WaitingToSend } from '@countersign/domain';
import { readServiceState } from '@countersign/domain/actions';
import type { BoundedCount } from '@countersign/domain/clients';
import type { Handler } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { Badge } from '../parts/badge.tsx';
import { Card } from '../parts/blocks.tsx';
import { Age, Ago, Facts, Moment, Section } from '../parts/page-parts.tsx';
import { Table } from '../parts/table.tsx';
import { figure } from '../site/formats.ts';
import { findText } from '../site/messages.ts';
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
  const count = (number: number): Child => <span class="figure">{figure(number, language)}</span>;
  const figureItems = (figures: ServiceFigures | null): [label: string, value: Child][] =>
    figures === null
      ? [[t('admin:status.submitted'), <span class="quiet">{t('admin:status.notRead')}</span>]]
      : [
          [
            t('admin:status.submitted'),
            waiting({
              waiting: { count: figures.submitted, isExact: true },
              oldestAt: figures.oldestSubmittedAt,
            }),
          ],
          [t('admin:status.erasures'), count(figures.unfinishedErasures)],
          [t('admin:status.pausedEndpoints'), count(figures.pausedEndpoints)],
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
            <dl class="cards stats">
              {[
                ...figureItems(state.figures),
                [t('admin:status.webhooks'), waiting(state.webhooks)] as const,
                [t('admin:status.mails'), waiting(state.mails)] as const,
              ].map(([label, value]) => (
                <div class="card stat">
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </Section>
          <Card id="jobs" title={t('admin:status.jobs')} class="with-table">
            <Jobs jobs={state.jobs} now={now} page={page} />
          </Card>
          <Card id="server" title={t('admin:status.server')}>
            <Facts
              items={[
                [t('admin:status.version'), <code>{state.version}</code>],
                [t('admin:status.started'), <Moment at={state.startedAt} page={page} />],
              ]}
            />
            <p class="quiet">{t('admin:status.serverText')}</p>
          </Card>
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
    <span class="figure">
      {count.isExact
        ? figure(count.count, page.language)
        : page.t('staff:list.moreThan', { words: figure(count.count, page.language) })}
    </span>
    {since === null ? null : (
      <span class="quiet block">
        {page.t('admin:status.oldest')} <Age since={since} now={now} page={page} />
      </span>
    )}
  </>
);

const Jobs: FC<{ jobs: readonly JobState[]; now: Date; page: Page }> = ({ jobs, now, page }) => {
  const { t, language } = page;
  return (
    <Table
      rows={jobs}
      columns={[
        {
          title: t('admin:status.job'),
          isRowHeader: true,
          // A job of another installation may have its name alone.
          cell: ({ name }) => findText(t, [`admin:status.jobNames.${name}`]) ?? name,
        },
        {
          title: t('admin:status.jobId'),
          class: 'id',
          hiddenOn: 'narrow',
          cell: ({ name }) => <code>{name}</code>,
        },
        {
          title: t('admin:status.lastRun'),
          class: 'time',
          cell: ({ endedAt }) =>
            endedAt === null ? (
              <span class="quiet">{t('admin:status.notYet')}</span>
            ) : (
              <Ago at={endedAt} now={now} page={page} />
            ),
        },
        {
          title: t('admin:status.result'),
          class: 'status',
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
