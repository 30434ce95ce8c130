import { type BoundedCount, boundedCount, COUNTED_MATCHES } from '../subscription/bounded-count.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import { hasFileAccess } from '../subscription/file-access.ts';
import { modeOf } from '../subscription/test-twin.ts';
import type { BasePorts } from './base-ports.ts';
import {
  type BrowsePageRequest,
  type BrowseRequest,
  type ParsedBrowse,
  parseBrowseFilter,
  parseBrowseRequest,
} from './browse-request.ts';
import type { CreateForRequester } from './create-verification.ts';
import type { SystemReason } from './decision.ts';
import { endedBy, readEndings } from './endings.ts';
import { type Flow, findFlow, type SubjectType, stepsOf } from './flow.ts';
import { positionText } from './page-position.ts';
import { unknownVerification } from './read-verifications.ts';
import { isBrowsed } from './record-lists.ts';
import type { FindWithData } from './retained.ts';
import { type RetentionView, retentionViewOf } from './retention-view.ts';
import { REFERENCED_MAX } from './short-reference.ts';
import { isLegalMove, type Status } from './status.ts';
import type { VerificationRecord } from './verification-record.ts';
import type { BrowseFilter } from './verification-repository.ts';
import { type CreatedVerification, detailsOf, type VerificationDetails } from './views.ts';

/** Verifications in one read of an export: few, because other requests wait for each read of a storage in this process. */
const EXPORT_PAGE = 100;

/** A verification in an export, without submitted data. */
export interface VerificationSummary {
  readonly id: string;
  readonly type: SubjectType;
  readonly subjectReference: string;
  readonly status: Status;
  readonly requestedAt: Date;
  readonly submittedAt: Date | null;
  readonly resolvedAt: Date | null;
  readonly currentStep: number;
  readonly totalSteps: number;
}

/** A verification in a list, without submitted data. */
export interface BrowsedVerification extends VerificationSummary {
  /** How it ended without a review, also after its erasure; null for every other. */
  readonly endedBy: SystemReason | null;
}

/**
 * A page of a client's verifications, the newest first. On the first page of a search, verifications with that short reference
 * stand before the others, in addition to `limit`; usually there is one.
 */
export interface BrowsedPage {
  readonly items: readonly BrowsedVerification[];
  /** Exact, unless references are searched by a prefix. */
  readonly total: BoundedCount;
  /** The `after` of the next page; null at the end. Opaque. */
  readonly next: string | null;
}

/** A verification for a client's team. Parts that the caller's role does not allow are null. */
export type OpenedVerification = Omit<VerificationDetails, 'submittedData' | 'documents' | 'verificationUrl'> & {
  /** The flow that it began with; its fields label the answers. */
  readonly flow: Flow;
  readonly submittedData: VerificationDetails['submittedData'] | null;
  readonly documents: VerificationDetails['documents'] | null;
  /** Null without the right to manage verifications: the link opens the verification as its subject. */
  readonly verificationUrl: string | null;
  readonly linkExpiresAt: Date;
  /** Whether the caller may read the documents’ files now: an owner switched access on. */
  readonly mayReadFiles: boolean;
  /** How it ended without a review, also after its erasure; null for every other. */
  readonly endedBy: SystemReason | null;
  /** Whether the move is legal now. */
  readonly mayWithdraw: boolean;
  readonly mayRenewLink: boolean;
  readonly retention: RetentionView;
};

/** The verifications of one client, for its team. */
export interface ClientVerifications {
  /** Reads a page, newest first. @throws CountersignError `INVALID_PARAMETERS` */
  browse(request: BrowsePageRequest): Promise<BrowsedPage>;
  /** @throws CountersignError `VERIFICATION_NOT_FOUND` */
  open(
    verificationId: string,
    options: { readonly withSubmittedData: boolean; readonly withLink: boolean; readonly withHold: boolean },
  ): Promise<OpenedVerification>;
  /**
   * Creates a verification as the API does, and counts it like one. Forms send a random `idempotencyKey` (1–255 printable
   * ASCII characters): a form that is sent twice creates one verification. A form that was refused can be corrected and
   * sent again with the same key.
   * @throws CountersignError as `CreateVerification`, without `INSUFFICIENT_PERMISSIONS`
   */
  create(input: unknown, options?: { readonly idempotencyKey?: string | undefined }): Promise<CreatedVerification>;
  /**
   * Exports all matching verifications, newest first, page by page. `totalCount` is their number at the start.
   * @throws CountersignError `INVALID_PARAMETERS`
   */
  export(
    request: BrowseRequest,
  ): Promise<{ readonly totalCount: number; readonly rows: AsyncIterable<VerificationSummary> }>;
}

/** Leaves out what the team may not change or the caller may not see. */
function teamView(view: RetentionView, { withHold }: { withHold: boolean }): RetentionView {
  const isOfTeam = view.holdSetBy === null || view.holdSetBy === 'team_member';
  return {
    ...view,
    holdReason: withHold ? view.holdReason : null,
    mayHold: view.mayHold && isOfTeam,
    mayReleaseHold: view.mayReleaseHold && isOfTeam,
  };
}

