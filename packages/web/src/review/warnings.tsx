import {
  hasToBeChecked,
  kindOfWarning,
  type ReviewWarning,
  type Severity,
  type Verification,
  warningKey,
} from '@countersign/domain';
import { type Field, isWithin, type Row, rowsOf, stepOf } from '@countersign/domain/flows';
import type { FC } from 'hono/jsx';
import type { Tone } from '../parts/badge.tsx';
import { Icon } from '../parts/icon.tsx';
import { findText } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import { answerLabel, answerRows, entryInWords } from '../staff/answer-rows.ts';
import { OtherCases } from './other-cases.tsx';
import { answerId } from './paths.ts';
import type { CaseHead, ReviewView } from './review-view.ts';

type WarningPlace = Pick<ReviewWarning, 'step' | 'path'>;

/** What names the places of warnings. */
interface Places extends Pick<ReviewView, 'page' | 'query'> {
  readonly reviewed: { readonly verification: Pick<Verification, 'flow' | 'steps'> };
}

/** Names each kind of warning once, in a few words, with a link to the first place. */
export const WarningChips: FC<{ view: CaseHead }> = ({ view }) => {
  const { page, reviewed } = view;
  if (reviewed.retention.isHidden) return null;
  const firsts = new Map(reviewed.warnings.toReversed().map((warning) => [warning.code, warning]));
  return (
    <ul class="case-warnings">
      {[...firsts.values()].toReversed().map((warning) => (
        <li>
          <a
            href={`#${answerId(warning.step, rowAt(warning, view)?.path ?? '')}`}
            class={`badge is-${TONES[kindOfWarning(warning.code).severity]}`}
          >
            <Icon page={page} name="triangle-alert" />
            {page.t(`review:warningShort.${warning.code}`)}
          </a>
        </li>
      ))}
    </ul>
  );
};

/** The colour of each severity. */
export const TONES: Readonly<Record<Severity, Tone>> = { info: 'idle', warning: 'warn', critical: 'bad' };

/** What the reviewer says to have checked, with the key that the form sends. */
export interface WarningCheck {
  readonly key: string;
  readonly words: string;
}

/** Lists what the reviewer must have checked before an approval, once for each place and kind. */
export function warningChecks(view: ReviewView): readonly WarningCheck[] {
  const { page, reviewed } = view;
  const { t } = page;
  const words = new Map<string, string>();
  for (const warning of reviewed.warnings) {
    if (!hasToBeChecked(kindOfWarning(warning.code).severity)) continue;
    const row = rowAt(warning, view);
    const field = placeName(warning, row, t);
    const found = warning.detail === undefined ? '' : detailInWords(warning, warning.detail, view);
    const text =
      row !== undefined && READ_CODES.includes(warning.code) && found !== ''
        ? t('review:check.compared', {
            field,
            read: found,
            answer: answerAt(warning, row.path, view),
          })
        : t('review:check.checked', { field, warning: t(`review:warning.${warning.code}`) }) +
          (found === '' ? '' : ` (${found})`);
    const key = warningKey(warning);
    const before = words.get(key);
    words.set(key, before === undefined ? text : `${before}; ${text}`);
  }
  return [...words].map(([key, text]) => ({ key, words: text }));
}

/** Returns the answer in a row in words. */
function answerAt({ step }: WarningPlace, path: string, { page, reviewed }: Places): string {
  const { flow, steps } = reviewed.verification;
  const rows = answerRows(stepOf(flow, step)?.fields ?? {}, steps[step]?.answers ?? {}, page);
  return rows.find((row) => row.path === path)?.value ?? '';
}

/** Warnings that compare an answer with what the document says. */
const READ_CODES: readonly ReviewWarning['code'][] = [
  'reading_edited',
  'reading_differs',
  'reading_expired',
  'reading_state_differs',
  'reading_type_differs',
];

/** Shows a warning beside its field. @param props.shown the value that stands there already */
export const WarningMark: FC<{ view: Places; warning: ReviewWarning; shown?: string | null | undefined }> = ({
  view,
  warning,
  shown,
}) => (
  <>
    <span class={`warning-mark is-${TONES[kindOfWarning(warning.code).severity]}`}>
      <Icon page={view.page} name="triangle-alert" /> {view.page.t(`review:warning.${warning.code}`)}
      {warning.detail === shown ? null : <Detail warning={warning} view={view} />}
    </span>
    {warning.others === undefined ? null : <OtherCases view={view} others={warning.others} />}
  </>
);

/** Names the value with which the answer was compared. */
const Detail: FC<{ warning: ReviewWarning; view: Places }> = ({ warning, view }) =>
  warning.detail === undefined ? null : (
    <span class="quiet">
      {' '}
      (<bdi>{detailInWords(warning, warning.detail, view)}</bdi>)
    </span>
  );

function detailInWords(warning: ReviewWarning, detail: string, view: Places): string {
  const field = fieldOfDetail(warning, view);
  const words = detail.split(', ').map((part) => partInWords(field, part, view.page));
  return words.join(', ');
}

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

/** Names the field of a warning, or its step. */
function placeName({ step }: WarningPlace, row: Row | undefined, t: Page['t']): string {
  const name = t(`wording:step.${step}`);
  return row === undefined ? name : `${name}, ${answerLabel(row.path, t)}`;
}

function rowAt({ step, path }: WarningPlace, { reviewed }: Places): Row | undefined {
  const { flow, steps } = reviewed.verification;
  const rows = rowsOf(stepOf(flow, step)?.fields ?? {}, steps[step]?.answers ?? {});
  // One of several values in a row has a longer path than the row.
  return rows.find((candidate) => isWithin(path, candidate.path));
}
