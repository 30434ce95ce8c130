import {
  EXPORT_CODE_ATTEMPTS,
  type ExportRequest,
  exportStateOf,
  isOpenExport,
  isReleased,
  NO_RELEASE,
} from '@countersign/domain/exports';
import { compareText, type ExportRelease, type ExportRepository } from '@countersign/domain/storage';
import { compareTime, type Sync, type Tables } from './tables.ts';

/** Exports of people's data. Lists, `endAll` and `forget` read those of all clients. */
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
    endAll: (at) => exports.all().filter((stored) => end(stored, at)).length,
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
      exports
        .scan({ backwards: true })
        .filter(
          (one) =>
            (clientId === undefined || one.clientId === clientId) &&
            (!waiting || (one.releasedAt === null && one.declinedAt === null)) &&
            (after === null || compareText(one.id, after) < 0),
        )
        .take(limit)
        .toArray(),
    forget({ before, limit }) {
      const isBefore = (at: Date | null): boolean => at !== null && at < before;
      const forgotten = exports
        .all()
        .filter((one) => isBefore(one.expiresAt) || isBefore(one.declinedAt))
        .sort((a, b) => compareTime(a.expiresAt, b.expiresAt))
        .slice(0, limit);
      for (const { id } of forgotten) exports.remove(id);
      return forgotten.length;
    },
  };
}
