import type { OpenedVerification, VerificationDetails, VerificationView } from '@countersign/domain';
import {
  exportVerifications,
  openRestrictedData,
  readVerification,
  renewVerificationLink,
  withdrawVerification,
} from '@countersign/domain/actions';
import { type Context, Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { type ActionPage, actionPages, requireAction } from '../../actions/action-page.tsx';
import { declinePage } from '../../actions/exports/decline-page.tsx';
import { type CopyArea, releasePage } from '../../actions/exports/release-page.tsx';
import { mountRetentionPages } from '../../actions/retention/retention-actions.tsx';
import { VerificationBadge } from '../../parts/badge.tsx';
import { mountFiles } from '../../site/file-answer.ts';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/area.tsx';
import { referenceInWords } from '../../staff/data-state.tsx';
import { listPage } from '../../staff/list-page.tsx';
import { verificationPath } from '../paths.ts';
import { create } from './create-page.tsx';
import { detailPage } from './detail-page.tsx';
import { exportFile, exportPage } from './export-page.tsx';
import { answerFile, verificationExport } from './files.tsx';
import { answerOpened } from './opened-page.tsx';
import { verificationList } from './verification-list.tsx';

/** The pages of a client's verifications. */
export function verificationRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  const mount = actionPages(routes, site);
  routes.get('/', listPage(verificationList));
  mount(create);
  routes.get('/export', requireAction(exportVerifications), exportPage);
  routes.get('/export.csv', exportFile);
  routes.get('/:verificationId', detailPage);
  mountFiles(routes, '/:verificationId', answerFile);
  routes.get('/:verificationId/export', verificationExport);
  mount(withdraw);
  mount(renewLink);
  mountRetentionPages(mount, {
    pathOf: verificationPath,
    back: 'dashboard:verifications.back',
    load: (context, verificationId) => context.get('as').run(readVerification, { verificationId }),
  });
  mount(openHidden);
  mount(releasePage(copies));
  mount(declinePage(copies));
  return routes;
}

const copies: CopyArea<OpenedVerification> = {
  pathOf: verificationPath,
  back: 'dashboard:verifications.back',
  load: (context, verificationId) => context.get('as').run(readVerification, { verificationId }),
};

type VerificationPage = ActionPage<{ readonly verificationId: string }, VerificationView, OpenedVerification>;

const onVerification: Pick<VerificationPage, 'back' | 'load' | 'about'> = {
  back: ({ id }) => ({ path: verificationPath(id), label: 'dashboard:verifications.back' }),
  load: (context, { verificationId = '' }) => context.get('as').run(readVerification, { verificationId }),
  about: referenceAndStatus,
};

const withdraw: VerificationPage = {
  ...onVerification,
  action: withdrawVerification,
  path: '/:verificationId/withdraw',
  closed: ({ mayWithdraw }, context) => (mayWithdraw ? null : notInThisStatus(context)),
  isDangerous: true,
  done: ({ id }) => `${verificationPath(id)}?done=withdrawn`,
};

const renewLink: VerificationPage = {
  ...onVerification,
  action: renewVerificationLink,
  path: '/:verificationId/renew-link',
  closed: ({ mayRenewLink }, context) => (mayRenewLink ? null : notInThisStatus(context)),
  done: ({ id }) => `${verificationPath(id)}?done=renewed`,
};

const openHidden: ActionPage<
  { readonly verificationId: string; readonly reason: string },
  VerificationDetails,
  OpenedVerification
> = {
  ...onVerification,
  action: openRestrictedData,
  path: '/:verificationId/open',
  closed: ({ retention }, context) => (retention.mayOpenRestricted ? null : notInThisStatus(context)),
  done: answerOpened,
};

function notInThisStatus(context: Context<StaffEnv>): string {
  return context.get('page').t('actions:outcomes.ILLEGAL_TRANSITION');
}

function referenceAndStatus(opened: OpenedVerification, page: Page): Child {
  const { type } = opened;
  return (
    <>
      <strong class="as-typed">
        <bdi>{referenceInWords(opened, page)}</bdi>
      </strong>
      , {page.t(`wording:type.${type}`)} <VerificationBadge of={opened} page={page} />
    </>
  );
}
