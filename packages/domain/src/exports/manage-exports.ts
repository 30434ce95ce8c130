import { CountersignError } from '../errors.ts';
import type { BasePorts } from '../verification/base-ports.ts';
import type { ManagedVerification } from '../verification/manage-verification.ts';
import { unknownVerification } from '../verification/read-verifications.ts';
import type { VerificationRepository } from '../verification/verification-repository.ts';
import type { CurrentExport } from './current-export.ts';
import { hashOfCode, newExportCode } from './export-code.ts';
import type { ExportRepository } from './export-repository.ts';
import {
  type DeclineReason,
  EXPORT_LIFETIME_MS,
  type ExportRequest,
  isDeclinable,
  type NewExportRequest,
} from './export-request.ts';

/** Link and code of a release. Neither is stored, so they are shown once. */
export interface ReleasedExport {
  readonly verificationId: string;
  readonly link: string;
  /** For the person, by another way than the link: `XXXXX-XXXXX`. */
  readonly code: string;
  /** When both end. */
  readonly expiresAt: Date;
}

/** What a list of exports shows. */
export interface ExportListRequest {
  /** Default: all clients. */
  readonly clientId?: string | undefined;
  /** Whether only those that wait for their release are listed. */
  readonly waiting?: boolean | undefined;
  /** `next` of the page before. */
  readonly after?: string | undefined;
}

/** A page of exports, newest request first. */
export interface ExportList {
  readonly exports: readonly ExportRequest[];
  /** The `after` of the next page; null at the end. */
  readonly next: string | null;
}

/** Manages exports, for owners of a team and operators. */
export interface ManageExports {
  list(request: ExportListRequest): Promise<ExportList>;
  /** Returns the export of a verification; null without one. */
  ofVerification(place: Pick<ManagedVerification, 'clientId' | 'verificationId'>): Promise<ExportRequest | null>;
  /**
   * Releases an export, and requests it first if the verification has none. Ends link and code of an earlier release.
   *
   * Concurrency: of several releases at once, the link and the code of the last one work.
   * @throws CountersignError `VERIFICATION_NOT_FOUND`, `ILLEGAL_TRANSITION` if the data is erased
   */
  release(target: ManagedVerification): Promise<ReleasedExport>;
  /**
   * Declines a request of the subject, who sees the reason. Ends link and code if it is released already.
   * @throws CountersignError `VERIFICATION_NOT_FOUND`, `ILLEGAL_TRANSITION` if the subject has no request that is open
   */
  decline(target: ManagedVerification, reason: DeclineReason): Promise<ExportRequest>;
}

/** Exports on one page of a list. */
const PAGE = 50;

export function createManageExports(
  ports: Pick<BasePorts, 'clock' | 'ids' | 'links' | 'secrets'> & {
    exports: ExportRepository;
    verifications: Pick<VerificationRepository, 'clientOf'>;
    request: RequestExport;
    current: CurrentExport;
  },
): ManageExports {
  const { exports, verifications, request, current, links, clock, ids, secrets } = ports;

  /** Null if the request was deleted in the meantime: it had ended and a new one replaced it, or an erasure began. */
  async function releaseOnce({
    clientId,
    verificationId,
    actor,
  }: ManagedVerification): Promise<ReleasedExport | null> {
    const now = clock.now();
    const asked = { id: ids.next(), clientId, verificationId, requestedAt: now, requestedBy: actor.kind };
    const { id } = await request(asked);
    const code = newExportCode(secrets);
    const expiresAt = new Date(now.getTime() + EXPORT_LIFETIME_MS);
    const codeHash = hashOfCode(secrets, id, code);
    const release = { id, clientId, releasedAt: now, releasedBy: actor.id, codeHash, expiresAt };
    const released = await exports.release(release);
    return released && { verificationId, link: links.url(id, released.linkVersion), code, expiresAt };
  }

  return {
    async list({ clientId, waiting = false, after = null }) {
      const found = await exports.list({ clientId, waiting, after, limit: PAGE + 1 });
      const page = await Promise.all(found.slice(0, PAGE).map(current));
      return { exports: page, next: found.length > PAGE ? (page.at(-1)?.id ?? null) : null };
    },

    async ofVerification(place) {
      const stored = await exports.ofVerification(place);
      return stored && current(stored);
    },

    async release(target) {
      const released = (await releaseOnce(target)) ?? (await releaseOnce(target));
      // A new request does not end before its release: the erasure deleted it.
      if (released === null) throw erased();
      return released;
    },

    async decline({ clientId, verificationId }, declineReason) {
      const stored = await exports.ofVerification({ clientId, verificationId });
      const declinedAt = clock.now();
      const declined =
        stored !== null && isDeclinable(stored, declinedAt)
          ? await exports.decline({ id: stored.id, clientId, declinedAt, declineReason })
          : null;
      if (declined !== null) return declined;
      if ((await verifications.clientOf(verificationId)) !== clientId) throw unknownVerification();
      throw new CountersignError(
        'ILLEGAL_TRANSITION',
        'The person has no open request for a copy of this data. There is nothing to decline.',
      );
    },
  };
}

/**
 * Stores a request for an export, or returns the one that the verification has.
 * @throws CountersignError `VERIFICATION_NOT_FOUND`, `ILLEGAL_TRANSITION` if the data is erased
 */
export type RequestExport = (request: NewExportRequest) => Promise<ExportRequest>;

export function createRequestExport(ports: {
  exports: Pick<ExportRepository, 'request' | 'ofVerification'>;
  verifications: Pick<VerificationRepository, 'clientOf'>;
  current: CurrentExport;
}): RequestExport {
  const { exports, verifications, current } = ports;
  return async (request) => {
    // A release whose user lost the right has ended, so that this request replaces it.
    const before = await exports.ofVerification(request);
    if (before !== null) await current(before);
    const stored = await exports.request(request);
    if (stored !== null) return stored;
    const owner = await verifications.clientOf(request.verificationId);
    throw owner === request.clientId ? erased() : unknownVerification();
  };
}

function erased(): CountersignError {
  return new CountersignError(
    'ILLEGAL_TRANSITION',
    'The data of this verification was erased. There is nothing left to export.',
  );
}
