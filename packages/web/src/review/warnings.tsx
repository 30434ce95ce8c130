import type { ReviewWarning } from '@countersign/domain';
import { EVIDENCE_KINDS } from '@countersign/domain/evidence';
import { stepOf } from '@countersign/domain/flows';
import type { FC } from 'hono/jsx';
import { Notice } from '../parts/blocks.tsx';
import { Icon } from '../parts/icon.tsx';
import { countryInWords, dayInWords } from '../site/formats.ts';
import type { Page } from '../site/page.ts';
import { answerRows } from '../staff/answer-rows.ts';
import { answerId } from './paths.ts';
import type { ReviewView } from './review-view.ts';

/** Lists the warnings, each with a link to its field. */
export const Warnings: FC<{ view: ReviewView }> = ({ view }) => {
  const { page, reviewed } = view;
  const { t } = page;
  const { warnings } = reviewed;
  if (warnings.length === 0) return <p class="quiet no-warnings">{t('review:warning.none')}</p>;
  return (
    <Notice tone="warn">
      <h2>{t('review:warning.heading', { count: warnings.length })}</h2>
      <ul class="warnings">
        {warnings.map((warning) => (
          <li>
            <Place warning={warning} view={view} />
            {': '}
            {t(`review:warning.${warning.code}`)}
            <Detail warning={warning} page={page} />
          </li>
        ))}
      </ul>
    </Notice>
  );
};

/** Shows a warning beside its field. */
export const WarningMark: FC<{ page: Page; warning: ReviewWarning }> = ({ page, warning }) => (
  <span class="warning-mark">
    <Icon page={page} name="triangle-alert" /> {page.t(`review:warning.${warning.code}`)}
    <Detail warning={warning} page={page} />
  </span>
);

/** Names the value with which the answer was compared. */
const Detail: FC<{ warning: ReviewWarning; page: Page }> = ({ warning: { code, detail }, page }) => {
  const { language, t } = page;
  if (detail === undefined) return null;
  const words = detail.split(', ').map((part) => {
    if (code === 'country_mismatch') return countryInWords(part, language);
    const kind = EVIDENCE_KINDS.find((known) => known === part);
    if (code === 'same_file' && kind !== undefined) return t(`wording:kind.${kind}`);
    return code === 'date_mismatch' ? dayInWords(part, language) : part;
  });
  return (
    <span class="quiet">
      {' '}
      (<bdi>{words.join(', ')}</bdi>)
    </span>
  );
};

/** Links to the row of the field, or to its step. */
const Place: FC<{ warning: ReviewWarning; view: ReviewView }> = ({ warning: { step, path }, view }) => {
  const { page, reviewed } = view;
  const { flow, steps } = reviewed.verification;
  const rows = answerRows(stepOf(flow, step)?.fields ?? {}, steps[step]?.answers ?? {}, page);
  const row = rows.find((candidate) => isAt(path, candidate.path));
  const name = page.t(`wording:step.${step}`);
  return <a href={`#${answerId(step, row?.path ?? '')}`}>{row === undefined ? name : `${name}, ${row.label}`}</a>;
};

/** Whether a warning belongs to a row: one of several values in a row has a longer path than the row. */
export function isAt(warningPath: string, rowPath: string): boolean {
  return warningPath === rowPath || warningPath.startsWith(`${rowPath}.`);
}
