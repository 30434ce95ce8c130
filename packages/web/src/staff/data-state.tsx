import { shortReference } from '@countersign/domain';
import { erasedReference, type RetentionView } from '@countersign/domain/retention';
import type { FC, PropsWithChildren } from 'hono/jsx';
import { Notice } from '../parts/blocks.tsx';
import { momentInWords } from '../site/formats.ts';
import type { Page } from '../site/page.ts';

/** Gives the state of a verification's data and its end. */
export function dataInWords({ data: { state, until }, heldAt, erasedAt }: RetentionView, page: Page): string {
  const { t, language } = page;
  const moment = (at: Date): string => momentInWords(at, language);
  if (state === 'erased') return t('wording:data.erased', { at: erasedAt === null ? '' : moment(erasedAt) });
  if (state !== 'held') {
    return until === null ? t('wording:data.keptOpen') : t(`wording:data.${state}`, { until: moment(until) });
  }
  const since = heldAt === null ? '' : moment(heldAt);
  return until === null
    ? t('wording:data.heldOpen', { since })
    : t('wording:data.held', { since, until: moment(until) });
}

/** Says in place of answers, files and metadata that they are hidden or erased. The children offer what remains possible. */
export const HiddenData: FC<PropsWithChildren<{ retention: RetentionView; page: Page }>> = (props) => {
  const { retention, page, children } = props;
  const texts = retention.erasedAt === null ? 'hidden' : 'gone';
  return (
    <Notice>
      <h2>{page.t(`wording:data.${texts}.title`)}</h2>
      <p>{page.t(`wording:data.${texts}.text`)}</p>
      {children}
    </Notice>
  );
};

/** Names a verification by its subject reference; once that is erased, by its short reference. */
export function referenceInWords(
  { id, subjectReference }: { readonly id: string; readonly subjectReference: string },
  { t }: Page,
): string {
  return subjectReference === erasedReference(id)
    ? t('wording:data.erasedReference', { reference: shortReference(id) })
    : subjectReference;
}
