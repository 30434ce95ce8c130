import { declineExport } from '@countersign/domain/actions';
import { type DeclineReason, type ExportRequest, isDeclinable } from '@countersign/domain/exports';
import type { Context } from 'hono';
import type { StaffEnv } from '../../staff/area.tsx';
import type { ActionPage } from '../action-page.tsx';
import { aboutVerification } from '../retention/retention-actions.tsx';
import type { RetainedVerification } from '../retention/retention-section.tsx';
import { exportFor } from './export-section.tsx';
import type { CopyArea } from './release-page.tsx';

interface DeclineInput {
  readonly verificationId: string;
  readonly declineReason: DeclineReason;
}

interface Requested<S> {
  readonly verification: S;
  readonly request: ExportRequest | null;
}

/** The page that declines a subject's request for a copy of their data, with a reason that the subject sees. */
export function declinePage<S extends RetainedVerification>({
  pathOf,
  back,
  load,
}: CopyArea<S>): ActionPage<DeclineInput, ExportRequest, Requested<S>> {
  return {
    action: declineExport,
    path: '/:verificationId/decline-copy',
    back: ({ verification: { id } }) => ({ path: pathOf(id), label: back }),
    async load(context, { verificationId = '' }) {
      const verification = await load(context, verificationId);
      return { verification, request: (await exportFor(context, verificationId)) ?? null };
    },
    about: ({ verification }, page) => aboutVerification(verification, page),
    closed: ({ request }, context) =>
      request !== null && isDeclinable(request, nowOf(context)) ? null : nothingToDecline(context),
    done: ({ verificationId }) => `${pathOf(verificationId)}?done=copyDeclined`,
  };
}

function nothingToDecline(context: Context<StaffEnv>): string {
  return context.get('page').t('actions:exports.decline.outcomes.ILLEGAL_TRANSITION');
}

function nowOf(context: Context<StaffEnv>): Date {
  return context.get('site').options.clock.now();
}
