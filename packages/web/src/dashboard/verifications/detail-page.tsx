import type { OpenedVerification } from '@countersign/domain';
import {
  eraseVerificationData,
  openRestrictedData,
  readVerification,
  renewVerificationLink,
  withdrawVerification,
} from '@countersign/domain/actions';
import type { Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { type Danger, DangerZone } from '../../actions/danger-zone.tsx';
import { ExportSection, exportFor } from '../../actions/exports/export-section.tsx';
import { otherLinks } from '../../actions/other-actions.ts';
import { RetentionSection } from '../../actions/retention/retention-section.tsx';
import { VerificationBadge } from '../../parts/badge.tsx';
import { Card, Notice, TwoColumns } from '../../parts/blocks.tsx';
import { COPY_SCRIPT, CopyButton, CopyId } from '../../parts/copy.tsx';
import { Facts, LinkTo, Moment, Result } from '../../parts/page-parts.tsx';
import type { MessageKey } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import { QrCode } from '../../site/qr-code.tsx';
import { ShortReference } from '../../site/short-reference.tsx';
import { answerStaffPage, type StaffEnv } from '../../staff/area.tsx';
import { dataInWords, HiddenData, referenceInWords } from '../../staff/data-state.tsx';
import { DecisionReasons, RequestInWords, saysMoreThanOutcome } from '../../staff/reasons.tsx';
import { VERIFICATIONS_PATH, verificationPath } from '../paths.ts';
import { ExportButton } from './files.tsx';
import { StatusHistory, Steps } from './history.tsx';
import { Documents, SubmittedData } from './submitted-data.tsx';

/** The page of a verification. */
export const detailPage: Handler<StaffEnv, '/:verificationId'> = async (context) => {
  const page = context.get('page');
  const as = context.get('as');
  const opened = await as.run(readVerification, { verificationId: context.req.param('verificationId') });
  const { actionNeeded, decision, endedBy, retention } = opened;
  const reference = referenceInWords(opened, page);
  const request = await exportFor(context, opened.id);
  const now = context.get('site').options.clock.now();
  const dangers: readonly Danger[] = [
    ...(opened.mayWithdraw ? [dangerOf(opened.id, 'withdraw')] : []),
    ...(retention.mayErase ? [dangerOf(opened.id, 'erase')] : []),
  ];
  return answerStaffPage(
    context,
    {
      title: reference,
      back: { path: VERIFICATIONS_PATH, label: 'dashboard:nav.verifications' },
      scripts: [COPY_SCRIPT],
    },
    <>
      <Result context={context} texts="dashboard:verifications.done" />
      <Result context={context} texts="staff:retention.done" />
      <Result context={context} texts="exports:section.done" />
      <div class="list-head">
        <h1 class="as-typed">
          <bdi>{reference}</bdi>
        </h1>
        {opened.mayReadFiles && !retention.isHidden ? (
          <ExportButton verificationId={opened.id} page={page} />
        ) : null}
      </div>
      <TwoColumns
        first={
          <>
            {actionNeeded === null ? null : (
              <div class="card">
                <RequestInWords request={actionNeeded} page={page} />
              </div>
            )}
            {decision === null || !saysMoreThanOutcome({ decision, endedBy }) ? null : (
              <div class="card">
                <DecisionReasons decision={decision} endedBy={endedBy} page={page} />
              </div>
            )}
          </>
        }
        aside={
          <>
            <VerificationFacts opened={opened} page={page} />
            {as.may(renewVerificationLink) === 'no' ? null : <LinkToSend opened={opened} page={page} now={now} />}
            <RetentionSection context={context} verification={opened} pathOf={verificationPath} withoutErasure />
            {retention.erasedAt === null ? (
              <ExportSection
                context={context}
                verificationId={opened.id}
                request={request}
                pathOf={verificationPath}
              />
            ) : null}
            {otherLinks(context, { verificationId: opened.id }).map((link) => (
              <LinkTo {...link} page={page} />
            ))}
            <StatusHistory opened={opened} page={page} />
          </>
        }
      >
        {retention.isHidden ? (
          <HiddenData retention={retention} page={page}>
            {retention.mayOpenRestricted && as.may(openRestrictedData) !== 'no' ? (
              <LinkTo path={verificationPath(opened.id, 'open')} label="staff:retention.toOpen" page={page} />
            ) : null}
          </HiddenData>
        ) : (
          <Data opened={opened} filesOf={opened.mayReadFiles ? opened.id : undefined} page={page} />
        )}
        <DangerZone context={context} dangers={dangers} />
      </TwoColumns>
    </>,
  );
};

const DANGERS = {
  withdraw: {
    action: withdrawVerification,
    label: 'dashboard:verifications.withdraw.link',
    text: 'dashboard:verifications.withdraw.hint',
  },
  erase: {
    action: eraseVerificationData,
    label: 'staff:retention.toErase',
    text: 'dashboard:verifications.eraseHint',
  },
} as const;

function dangerOf(verificationId: string, action: keyof typeof DANGERS): Danger {
  return { ...DANGERS[action], path: verificationPath(verificationId, action) };
}

type Shown = Parameters<typeof SubmittedData>[0]['opened'] & Pick<OpenedVerification, 'metadata'>;

/** What the subject and the client gave: files, answers, metadata; and the steps, unless the answers say as much. */
export const Data: FC<{ opened: Shown; filesOf: string | undefined; page: Page }> = (props) => {
  const { opened, page } = props;
  const { steps, submittedData, metadata } = opened;
  const isComplete = submittedData !== null && steps.every(({ status }) => status === 'completed');
  return (
    <>
      {isComplete ? null : <Steps opened={opened} page={page} />}
      <Documents {...props} />
      <SubmittedData opened={opened} page={page} />
      {Object.keys(metadata).length === 0 ? null : (
        <Card id="metadata" title={page.t('dashboard:verifications.metadata.title')}>
          <pre>
            <code>{JSON.stringify(metadata, null, 2)}</code>
          </pre>
        </Card>
      )}
    </>
  );
};

/** Status, type, progress, dates and id. */
const VerificationFacts: FC<{ opened: OpenedVerification; page: Page }> = ({ opened, page }) => {
  const { t } = page;
  const { id, type, requestedAt, resolvedAt, currentStep, totalSteps } = opened;
  const progress = t('dashboard:verifications.stepsDone', { done: currentStep, total: totalSteps });
  const momentOf = (label: MessageKey, at: Date | null) =>
    at === null ? null : ([t(label), <Moment at={at} page={page} />] as const);
  return (
    <Card
      id="facts"
      title={t('dashboard:verifications.facts')}
      more={<VerificationBadge of={opened} page={page} />}
    >
      <Facts
        items={[
          [t('dashboard:verifications.type'), t(`wording:type.${type}`)],
          [t('dashboard:verifications.progress'), progress],
          momentOf('dashboard:verifications.requested', requestedAt),
          momentOf('dashboard:verifications.resolved', resolvedAt),
          [t('wording:data.label'), dataInWords(opened.retention, page)],
          [t('wording:shortReference.label'), <ShortReference id={id} />],
          [
            t('dashboard:verifications.id'),
            <CopyId page={page} id="verification-id" value={id} what={t('dashboard:verifications.id')} />,
          ],
        ]}
      />
    </Card>
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
    <Card id="link" title={t('dashboard:verifications.link.title')}>
      {hasExpired ? (
        <Notice tone="warn">
          <p>
            {t('dashboard:verifications.link.expired')} <Moment at={linkExpiresAt} page={page} />
          </p>
        </Notice>
      ) : (
        <>
          <p class="copy-line">
            <code>{`${new URL(verificationUrl).host}/••••••••`}</code>
            <CopyButton page={page} of="verification-link" what={t('dashboard:verifications.link.label')} />
          </p>
          <p class="quiet">
            {t('dashboard:verifications.link.expires')} <Moment at={linkExpiresAt} page={page} />
          </p>
          <details>
            <summary>{t('dashboard:verifications.link.show')}</summary>
            <label for="verification-link">{t('dashboard:verifications.link.label')}</label>
            <input
              id="verification-link"
              type="text"
              value={verificationUrl}
              readonly
              autocomplete="off"
              spellcheck={false}
            />
            <QrCode text={verificationUrl} alt={t('dashboard:verifications.link.qr')} />
          </details>
        </>
      )}
      {mayRenewLink ? (
        <>
          <p>
            <a href={href(verificationPath(id, 'renew-link'))} class="button secondary">
              {t('dashboard:verifications.renew.link')}
            </a>
          </p>
          <p class="quiet">{t('dashboard:verifications.renew.hint')}</p>
        </>
      ) : null}
    </Card>
  );
};
