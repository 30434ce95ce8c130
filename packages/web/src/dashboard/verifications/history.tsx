import type { HistoryEntry, OpenedVerification, StepView } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { MessageKey, Translate } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import { Moment } from '../../wording/moment.tsx';

interface Props {
  readonly opened: OpenedVerification;
  readonly page: Page;
}

/** Each step, and how it stands. */
export const Steps: FC<Props> = ({ opened: { steps }, page }) => {
  const { t } = page;
  return (
    <section aria-labelledby="steps-title">
      <h2 id="steps-title">{t('dashboard:verifications.steps')}</h2>
      <table class="as-cards">
        <thead>
          <tr>
            <th scope="col">{t('dashboard:verifications.step')}</th>
            <th scope="col">{t('dashboard:verifications.status')}</th>
            <th scope="col">{t('dashboard:verifications.completed')}</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <Step step={step} page={page} />
          ))}
        </tbody>
      </table>
    </section>
  );
};

const Step: FC<{ step: StepView; page: Page }> = ({ step: { key, status, completedAt }, page }) => {
  const { t } = page;
  return (
    <tr>
      <th scope="row">{t(`wording:step.${key}`)}</th>
      <td data-label={t('dashboard:verifications.status')}>{t(`dashboard:verifications.stepStatus.${status}`)}</td>
      <td data-label={t('dashboard:verifications.completed')}>
        {completedAt === null ? (
          <span class="quiet">{t('dashboard:verifications.notYet')}</span>
        ) : (
          <Moment at={new Date(completedAt)} page={page} />
        )}
      </td>
    </tr>
  );
};

/** Each change of status, the newest first. */
export const StatusHistory: FC<Props> = ({ opened, page }) => {
  const { t } = page;
  const isWithdrawn = opened.decision?.reasonCodes.includes('withdrawn') ?? false;
  return (
    <section aria-labelledby="history-title">
      <h2 id="history-title">{t('wording:case.history')}</h2>
      <ul>
        {opened.history.toReversed().map((entry) => (
          <li>
            <Moment at={entry.at} page={page} />
            {': '}
            {t('wording:event.by', { what: t(whatHappened(entry, isWithdrawn)), who: whoDid(entry, t) })}
          </li>
        ))}
      </ul>
    </section>
  );
};

function whatHappened({ status }: HistoryEntry, isWithdrawn: boolean): MessageKey {
  switch (status) {
    case 'pending':
      return 'wording:event.verification.created';
    case 'submitted':
      return 'wording:event.verification.submitted';
    case 'action_needed':
      return 'wording:event.verification.action_requested';
    case 'approved':
      return 'wording:event.verification.approved';
    case 'rejected':
      // A withdrawn verification ends as a rejected one, and nothing comes after it.
      return isWithdrawn ? 'wording:event.verification.withdrawn' : 'wording:event.verification.rejected';
    default:
      return status satisfies never;
  }
}

/** The reader is the client. */
function whoDid({ actor }: HistoryEntry, t: Translate): string {
  return actor === 'client' ? t('dashboard:verifications.yourTeam') : t(`wording:actor.${actor}`);
}
