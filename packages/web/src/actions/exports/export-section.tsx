import { readExport, releaseExport } from '@countersign/domain/actions';
import { askAgainFrom, type ExportRequest, exportStateOf, isDeclinable } from '@countersign/domain/exports';
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { Card } from '../../parts/blocks.tsx';
import { momentInWords } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';
import { type StaffEnv, withAreaQuery } from '../../staff/area.tsx';

/** The pages of copies below the page of a verification. */
export type CopyPage = 'data-copy' | 'decline-copy';

/** Returns the path of a verification's page, or of a page below it that releases a copy or declines the request. */
export type CopyPathOf = (verificationId: string, page?: CopyPage) => string;

/** Reads the export of a verification for its page: null without one, undefined for users who may not release it. */
export async function exportFor(
  context: Context<StaffEnv>,
  verificationId: string,
): Promise<ExportRequest | null | undefined> {
  const { may, run } = context.get('as');
  return may(releaseExport) === 'no' ? undefined : run(readExport, { verificationId });
}

/** Shows the request for a copy and its release, and links to the release. Nothing for users who may not release it. */
export function ExportSection(props: {
  readonly context: Context<StaffEnv>;
  readonly verificationId: string;
  /** As `exportFor` returns it. */
  readonly request: ExportRequest | null | undefined;
  readonly pathOf: CopyPathOf;
}): Child {
  const { context, verificationId, request, pathOf } = props;
  if (request === undefined) return null;
  const page = context.get('page');
  const now = context.get('site').options.clock.now();
  const isWaiting = request !== null && exportStateOf(request, now) === 'requested';
  const buttons = (
    <div class="buttons">
      <a href={page.href(withAreaQuery(context, pathOf(verificationId, 'data-copy')))} class="button secondary">
        {page.t(isWaiting ? 'exports:section.release' : 'exports:section.give')}
      </a>
      {request !== null && isDeclinable(request, now) ? (
        <a href={page.href(withAreaQuery(context, pathOf(verificationId, 'decline-copy')))} class="button quiet">
          {page.t('exports:section.decline')}
        </a>
      ) : null}
    </div>
  );
  const title = page.t('exports:section.title');
  if (request === null) return <Card id="data-copy" title={title} more={buttons} />;
  return (
    <Card id="data-copy" title={title}>
      {sentences(request, now, page).map((sentence) => (
        <p>{sentence}</p>
      ))}
      {buttons}
    </Card>
  );
}

function sentences(request: ExportRequest, now: Date, { t, language }: Page): readonly string[] {
  const { requestedBy, requestedAt, releasedAt, expiresAt, downloadedAt, downloads } = request;
  const { declinedAt, declineReason } = request;
  const inWords = (moment: Date) => momentInWords(moment, language);
  const state = exportStateOf(request, now);
  return [
    t(`exports:section.requestedBy.${requestedBy}`, { moment: inWords(requestedAt) }),
    ...(releasedAt === null || expiresAt === null
      ? []
      : [
          t(`exports:section.${state === 'released' ? 'released' : 'ended'}`, {
            released: inWords(releasedAt),
            until: inWords(expiresAt),
          }),
        ]),
    ...(downloadedAt === null
      ? []
      : [t('exports:section.downloaded', { count: downloads, moment: inWords(downloadedAt) })]),
    ...(declinedAt === null || declineReason === null
      ? []
      : [
          t('exports:section.declined', {
            moment: inWords(declinedAt),
            reason: t(`actions:choices.declineReason.${declineReason}`),
          }),
        ]),
    ...(declinedAt === null || state === 'ended'
      ? []
      : [t('exports:section.declinedUntil', { moment: inWords(askAgainFrom(declinedAt)) })]),
  ];
}