/** Makes the service for one user of the client's team. `actions/` checks the right and records the call. */
export function createClientVerifications(
  ports: Pick<BasePorts, 'flows' | 'links' | 'verifications'> & {
    findWithData: FindWithData;
    clients: Pick<ClientRepository, 'find'>;
    createFor: CreateForRequester;
  },
  { clientId, userId }: { readonly clientId: string; readonly userId: string },
): ClientVerifications {
  const { verifications, findWithData, flows, clients, createFor, links } = ports;
  const actor = { kind: 'team_member', id: userId } as const;

  /** Uses the columns alone: a list never reads submitted data. */
  function exported(record: VerificationRecord): VerificationSummary {
    const { id, type, subjectReference, status, requestedAt, submittedAt, resolvedAt, currentStep } = record;
    const flow = findFlow(flows, type, record.flowVersion);
    const totalSteps = flow === null ? currentStep : stepsOf(flow).length;
    return { id, type, subjectReference, status, requestedAt, submittedAt, resolvedAt, currentStep, totalSteps };
  }

  async function browsed(records: readonly VerificationRecord[]): Promise<BrowsedVerification[]> {
    const endingOf = await readEndings(verifications, records);
    return records.map((record) => ({ ...exported(record), endedBy: endingOf(record) }));
  }

  /**
   * Reads the verifications whose short reference is searched and that pass the other filters, without those that the
   * filter finds by their subject reference.
   */
  async function referenced({ reference, filter }: ParsedBrowse): Promise<readonly VerificationRecord[]> {
    if (reference === null) return [];
    const records = await verifications.findByShortReference({ reference, clientId, limit: REFERENCED_MAX });
    const others = { ...filter, subjectReferencePrefix: undefined };
    return records.filter((record) => isBrowsed(record, others) && !isBrowsed(record, filter));
  }

  async function* rowsOf(records: readonly VerificationRecord[]): AsyncGenerator<VerificationSummary> {
    yield* records.map(exported);
  }

  async function* rowsFrom(
    filter: BrowseFilter,
    first: readonly VerificationRecord[],
    page: readonly VerificationRecord[],
  ): AsyncGenerator<VerificationSummary> {
    yield* rowsOf(first);
    let records = page;
    while (true) {
      yield* rowsOf(records);
      if (records.length < EXPORT_PAGE) return;
      // Counting again for each page took most of the time of a large export.
      const next = { ...filter, after: records.at(-1), limit: EXPORT_PAGE, withoutTotal: true };
      ({ records } = await verifications.browse(clientId, next));
    }
  }

  return {
    async browse(request) {
      const parsed = parseBrowseRequest(request);
      const { filter, after, limit } = parsed;
      const first = await referenced(parsed);
      // One more than a page tells whether there is a next page.
      const query = { ...filter, after, limit: limit + 1 };
      // Only a search has no counts to add up.
      const isSearch = filter.subjectReferencePrefix !== undefined;
      const { records, totalCount } = await verifications.browse(
        clientId,
        isSearch ? { ...query, countUpTo: COUNTED_MATCHES } : query,
      );
      const shown = records.slice(0, limit);
      const last = records.length > limit ? shown.at(-1) : undefined;
      return {
        items: await browsed(after === undefined ? [...first, ...shown] : shown),
        total: isSearch ? boundedCount(totalCount + first.length) : { count: totalCount, isExact: true },
        next: last === undefined ? null : positionText({ at: last.requestedAt, id: last.id }),
      };
    },

    async open(verificationId, { withSubmittedData, withLink, withHold }) {
      const [found, readsFiles] = await Promise.all([
        findWithData(clientId, verificationId),
        hasFileAccess(clients, clientId),
      ]);
      if (found === null) throw unknownVerification();
      const { verification } = found;
      const { flow, link } = verification;
      return {
        ...detailsOf(found, links),
        ...(!withSubmittedData && { submittedData: null, documents: null }),
        ...(!withLink && { verificationUrl: null }),
        flow,
        linkExpiresAt: link.expiresAt,
        mayReadFiles: withSubmittedData && readsFiles,
        endedBy: endedBy(found.events),
        mayWithdraw: isLegalMove('withdraw', verification),
        mayRenewLink: isLegalMove('renewLink', verification),
        retention: teamView(retentionViewOf(verification, found), { withHold }),
      };
    },

    async create(input, { idempotencyKey } = {}) {
      const found = await clients.find(clientId);
      const mode = found === null ? 'live' : modeOf(found.client);
      const linkDays = found?.client.flowSettings.linkDays ?? null;
      const requester = { clientId, subscription: found?.subscription ?? null, mode, linkDays, actor };
      const { verification } = await createFor(requester, input, idempotencyKey);
      return verification;
    },

    async export(request) {
      const parsed = parseBrowseFilter(request);
      const { filter } = parsed;
      const first = await referenced(parsed);
      const page = await verifications.browse(clientId, { ...filter, after: undefined, limit: EXPORT_PAGE });
      return { totalCount: page.totalCount + first.length, rows: rowsFrom(filter, first, page.records) };
    },
  };
}
