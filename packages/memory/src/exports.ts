import {
  EXPORT_CODE_ATTEMPTS,
  type ExportRequest,
  exportStateOf,
  isOpenExport,
  isReleased,
  NO_RELEASE,
} from '@countersign/domain/exports';
import { compareText, type ExportRelease, type ExportRepository } from '@countersign/domain/storage';
import { keyOf, type Tables } from './tables.ts';

/** Creates the exports of the storage in memory. Each operation runs without interruption. */
export function createExports({ exports, verifications }: Tables): ExportRepository {
  const ofVerification = ({ clientId, verificationId }: Pick<ExportRequest, 'clientId' | 'verificationId'>) =>
    [...exports.values()].find((one) => one.clientId === clientId && one.verificationId === verificationId);

  function released({ id, linkVersion }: ExportRelease): ExportRequest | null {
    const stored = exports.get(id);
    const isOpen = stored?.linkVersion === linkVersion && stored.expiresAt !== null && stored.declinedAt === null;
    return isOpen ? stored : null;
  }

  function end(stored: ExportRequest, at: Date): boolean {
    const isOpen = isReleased({ ...stored, wrongCodes: 0 }, at);
    if (isOpen) exports.set(stored.id, { ...stored, expiresAt: new Date(at) });
    return isOpen;
  }

  return {
    async request({ id, clientId, verificationId, requestedAt, requestedBy }) {
      const verification = verifications.get(keyOf(clientId, verificationId));
      if (verification === undefined || verification.erasedAt !== null) return null;
      const stored = ofVerification({ clientId, verificationId });
      if (stored !== undefined && exportStateOf(stored, requestedAt) !== 'ended') return structuredClone(stored);
      if (stored !== undefined) exports.delete(stored.id);
      const requested = {
        id,
        clientId,
        verificationId,
        requestedAt: new Date(requestedAt),
        requestedBy,
        ...NO_RELEASE,
      };
      exports.set(id, requested);
      return structuredClone(requested);
    },

    async release({ id, clientId, ...release }) {
      const stored = exports.get(id);
      if (stored?.clientId !== clientId) return null;
      const linkVersion = stored.linkVersion + 1;
      const changed = { ...stored, ...NO_RELEASE, ...structuredClone(release), linkVersion };
      exports.set(id, changed);
      return structuredClone(changed);
    },

    async decline({ id, clientId, declinedAt, declineReason }) {
      const stored = exports.get(id);
      if (stored?.clientId !== clientId) return null;
      if (!isOpenExport(stored, declinedAt)) return null;
      const declined = { ...stored, declinedAt: new Date(declinedAt), declineReason };
      exports.set(id, declined);
      return structuredClone(declined);
    },

    async end(release, at) {
      const stored = released(release);
      if (stored !== null) end(stored, at);
    },

    endAll: async (at) => [...exports.values()].filter((stored) => end(stored, at)).length,

    async countWrongCode(release) {
      const stored = released(release);
      if (stored === null || stored.wrongCodes >= EXPORT_CODE_ATTEMPTS) return null;
      const wrongCodes = stored.wrongCodes + 1;
      exports.set(stored.id, { ...stored, wrongCodes });
      return wrongCodes;
    },

    async markDownloaded(release, at) {
      const stored = released(release);
      if (stored === null || exportStateOf(stored, at) !== 'released') return { outcome: 'ended' };
      exports.set(stored.id, { ...stored, downloadedAt: new Date(at), downloads: stored.downloads + 1 });
      return { outcome: 'marked' };
    },

    find: async (id) => structuredClone(exports.get(id) ?? null),
    ofVerification: async (place) => structuredClone(ofVerification(place) ?? null),

    async list({ clientId, waiting, after, limit }) {
      const matching = [...exports.values()].filter(
        (one) =>
          (clientId === undefined || one.clientId === clientId) &&
          (!waiting || (one.releasedAt === null && one.declinedAt === null)) &&
          (after === null || compareText(one.id, after) < 0),
      );
      return structuredClone(matching.sort((a, b) => compareText(b.id, a.id)).slice(0, limit));
    },

    async forget({ before, limit }) {
      const isBefore = (at: Date | null): boolean => at !== null && at < before;
      const ended = [...exports.values()].filter((one) => isBefore(one.expiresAt) || isBefore(one.declinedAt));
      const forgotten = ended.sort((a, b) => Number(a.expiresAt) - Number(b.expiresAt)).slice(0, limit);
      for (const { id } of forgotten) exports.delete(id);
      return forgotten.length;
    },
  };
}
