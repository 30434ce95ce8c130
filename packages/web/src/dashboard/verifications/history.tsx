import type { HistoryEntry, OpenedVerification, StepView } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { Moment, Section } from '../../parts/page-parts.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import type { Translate } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import { statusChangeText } from '../../staff/status-change.ts';
import { MomentOrNone } from './verification-list.tsx';

interface Props {
  readonly opened: OpenedVerification;
  readonly page: Page;
}

/** The steps with their status. */
export const Steps: FC<{ opened: Pick<OpenedVerification, 'steps'>; page: Page }> = ({
  opened: { steps },
  page,
}) => {
  const { t } = page;
  const columns: readonly Column<StepView>[] = [
    {
      title: t('dashboard:verifications.step'),
      isRowHeader: true,
      cell: ({ key }) => t(`wording:step.${key}`),
    },
    {
      title: t('dashboard:verifications.status'),
      cell: ({ status }) => t(`dashboard:verifications.stepStatus.${status}`),
    },
    {
      title: t('dashboard:verifications.completed'),
      cell: ({ completedAt }) => (
        <MomentOrNone at={completedAt === null ? null : new Date(completedAt)} page={page} />
      ),
    },
  ];
  return (
    <Section id="steps" title={t('dashboard:verifications.steps')}>
      <Table rows={steps} columns={columns} />
    </Section>
  );
};

/** The changes of status, newest first. */
export const StatusHistory: FC<Props> = ({ opened, page }) => {
  const { t } = page;
  const { endedBy, history } = opened;
  return (
    <Section id="history" title={t('wording:case.history')}>
      <ul>
        {history.toReversed().map((entry) => (
          <li>
            <Moment at={entry.at} page={page} />
            {': '}
            {t('wording:event.by', { what: t(statusChangeText(entry, endedBy)), who: actorText(entry, t) })}
          </li>
        ))}
      </ul>
    </Section>
  );
};

/** Names who changed the status. The reader belongs to the client. */
function actorText({ actor }: HistoryEntry, t: Translate): string {
  return actor === 'client' ? t('dashboard:verifications.yourTeam') : t(`wording:actor.${actor}`);
}
