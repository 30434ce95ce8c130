import type { HistoryEntry, OpenedVerification, StepView } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { Card, Timeline } from '../../parts/blocks.tsx';
import type { IconName } from '../../parts/icon.tsx';
import { Moment } from '../../parts/page-parts.tsx';
import type { Translate } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import { statusChangeText } from '../../staff/status-change.ts';

interface Props {
  readonly opened: OpenedVerification;
  readonly page: Page;
}

const STEP_ICONS: Readonly<Record<StepView['status'], IconName>> = {
  pending: 'circle',
  completed: 'check',
  action_needed: 'undo-2',
};

/** The steps with their status. */
export const Steps: FC<{ opened: Pick<OpenedVerification, 'steps'>; page: Page }> = ({
  opened: { steps },
  page,
}) => (
  <Card id="steps" title={page.t('dashboard:verifications.steps')}>
    <Timeline
      page={page}
      items={steps.map(({ key, status, completedAt }) => ({
        icon: STEP_ICONS[status],
        title: <strong>{page.t(`wording:step.${key}`)}</strong>,
        text: <StepStatus status={status} completedAt={completedAt} page={page} />,
      }))}
    />
  </Card>
);

/** The status of a step, and when it was completed. */
export const StepStatus: FC<Pick<StepView, 'status' | 'completedAt'> & { page: Page }> = (props) => {
  const { status, completedAt, page } = props;
  return (
    <>
      {page.t(`dashboard:verifications.stepStatus.${status}`)}{' '}
      {completedAt === null ? null : <Moment at={new Date(completedAt)} page={page} />}
    </>
  );
};

const STATUS_ICONS: Readonly<Record<HistoryEntry['status'], IconName>> = {
  pending: 'plus',
  submitted: 'inbox',
  action_needed: 'undo-2',
  approved: 'check',
  rejected: 'x',
};

/** The changes of status, newest first. */
export const StatusHistory: FC<Props> = ({ opened: { endedBy, history }, page }) => {
  const { t } = page;
  return (
    <Card id="history" title={t('wording:case.history')}>
      <Timeline
        page={page}
        items={history.toReversed().map((entry) => ({
          icon: entry.status === 'rejected' && endedBy !== null ? 'ban' : STATUS_ICONS[entry.status],
          title: t('wording:event.by', { what: t(statusChangeText(entry, endedBy)), who: actorText(entry, t) }),
          text: <Moment at={entry.at} page={page} />,
        }))}
      />
    </Card>
  );
};

/** Names who changed the status. The reader belongs to the client. */
function actorText({ actor }: HistoryEntry, t: Translate): string {
  return actor === 'client' ? t('dashboard:verifications.yourTeam') : t(`wording:actor.${actor}`);
}
