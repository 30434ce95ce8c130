import type { Status } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../../site/page.ts';

/** The status, and of what is not decided who has it now: the word says it, the colour only helps. */
export const StatusInWords: FC<{ status: Status; page: Page }> = ({ status, page: { t } }) => (
  <>
    <span class={`badge status-${status}`}>{t(`wording:statusShort.${status}`)}</span>
    {status === 'approved' || status === 'rejected' ? null : (
      <>
        {' '}
        <strong class="waits">{t(`dashboard:verifications.waits.${status}`)}</strong>
      </>
    )}
  </>
);
