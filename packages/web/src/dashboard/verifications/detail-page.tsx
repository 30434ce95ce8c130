import type { JsonObject, OpenedVerification } from '@countersign/domain';
import {
  openRestrictedData,
  readVerification,
  renewVerificationLink,
  withdrawVerification,
} from '@countersign/domain/actions';
import type { Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { ExportSection, exportFor } from '../../actions/exports/export-section.tsx';
import { otherLinks } from '../../actions/other-actions.ts';
import { RetentionSection } from '../../actions/retention/retention-section.tsx';
import { StateBadge } from '../../parts/badge.tsx';
import { Facts, LinkTo, Moment, Result, Section } from '../../parts/page-parts.tsx';
import type { Page } from '../../site/page.ts';
import { ShortReference } from '../../site/short-reference.tsx';
import { answerStaffPage, type StaffEnv } from '../../staff/area.tsx';
import { dataInWords, HiddenData, referenceInWords } from '../../staff/data-state.tsx';
import { DecisionInWords, RequestInWords } from '../../staff/reasons.tsx';
import { COPY_SCRIPT, CopyButton, CopyField } from '../../staff/shown-once.tsx';
import { VERIFICATIONS_PATH, verificationPath } from '../paths.ts';
import { ExportButton } from './files.tsx';
import { StatusHistory, Steps } from './history.tsx';
import { Documents, SubmittedData } from './submitted-data.tsx';

/** The page of a verification. */
export const detailPage: Handler<StaffEnv, '/:verificationId'> = async (context) => {
  const page = context.get('page');
  const { t, href } = page;
  const as = context.get('as');
  const opened = await as.run(readVerification, { verificationId: context.req.param('verificationId') });
  const { actionNeeded, decision, endedBy, retention } = opened;
  const reference = referenceInWords(opened, page);
  const request = await exportFor(context, opened.id);
  return answerStaffPage(
    context,
    { title: reference, scripts: [COPY_SCRIPT] },
    <>
      <Result context={context} texts="dashboard:verifications.done" />
      <Result context={context} texts="staff:retention.done" />
      <Result context={context} texts="exports:section.done" />
      <p>
        <a href={href(VERIFICATIONS_PATH)}>{`← ${t('dashboard:verifications.all')}`}</a>
      </p>
      <h1 class="as-typed">
        <bdi>{reference}</bdi>
      </h1>
      <VerificationFacts opened={opened} page={page} />
      {as.may(renewVerificationLink) === 'no' ? null : (
        <LinkToSend opened={opened} page={page} now={context.get('site').options.clock.now()} />
      )}
      {actionNeeded === null ? null : <RequestInWords request={actionNeeded} page={page} />}
      {decision === null ? null : <DecisionInWords decision={decision} endedBy={endedBy} page={page} />}
      {retention.isHidden ? (
        <HiddenData retention={retention} page={page}>
          {retention.mayOpenRestricted && as.may(openRestrictedData) !== 'no' ? (
            <LinkTo path={verificationPath(opened.id, 'open')} label="staff:retention.toOpen" page={page} />
          ) : null}
        </HiddenData>
      ) : (
        <>
          <Steps opened={opened} page={page} />
          <SubmittedData opened={opened} page={page} />
          <Documents opened={opened} filesOf={opened.mayReadFiles ? opened.id : undefined} page={page}>
            {opened.mayReadFiles ? <ExportButton verificationId={opened.id} page={page} /> : null}
          </Documents>
          <Metadata metadata={opened.metadata} page={page} />
        </>
      )}
      <StatusHistory opened={opened} page={page} />
      <RetentionSection context={context} verification={opened} pathOf={verificationPath} />
      {retention.erasedAt === null ? (
        <ExportSection context={context} verificationId={opened.id} request={request} pathOf={verificationPath} />
      ) : null}
      {otherLinks(context, { verificationId: opened.id }).map((link) => (
        <LinkTo {...link} page={page} />
      ))}
      {as.may(withdrawVerification) !== 'no' && opened.mayWithdraw ? (
        <Section id="withdraw" title={t('dashboard:verifications.withdraw.title')}>
          <p>{t('dashboard:verifications.withdraw.hint')}</p>
          <LinkTo
            path={verificationPath(opened.id, 'withdraw')}
            label="dashboard:verifications.withdraw.link"
            page={page}
          />
        </Section>
      ) : null}
    </>,
  );
};

/** Status, type, progress, dates and id. */
const VerificationFacts: FC<{ opened: OpenedVerification; page: Page }> = ({ opened, page }) => {
  const { t } = page;
  const { id, type, status, requestedAt, resolvedAt, currentStep, totalSteps, retention } = opened;
  const progress = t('dashboard:verifications.stepsDone', { done: currentStep, total: totalSteps });
  return (
    <Facts
      items={[
        [t('dashboard:verifications.status'), <StateBadge of={`verification.${status}`} page={page} />],
        [t('dashboard:verifications.type'), t(`wording:type.${type}`)],
        [t('dashboard:verifications.progress'), progress],
        [t('dashboard:verifications.requested'), <Moment at={requestedAt} page={page} />],
        resolvedAt === null
          ? null
          : [t('dashboard:verifications.resolved'), <Moment at={resolvedAt} page={page} />],
        [t('wording:data.label'), dataInWords(retention, page)],
        [t('wording:shortReference.label'), <ShortReference id={id} />],
        [
          t('dashboard:verifications.id'),
          <>
            <span id="verification-id">
              <code>{id}</code>
            </span>{' '}
            <CopyButton page={page} of="verification-id" what={t('dashboard:verifications.id')} />
          </>,
        ],
      ]}
    />
  );
};

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
    <Section id="link" title={t('dashboard:verifications.link.title')}>
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
          <a href={href(verificationPath(id, 'renew-link'))}>{t('dashboard:verifications.renew.link')}</a>{' '}
          <span class="quiet">{t('dashboard:verifications.renew.hint')}</span>
        </p>
      ) : null}
    </Section>
  );
};

/** The client's metadata, as the API returns it. */
export const Metadata: FC<{ metadata: JsonObject; page: Page }> = ({ metadata, page: { t } }) => (
  <Section id="metadata" title={t('dashboard:verifications.metadata.title')}>
    {Object.keys(metadata).length === 0 ? (
      <p class="quiet">{t('dashboard:verifications.metadata.none')}</p>
    ) : (
      <pre>
        <code>{JSON.stringify(metadata, null, 2)}</code>
      </pre>
    )}
  </Section>
);
