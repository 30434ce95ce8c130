import { readVerification, type VerificationDetails } from '@countersign/domain';
import type { Context } from 'hono';
import { answerStaffPage, type StaffEnv } from '../../staff/area.tsx';
import { LinkTo } from '../../staff/page-parts.tsx';
import { verificationPath } from '../paths.ts';
import { Metadata } from './detail-page.tsx';
import { Steps } from './history.tsx';
import { Documents, SubmittedData } from './submitted-data.tsx';
import { STYLES } from './verification-list.tsx';

/** Answers the form that opens hidden data with the data. The page has no address of its own: reading it again needs a reason again. */
export async function answerOpened(details: VerificationDetails, context: Context<StaffEnv>): Promise<Response> {
  const page = context.get('page');
  const { id, subjectReference } = details;
  const { flow } = await context.get('as').run(readVerification, { verificationId: id });
  const opened = { ...details, flow };
  return answerStaffPage(
    context,
    { title: subjectReference, styles: STYLES },
    <>
      <h1 class="as-typed">{subjectReference}</h1>
      <p class="notice warn" role="status">
        {page.t('staff:retention.opened')}
      </p>
      <Steps opened={opened} page={page} />
      <SubmittedData opened={opened} page={page} />
      <Documents opened={opened} page={page} />
      <Metadata metadata={details.metadata} page={page} />
      <LinkTo path={verificationPath(id)} label="staff:retention.closeOpened" page={page} />
    </>,
  );
}
