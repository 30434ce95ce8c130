import type { VerificationDetails } from '@countersign/domain';
import { readVerification } from '@countersign/domain/actions';
import { OPENING_MS } from '@countersign/domain/retention';
import type { Context } from 'hono';
import { Notice } from '../../parts/blocks.tsx';
import { LinkTo } from '../../parts/page-parts.tsx';
import { answerStaffPage, type StaffEnv } from '../../staff/area.tsx';
import { verificationPath } from '../paths.ts';
import { Data } from './detail-page.tsx';

const MINUTE_MS = 60_000;

/**
 * Answers the form that opens hidden data with the data. The page has no address of its own: reading it again needs a reason again. Its
 * files have, and the opening lets its user read them for a while.
 */
export async function answerOpened(details: VerificationDetails, context: Context<StaffEnv>): Promise<Response> {
  const page = context.get('page');
  const { id, subjectReference } = details;
  const { flow, mayReadFiles } = await context.get('as').run(readVerification, { verificationId: id });
  const opened = { ...details, flow };
  return answerStaffPage(
    context,
    { title: subjectReference },
    <>
      <h1 class="as-typed">
        <bdi>{subjectReference}</bdi>
      </h1>
      <Notice tone="warn" role="status">
        <p>{page.t('staff:retention.opened')}</p>
        {mayReadFiles ? <p>{page.t('staff:retention.openedFiles', { minutes: OPENING_MS / MINUTE_MS })}</p> : null}
      </Notice>
      <Data opened={opened} filesOf={mayReadFiles ? id : undefined} page={page} />
      <LinkTo path={verificationPath(id)} label="staff:retention.closeOpened" page={page} />
    </>,
  );
}
