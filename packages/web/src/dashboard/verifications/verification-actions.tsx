import {
  createVerification as createVerificationAction,
  exportVerifications,
  type OpenedVerification,
  readVerification,
  renewVerificationLink,
  type VerificationView,
  withdrawVerification,
} from '@countersign/domain';
import { type Context, Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { type ActionPage, mountActionPage, requireAction } from '../../actions/action-page.tsx';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { createPage, createVerification } from './create-page.tsx';
import { detailPage } from './detail-page.tsx';
import { exportFile, exportPage } from './export-page.tsx';
import { listPage, StatusText } from './list-page.tsx';
import { verificationPath } from './paths.ts';

/** The pages of a client's verifications. */
export function verificationRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  routes.get('/', listPage(site));
  routes.get('/new', requireAction(site, createVerificationAction), createPage(site));
  routes.post('/new', createVerification(site));
  routes.get('/export', requireAction(site, exportVerifications), exportPage(site));
  routes.get('/export.csv', exportFile(site));
  routes.get('/:verificationId', detailPage(site));
  mountActionPage(routes, site, answerDashboardPage, withdraw);
  mountActionPage(routes, site, answerDashboardPage, renewLink);
  return routes;
}

type VerificationPage = ActionPage<{ readonly verificationId: string }, VerificationView, OpenedVerification>;

const onVerification: Pick<VerificationPage, 'back' | 'load' | 'about'> = {
  back: { path: ({ id }) => verificationPath(id), label: 'dashboard:verifications.keepAsIs' },
  load: (context, { verificationId = '' }) => context.get('as').run(readVerification, { verificationId }),
  about: referenceAndStatus,
};

const withdraw: VerificationPage = {
  ...onVerification,
  action: withdrawVerification,
  path: '/:verificationId/withdraw',
  closed: ({ mayWithdraw }, context) => (mayWithdraw ? null : notInThisStatus(context)),
  isDangerous: true,
  done: (context, _site, { id }) => toVerification(context, id, 'withdrawn'),
};

const renewLink: VerificationPage = {
  ...onVerification,
  action: renewVerificationLink,
  path: '/:verificationId/renew-link',
  closed: ({ mayRenewLink }, context) => (mayRenewLink ? null : notInThisStatus(context)),
  done: (context, _site, { id }) => toVerification(context, id, 'renewed'),
};

function notInThisStatus(context: Context<StaffEnv>): string {
  return context.get('page').t('actions:outcomes.ILLEGAL_TRANSITION');
}

function toVerification(context: Context<StaffEnv>, id: string, done: 'withdrawn' | 'renewed'): Response {
  return context.redirect(context.get('page').href(`${verificationPath(id)}?done=${done}`), 303);
}

function referenceAndStatus({ subjectReference, type, status }: OpenedVerification, page: Page): Child {
  return (
    <>
      <strong class="as-typed">{subjectReference}</strong>, {page.t(`wording:type.${type}`)}{' '}
      <StatusText status={status} page={page} />
    </>
  );
}
