import { kindOfWarning, type ReviewWarning, type Verification } from '@countersign/domain';
import { type Field, type Row, rowsOf, stepOf } from '@countersign/domain/flows';
import type { FC } from 'hono/jsx';
import { Notice } from '../parts/blocks.tsx';
import { Icon } from '../parts/icon.tsx';
import { findText } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import { answerLabel, entryInWords } from '../staff/answer-rows.ts';
import { answerId } from './paths.ts';
import type { ReviewView } from './review-view.ts';

/** What names the place of a warning. */
interface Places extends Pick<ReviewView, 'page'> {
  readonly reviewed: { readonly verification: Pick<Verification, 'flow' | 'steps'> };
}

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
            <Detail warning={warning} view={view} />
          </li>
        ))}
      </ul>
    </Notice>
  );
};

/** Shows a warning beside its field. @param props.shown the value that stands there already */
export const WarningMark: FC<{ view: Places; warning: ReviewWarning; shown?: string | null | undefined }> = ({
  view,
  warning,
  shown,
}) => (
  <span class="warning-mark">
    <Icon page={view.page} name="triangle-alert" /> {view.page.t(`review:warning.${warning.code}`)}
    {warning.detail === shown ? null : <Detail warning={warning} view={view} />}
  </span>
);

/** Names the value with which the answer was compared. */
const Detail: FC<{ warning: ReviewWarning; view: Places }> = ({ warning, view }) => {
  const { page } = view;
  if (warning.detail === undefined) return null;
  const field = fieldOfDetail(warning, view);
  const words = warning.detail.split(', ').map((part) => partInWords(field, part, page));
  return (
    <span class="quiet">
      {' '}
      (<bdi>{words.join(', ')}</bdi>)
    </span>
  );
};

/** Returns the field that could have the detail of a warning. */
function fieldOfDetail(warning: ReviewWarning, view: Places): Field | null {
  return kindOfWarning(warning.code).namesCountries ? { kind: 'country' } : (rowAt(warning, view)?.field ?? null);
}

/** A file is named by what it shows. */
function partInWords(field: Field | null, part: string, page: Page): string {
  return field?.kind === 'file'
    ? (findText(page.t, [`wording:kind.${part}`]) ?? part)
    : entryInWords(field, part, page);
}

/** Links to the row of the field, or to its step. */
const Place: FC<{ warning: ReviewWarning; view: Places }> = ({ warning, view }) => {
  const { t } = view.page;
  const row = rowAt(warning, view);
  const name = t(`wording:step.${warning.step}`);
  return (
    <a href={`#${answerId(warning.step, row?.path ?? '')}`}>
      {row === undefined ? name : `${name}, ${answerLabel(row.path, t)}`}
    </a>
  );
};

function rowAt({ step, path }: ReviewWarning, { reviewed }: Places): Row | undefined {
  const { flow, steps } = reviewed.verification;
  const rows = rowsOf(stepOf(flow, step)?.fields ?? {}, steps[step]?.answers ?? {});
  return rows.find((candidate) => isAt(path, candidate.path));
}

/** Whether a warning belongs to a row: one of several values in a row has a longer path than the row. */
export function isAt(warningPath: string, rowPath: string): boolean {
  return warningPath === rowPath || warningPath.startsWith(`${rowPath}.`);
}
