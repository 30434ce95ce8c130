import { type ExportRequest, exportStateOf, readExport, releaseExport } from '@countersign/domain';
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { momentInWords } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';
import type { StaffEnv } from '../../staff/area.tsx';
import { LinkTo, Section } from '../../staff/page-parts.tsx';

/** Returns the path of a verification's page, or of the page below it that releases a copy. */
export type CopyPathOf = (verificationId: string, page?: 'data-copy') => string;

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
  const isWaiting = request !== null && request.releasedAt === null;
  return (
    <Section id="data-copy" title={page.t('exports:section.title')}>
      {request === null ? null : sentences(request, now, page).map((sentence) => <p>{sentence}</p>)}
      <LinkTo
        path={pathOf(verificationId, 'data-copy')}
        label={isWaiting ? 'exports:section.release' : 'exports:section.give'}
        page={page}
      />
    </Section>
  );
}

function sentences(request: ExportRequest, now: Date, { t, language }: Page): readonly string[] {
  const { requestedBy, requestedAt, releasedAt, expiresAt, downloadedAt } = request;
  const inWords = (moment: Date) => momentInWords(moment, language);
  const asked = t(`exports:section.requestedBy.${requestedBy}`, { moment: inWords(requestedAt) });
  if (releasedAt === null || expiresAt === null) return [asked];
  const released = { released: inWords(releasedAt), until: inWords(expiresAt) };
  return [
    asked,
    t(`exports:section.${exportStateOf(request, now) === 'ended' ? 'ended' : 'released'}`, released),
    ...(downloadedAt === null ? [] : [t('exports:section.downloaded', { moment: inWords(downloadedAt) })]),
  ];
}
