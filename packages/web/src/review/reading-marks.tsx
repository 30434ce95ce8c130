import type { Mark, MarkedAnswer } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Tone } from '../parts/badge.tsx';
import type { Page } from '../site/page.ts';
import { entryInWords } from '../staff/answer-rows.ts';

/** The sign of each mark, in the order of the legend. */
const SIGNS: Readonly<Record<Mark, { readonly sign: string; readonly tone: Tone }>> = {
  read: { sign: '✓', tone: 'good' },
  differs: { sign: '≠', tone: 'warn' },
  typed: { sign: '•', tone: 'idle' },
};

const Sign: FC<{ mark: Mark }> = ({ mark }) => (
  <span class={`badge is-${SIGNS[mark].tone}`} aria-hidden="true">
    {SIGNS[mark].sign}
  </span>
);

/** Says of an answer whether the document says the same. */
export const ReadingMark: FC<{ mark: Mark; page: Page }> = ({ mark, page: { t } }) => (
  <span class="reading-mark" title={t(`review:reading.${mark}`)}>
    <Sign mark={mark} />
    <span class="visually-hidden"> {t(`review:reading.${mark}`)}</span>
  </span>
);

/** Shows what was read. */
export const ReadValue: FC<{ marked: MarkedAnswer; page: Page }> = ({ marked: { field, read }, page }) =>
  read === null ? null : <bdi>{entryInWords(field, read, page)}</bdi>;

/** Explains the marks, if the answers have any. */
export const MarkLegend: FC<{ marks: readonly MarkedAnswer[]; page: Page }> = ({ marks, page: { t } }) =>
  marks.length === 0 ? null : (
    <ul class="mark-legend hint">
      {(Object.keys(SIGNS) as Mark[]).map((mark) => (
        <li>
          <Sign mark={mark} /> {t(`review:reading.${mark}`)}
        </li>
      ))}
    </ul>
  );
