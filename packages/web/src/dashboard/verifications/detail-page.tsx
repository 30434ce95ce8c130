import { type OpenedVerification, readVerification, withdrawVerification } from '@countersign/domain';
import type { Context, Handler } from 'hono';
import type { FC } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import { COPY_SCRIPT } from '../../staff/copy-field.tsx';
import { Result } from '../../staff/result.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { DecisionInWords, RequestInWords } from '../../wording/reasons.tsx';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { VERIFICATIONS_PATH } from '../paths.ts';
import { VerificationFacts } from './facts.tsx';
import { StatusHistory, Steps } from './history.tsx';
import { LinkToSend } from './link-to-send.tsx';
import { Metadata } from './metadata.tsx';
import { movePath, STYLES } from './paths.ts';
import { Documents, SubmittedData } from './submitted-data.tsx';

/** What a form on these pages did. */
const DONE = ['created', 'withdrawn', 'renewed'] as const;
export type Done = (typeof DONE)[number];

/** The page of a verification. */
export function detailPage(site: Site): Handler<StaffEnv, '/:id'> {
  return async (context) => {
    const opened = await context.get('as').run(readVerification, { verificationId: context.req.param('id') });
    const done = DONE.find((name) => name === context.req.query('done')) ?? null;
    return answerDetailPage(context, site, opened, { done });
  };
}

/** @param told what a form did; or, with `refused`, that it did nothing, since the verification has this status by now */
export function answerDetailPage(
  context: Context<StaffEnv>,
  site: Site,
  opened: OpenedVerification,
  told: { readonly done?: Done | null; readonly refused?: boolean; readonly status?: ContentfulStatusCode } = {},
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const { subjectReference, actionNeeded, decision } = opened;
  const { done = null, refused = false, status = 200 } = told;
  const mayManage = context.get('as').may(withdrawVerification) !== 'no';
  return answerDashboardPage(
    context,
    site,
    { title: subjectReference, scripts: [COPY_SCRIPT], styles: STYLES, status, hasErrors: refused },
    <>
      {refused ? <Refused opened={opened} page={page} /> : null}
      {done === null ? null : <Result text={t(`dashboard:verifications.done.${done}`)} />}
      <p>
        <a href={href(VERIFICATIONS_PATH)}>{`← ${t('dashboard:verifications.all')}`}</a>
      </p>
      <h1 class="as-typed">{subjectReference}</h1>
      <VerificationFacts opened={opened} page={page} />
      {mayManage ? <LinkToSend opened={opened} page={page} now={site.options.clock.now()} /> : null}
      {actionNeeded === null ? null : <RequestInWords request={actionNeeded} page={page} />}
      {decision === null ? null : <DecisionInWords decision={decision} page={page} />}
      <Steps opened={opened} page={page} />
      <SubmittedData opened={opened} page={page} />
      <Documents opened={opened} page={page} />
      <StatusHistory opened={opened} page={page} />
      <Metadata metadata={opened.metadata} page={page} />
      {mayManage && opened.mayWithdraw ? (
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
}

const Refused: FC<{ opened: OpenedVerification; page: Page }> = ({ opened: { status }, page: { t } }) => (
  <div class="notice bad" role="alert" tabindex={-1} autofocus>
    <h2>{t('dashboard:verifications.refused.title')}</h2>
    <p>{t('dashboard:verifications.refused.text', { status: t(`wording:statusShort.${status}`) })}</p>
  </div>
);
