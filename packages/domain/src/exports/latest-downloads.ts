import type { Clock } from '../runtime.ts';
import type { ExportRequest } from './export-request.ts';

/** The latest download of each release in this process. */
export interface LatestDownloads {
  /** Begins a download of a release. @returns a function that says whether no other has begun since */
  begin(release: Pick<ExportRequest, 'id'> & { readonly expiresAt: Date }): () => boolean;
}

/** Remembers downloads until their release expires, so that each release is sent once at a time. */
export function createLatestDownloads(clock: Clock): LatestDownloads {
  const latest = new Map<string, { readonly expiresAt: Date }>();
  return {
    begin({ id, expiresAt }) {
      const now = clock.now();
      for (const [each, download] of latest) if (download.expiresAt <= now) latest.delete(each);
      const download = { expiresAt };
      latest.set(id, download);
      return () => latest.get(id) === download;
    },
  };
}
