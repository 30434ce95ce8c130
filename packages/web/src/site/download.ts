import { setTimeout as pause } from 'node:timers/promises';
import { DOWNLOAD_WAIT_MS, type DownloadCaller, isCountersignError } from '@countersign/domain';
import { watchedParts } from '@countersign/domain/exports';
import type { User } from '@countersign/domain/staff';
import type { Context } from 'hono';
import { downloadStream } from './download-stream.ts';
import type { Page, WebEnv } from './page.ts';
import { loggedRequest } from './paths.ts';
import type { Site } from './site.ts';

/** A file or an export to send. */
export interface Download {
  readonly parts: AsyncGenerator<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Answers with a download, in a slot of its caller that it leaves with its last part.
 *
 * @param caller whose downloads are counted together
 * @param open reads what is sent; called once there is a slot
 * @throws CountersignError `TOO_MANY_DOWNLOADS`, and what `open` throws
 */
export async function answerDownload<E extends WebEnv>(
  context: Context<E>,
  { options: { countersign, onFault } }: Pick<Site, 'options'>,
  caller: DownloadCaller,
  open: () => Promise<Download>,
): Promise<Response> {
  const end = await countersign.rateLimits.beginDownload(caller, () => pause(DOWNLOAD_WAIT_MS));
  try {
    const { parts, headers } = await open();
    const answered = { ...headers, 'Cache-Control': 'no-store' };
    if (context.req.method === 'HEAD') {
      end();
      return new Response(null, { headers: answered });
    }
    const { requestId }: Page = context.get('page');
    const logged = { requestId, ...loggedRequest(context) };
    const stream = downloadStream(watchedParts(parts, { onEnd: end }), (fault) => {
      // The right to read has ended meanwhile.
      if (!isCountersignError(fault) || fault.code === 'SERVICE_UNAVAILABLE') onFault(fault, logged);
    });
    return new Response(stream, { headers: answered });
  } catch (error) {
    end();
    throw error;
  }
}

/** Returns whose downloads those of a user are counted with: of the team's client, or their own. */
export function downloaderOf({ id, clientId }: User): string {
  return clientId ?? id;
}
