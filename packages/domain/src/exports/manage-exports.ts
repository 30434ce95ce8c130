import { CountersignError } from '../errors.ts';
import type { Clock, Ids, Secrets } from '../runtime.ts';
import type { Links } from '../verification/link.ts';
import type { ManagedVerification } from '../verification/manage-verification.ts';
import { unknownVerification } from '../verification/read-verifications.ts';
import type { VerificationRepository } from '../verification/verification-repository.ts';
import { hashOfCode, newExportCode } from './export-code.ts';
import type { ExportRepository, NewExportRequest } from './export-repository.ts';
import { EXPORT_LIFETIME_MS, type ExportRequest } from './export-request.ts';

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
}

/** Exports on one page of a list. */
const PAGE = 50;

export function createManageExports(ports: {
  exports: ExportRepository;
  request: RequestExport;
  links: Links;
  clock: Clock;
  ids: Ids;
  secrets: Secrets;
}): ManageExports {
  const { exports, request, links, clock, ids, secrets } = ports;

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
      const page = found.slice(0, PAGE);
      return { exports: page, next: found.length > PAGE ? (page.at(-1)?.id ?? null) : null };
    },

    ofVerification: (place) => exports.ofVerification(place),

    async release(target) {
      const released = (await releaseOnce(target)) ?? (await releaseOnce(target));
      // A new request does not end before its release: the erasure deleted it.
      if (released === null) throw erased();
      return released;
    },
  };
}

/**
 * Stores a request for an export, or returns the one that the verification has.
 * @throws CountersignError `VERIFICATION_NOT_FOUND`, `ILLEGAL_TRANSITION` if the data is erased
 */
export type RequestExport = (request: NewExportRequest) => Promise<ExportRequest>;

export function createRequestExport(ports: {
  exports: Pick<ExportRepository, 'request'>;
  verifications: Pick<VerificationRepository, 'clientOf'>;
}): RequestExport {
  const { exports, verifications } = ports;
  return async (request) => {
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
