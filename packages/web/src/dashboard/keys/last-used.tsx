import type { FC } from 'hono/jsx';
import type { Page } from '../../site/page.ts';
import { agoInWords } from '../../wording/ago.ts';
import { momentInWords } from '../../wording/wording.ts';

/** How exact it is known (domain: `lastUsedAt`). Less than that ago is just now. */
const EXACT_TO_MS = 5 * 60_000;

/** When a key was used last, in words; the moment itself is in the element and shows on hover. */
export const LastUsed: FC<{ at: Date | null; now: Date; page: Page }> = ({ at, now, page: { t, language } }) => {
  if (at === null) return <>{t('dashboard:keys.neverUsed')}</>;
  const ago = now.getTime() - at.getTime();
  return (
    <time datetime={at.toISOString()} title={momentInWords(at, language)}>
      {ago < EXACT_TO_MS ? t('dashboard:keys.justNow') : agoInWords(ago, language)}
    </time>
  );
};
