import { releaseExport } from '@countersign/domain/actions';
import type { ReleasedExport } from '@countersign/domain/exports';
import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import { Card, Notice } from '../../parts/blocks.tsx';
import { CopyField } from '../../parts/copy.tsx';
import { Moment } from '../../parts/page-parts.tsx';
import type { MessageKey } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import type { StaffEnv } from '../../staff/area.tsx';
import { answerShownOnce } from '../../staff/shown-once.tsx';
import type { ActionPage } from '../action-page.tsx';
import { aboutVerification } from '../retention/retention-actions.tsx';
import type { RetainedVerification } from '../retention/retention-section.tsx';
import type { CopyPathOf } from './export-section.tsx';

/** The pages of verifications in an area, below which the pages of copies are mounted. */
export interface CopyArea<S> {
  readonly pathOf: CopyPathOf;
  /** The label of the link back. */
  readonly back: MessageKey;
  /** @throws CountersignError `VERIFICATION_NOT_FOUND` */
  readonly load: (context: Context<StaffEnv>, verificationId: string) => Promise<S>;
}

/** The page that releases a copy of a person's data. Its result shows the link and the code, once. */
export function releasePage<S extends RetainedVerification>({
  pathOf,
  back,
  load,
}: CopyArea<S>): ActionPage<{ readonly verificationId: string }, ReleasedExport, S> {
  return {
    action: releaseExport,
    path: '/:verificationId/data-copy',
    back: ({ id }) => ({ path: pathOf(id), label: back }),
    load: (context, { verificationId = '' }) => load(context, verificationId),
    about: aboutVerification,
    intro: ({ type }, page) => (type === 'kyb' ? <OtherPeople page={page} /> : null),
    closed: ({ retention }, context) =>
      retention.erasedAt === null
        ? null
        : context.get('page').t('actions:exports.release.outcomes.ILLEGAL_TRANSITION'),
    done: (released, context) =>
      answerReleased(released, context, { path: pathOf(released.verificationId), label: 'exports:released.back' }),
  };
}

/** Warns that the copy of a business has data of people who did not ask for it. */
const OtherPeople: FC<{ page: Page }> = ({ page: { t } }) => (
  <Notice tone="warn" title={t('exports:business.title')}>
    <p>{t('exports:business.text')}</p>
  </Notice>
);

/** Shows link and code with copy buttons, and how to hand them over. */
function answerReleased(
  { link, code, expiresAt }: ReleasedExport,
  context: Context<StaffEnv>,
  back: { readonly path: string; readonly label: MessageKey },
): Response | Promise<Response> {
  const page = context.get('page');
  const { t } = page;
  return answerShownOnce(
    context,
    {
      title: t('exports:released.title'),
      warning: { title: t('exports:released.onceTitle'), text: t('exports:released.onceText') },
      id: 'export-link',
      label: t('exports:released.link'),
      value: link,
      note: (
        <>
          <CopyField page={page} id="export-code" label={t('exports:released.code')} value={code} />
          <p>
            {t('exports:released.until')} <Moment at={expiresAt} page={page} />
          </p>
        </>
      ),
      back,
    },
    <Card id="next" title={t('exports:released.nextTitle')} class="narrow-form">
      <p>{t('exports:released.nextText')}</p>
    </Card>,
  );
}
