import { readOwnUsage } from '@countersign/domain/actions';
import type { Handler } from 'hono';
import { answerStaffPage, type StaffEnv } from '../staff/area.tsx';
import { UsageDetails } from '../staff/usage/usage-meter.tsx';
import { VERIFICATIONS_PATH } from './paths.ts';

/** Shows the month against its limit, and each of the last days. */
export const usagePage: Handler<StaffEnv> = async (context) => {
  const page = context.get('page');
  const title = page.t('staff:usage.title');
  const usage = await context.get('as').run(readOwnUsage, {});
  return answerStaffPage(
    context,
    { title },
    <>
      <h1>{title}</h1>
      <UsageDetails
        usage={usage}
        hrefOf={(day) => page.href(`${VERIFICATIONS_PATH}?from=${day}&until=${day}`)}
        page={page}
      />
    </>,
  );
};
