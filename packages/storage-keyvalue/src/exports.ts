import {
  EXPORT_CODE_ATTEMPTS,
  type ExportRequest,
  exportStateOf,
  isOpenExport,
  isReleased,
  NO_RELEASE,
} from '@countersign/domain/exports';
import type { ExportRelease, ExportRepository } from '@countersign/domain/storage';
import type { Sync, Tables } from './tables.ts';

/**
 * Exports of people's data. Lists read those of a client or of all clients until they have found enough; `endAll` reads those that have not
 * ended.
 */
export function createExports({ exports, verifications }: Tables): Sync<ExportRepository> {
  const put = <E extends ExportRequest>(one: E): E => {
    exports.put(one);
    return one;
  };
  const ofVerification = (place: Pick<ExportRequest, 'clientId' | 'verificationId'>) =>
    exports.first('verification', place.clientId, place.verificationId) ?? null;
  function released({ id, linkVersion }: ExportRelease): ExportRequest | null {
    const stored = exports.get(id);
    const isOpen = stored?.linkVersion === linkVersion && stored.expiresAt !== null && stored.declinedAt === null;
    return isOpen ? stored : null;
  }
  function newestFirst(clientId: string | undefined, before: string | null) {
    const part = { backwards: true, ...(before !== null && { until: [before] }) };
    return clientId === undefined ? exports.scan(part) : exports.by('client', { under: [clientId], ...part });
  }
  function end(stored: ExportRequest, at: Date): boolean {
    const isOpen = isReleased({ ...stored, wrongCodes: 0 }, at);
    if (isOpen) put({ ...stored, expiresAt: at });
    return isOpen;
  }
  return {
    request(request) {
      const { id, clientId, verificationId, requestedAt, requestedBy } = request;
      const verification = verifications.get(clientId, verificationId);
      if (verification === undefined || verification.erasedAt !== null) return null;
      const stored = ofVerification(request);
      if (stored !== null && exportStateOf(stored, requestedAt) !== 'ended') return stored;
      if (stored !== null) exports.remove(stored.id);
      return put({ id, clientId, verificationId, requestedAt, requestedBy, ...NO_RELEASE });
    },
    release({ id, clientId, ...release }) {
      const stored = exports.get(id);
      if (stored?.clientId !== clientId) return null;
      return put({ ...stored, ...NO_RELEASE, ...release, linkVersion: stored.linkVersion + 1 });
    },
    decline({ id, clientId, declinedAt, declineReason }) {
      const stored = exports.get(id);
      if (stored?.clientId !== clientId || !isOpenExport(stored, declinedAt)) return null;
      return put({ ...stored, declinedAt, declineReason });
    },
    end(release, at) {
      const stored = released(release);
      if (stored !== null) end(stored, at);
    },
    endAll: (at) =>
      exports
        .by('end', { from: [at.getTime() + 1] })
        .toArray()
        .filter((stored) => end(stored, at)).length,
    countWrongCode(release) {
      const stored = released(release);
      if (stored === null || stored.wrongCodes >= EXPORT_CODE_ATTEMPTS) return null;
      return put({ ...stored, wrongCodes: stored.wrongCodes + 1 }).wrongCodes;
    },
    markDownloaded(release, at) {
      const stored = released(release);
      if (stored === null || exportStateOf(stored, at) !== 'released') return { outcome: 'ended' };
      put({ ...stored, downloadedAt: at, downloads: stored.downloads + 1 });
      return { outcome: 'marked' };
    },
    find: (id) => exports.get(id) ?? null,
    ofVerification,
    list: ({ clientId, waiting, after, limit }) =>
      newestFirst(clientId, after)
        .filter((one) => !waiting || (one.releasedAt === null && one.declinedAt === null))
        .take(limit)
        .toArray(),
    forget({ before, limit }) {
      const forgotten = exports
        .by('end', { until: [before.getTime()] })
        .take(limit)
        .toArray();
      for (const { id } of forgotten) exports.remove(id);
      return forgotten.length;
    },
  };
}
