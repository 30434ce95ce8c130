import type { FC } from 'hono/jsx';
import { durationInWords, momentInWords } from '../site/formats.ts';
import type { Page } from '../site/page.ts';

/** A moment, to the minute. */
export const Moment: FC<{ at: Date; page: Page }> = ({ at, page }) => (
  <time datetime={at.toISOString()}>{momentInWords(at, page.language)}</time>
);

/** How long ago it was; the moment itself shows on hover. */
export const Age: FC<{ since: Date; now: Date; page: Page }> = ({ since, now, page }) => (
  <time datetime={since.toISOString()} title={momentInWords(since, page.language)}>
    {durationInWords(now.getTime() - since.getTime(), page.language)}
  </time>
);
