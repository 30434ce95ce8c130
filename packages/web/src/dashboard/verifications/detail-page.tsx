import {
  type JsonObject,
  type OpenedVerification,
  readVerification,
  renewVerificationLink,
  withdrawVerification,
} from '@countersign/domain';
import type { Handler } from 'hono';
import type { FC, PropsWithChildren } from 'hono/jsx';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import { COPY_SCRIPT, CopyField } from '../../staff/copy-field.tsx';
import { Moment } from '../../staff/moment.tsx';
import { DecisionInWords, RequestInWords } from '../../staff/reasons.tsx';
import { Result } from '../../staff/result.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { VERIFICATIONS_PATH } from '../paths.ts';
import { StatusHistory, Steps } from './history.tsx';
import { StatusText } from './list-page.tsx';
import { movePath, STYLES } from './paths.ts';
import { Documents, SubmittedData } from './submitted-data.tsx';

/** The results of forms that lead here. */
const DONE = ['created', 'withdrawn', 'renewed'] as const;
/** The page of a verification. */
export function detailPage(site: Site): Handler<StaffEnv, '/:verificationId'> {
  return async (context) => {
    const page = context.get('page');
    const { t, href } = page;
    const as = context.get('as');
    const opened = await as.run(readVerification, { verificationId: context.req.param('verificationId') });
    const { subjectReference, actionNeeded, decision } = opened;
    const done = DONE.find((name) => name === context.req.query('done'));
    return answerDashboardPage(
      context,
      site,
      { title: subjectReference, scripts: [COPY_SCRIPT], styles: STYLES },
      <>
        {done === undefined ? null : <Result text={t(`dashboard:verifications.done.${done}`)} />}
        <p>
          <a href={href(VERIFICATIONS_PATH)}>{`← ${t('dashboard:verifications.all')}`}</a>
        </p>
        <h1 class="as-typed">{subjectReference}</h1>
        <VerificationFacts opened={opened} page={page} />
        {as.may(renewVerificationLink) === 'no' ? null : (
          <LinkToSend opened={opened} page={page} now={site.options.clock.now()} />
        )}
        {actionNeeded === null ? null : <RequestInWords request={actionNeeded} page={page} />}
        {decision === null ? null : <DecisionInWords decision={decision} page={page} />}
        <Steps opened={opened} page={page} />
        <SubmittedData opened={opened} page={page} />
        <Documents opened={opened} page={page} />
        <StatusHistory opened={opened} page={page} />
        <Metadata metadata={opened.metadata} page={page} />
        {as.may(withdrawVerification) !== 'no' && opened.mayWithdraw ? (
          <section aria-labelledby="withdraw-title">
            <h2 id="withdraw-title">{t('dashboard:verifications.withdraw.title')}</h2>
            <p>{t('dashboard:verifications.withdraw.hint')}</p>
            <p>
              <a href={href(movePath(opened.id, 'withdraw'))}>{t('dashboard:verifications.withdraw.link')}</a>
            </p>
          </section>
        ) : null}
      </>,
    );
  };
}

/** Status, type, progress, dates and id. */
const VerificationFacts: FC<{ opened: OpenedVerification; page: Page }> = ({ opened, page }) => {
  const { t } = page;
  const { id, type, status, requestedAt, resolvedAt, currentStep, totalSteps } = opened;
  return (
    <dl class="facts">
      <Fact label={t('dashboard:verifications.status')}>
        <StatusText status={status} page={page} />
      </Fact>
      <Fact label={t('dashboard:verifications.type')}>{t(`wording:type.${type}`)}</Fact>
      <Fact label={t('dashboard:verifications.progress')}>
        {t('dashboard:verifications.stepsDone', { done: currentStep, total: totalSteps })}
      </Fact>
      <Fact label={t('dashboard:verifications.requested')}>
        <Moment at={requestedAt} page={page} />
      </Fact>
      {resolvedAt === null ? null : (
        <Fact label={t('dashboard:verifications.resolved')}>
          <Moment at={resolvedAt} page={page} />
        </Fact>
      )}
      <Fact label={t('dashboard:verifications.id')}>
        <code>{id}</code>
      </Fact>
    </dl>
  );
};

const Fact: FC<PropsWithChildren<{ label: string }>> = ({ label, children }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

/**
 * Shows the subject's link while it can be used or renewed. Only for roles that may send it, because the link lets its
 * holder continue in the subject's place.
 */
const LinkToSend: FC<{ opened: OpenedVerification; page: Page; now: Date }> = ({ opened, page, now }) => {
  const { t, href } = page;
  const { id, status, verificationUrl, linkExpiresAt, mayRenewLink } = opened;
  const hasExpired = linkExpiresAt <= now;
  const isOver = status === 'approved' || status === 'rejected' || (hasExpired && !mayRenewLink);
  if (isOver || verificationUrl === null) return null;
  return (
    <section aria-labelledby="link-title">
      <h2 id="link-title">{t('dashboard:verifications.link.title')}</h2>
      {hasExpired ? (
        <div class="notice warn">
          <p>
            {t('dashboard:verifications.link.expired')} <Moment at={linkExpiresAt} page={page} />
          </p>
        </div>
      ) : (
        <>
          <CopyField
            page={page}
            id="verification-link"
            label={t('dashboard:verifications.link.label')}
            value={verificationUrl}
          />
          <p>
            {t('dashboard:verifications.link.expires')} <Moment at={linkExpiresAt} page={page} />
          </p>
        </>
      )}
      {mayRenewLink ? (
        <p>
          <a href={href(movePath(id, 'renew-link'))}>{t('dashboard:verifications.renew.link')}</a>{' '}
          <span class="quiet">{t('dashboard:verifications.renew.hint')}</span>
        </p>
      ) : null}
    </section>
  );
};

/** The client's metadata, as the API returns it. */
const Metadata: FC<{ metadata: JsonObject; page: Page }> = ({ metadata, page: { t } }) => (
  <section aria-labelledby="metadata-title">
    <h2 id="metadata-title">{t('dashboard:verifications.metadata.title')}</h2>
    {Object.keys(metadata).length === 0 ? (
      <p class="quiet">{t('dashboard:verifications.metadata.none')}</p>
    ) : (
      <pre>
        <code>{JSON.stringify(metadata, null, 2)}</code>
      </pre>
    )}
  </section>
);
